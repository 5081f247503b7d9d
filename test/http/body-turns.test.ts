import { expect, it } from 'vitest';
import { createBodyTurns } from '../../src/http/body-turns.ts';

it('gives each part an iteration of the event loop of its own, and workspaces their turns round robin', async () => {
  const bodyTurn = createBodyTurns();
  let iteration = 0;
  const next = (): NodeJS.Immediate => setImmediate(() => (iteration += 1) < 100 && next());
  next();
  const read: { workspaceId: string; iteration: number }[] = [];
  await Promise.all(
    ['first', 'flood', 'flood', 'flood', 'other'].map(async (workspaceId) => {
      await bodyTurn(workspaceId);
      read.push({ workspaceId, iteration });
    }),
  );
  expect(read.map(({ workspaceId }) => workspaceId)).toEqual(['first', 'flood', 'other', 'flood', 'flood']);
  expect(new Set(read.map((each) => each.iteration)).size).toBe(read.length);
});

it('begins at once where nobody waits', async () => {
  const bodyTurn = createBodyTurns();
  let isLater = false;
  setImmediate(() => (isLater = true));
  await bodyTurn('alone');
  expect(isLater).toBe(false);
});
