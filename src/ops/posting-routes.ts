import type { IRouter } from 'express';
import { answer, idOf } from './lookup-routes.ts';
import { notFoundPage } from './page/lookup-pages.ts';
import { partitionPage, processPage } from './page/posting-pages.ts';
import type { createPostingLookups } from './posting-lookups.ts';

/** The page of a process, `/worker?id=`, and of a partition, `/partition?number=`. */
export function addPostingRoutes(
  app: IRouter,
  lookups: ReturnType<typeof createPostingLookups>,
  canAct: boolean,
): void {
  app.get('/worker', async (req, res) => {
    const id = idOf(req);
    await answer(res, `process ${id}`, async () => {
      const view = await lookups.process(id);
      if (view !== undefined) return processPage(view, canAct);
      res.status(404);
      return notFoundPage('process', id);
    });
  });
  app.get('/partition', async (req, res) => {
    const number = idOf(req, 'number');
    await answer(res, `partition ${number}`, async () => {
      const view = /^\d{1,4}$/.test(number) ? await lookups.partition(Number(number)) : undefined;
      if (view !== undefined) return partitionPage(view, canAct);
      res.status(404);
      return notFoundPage('partition', number);
    });
  });
}
