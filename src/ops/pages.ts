import type { IRouter } from 'express';
import type { WebSettings } from '../settings/config.ts';
import { countJobs, openPostingQueue } from '../queue/posting-queue.ts';
import type { RedisClient } from '../redis/connection.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { BacklogSnapshot } from '../storage/orders/backlog.ts';
import { createDashboard, dashboardPath } from './dashboard.ts';
import type { Health } from './health.ts';
import { addDocs } from './docs.ts';
import { addLookupRoutes } from './lookups.ts';
import { createOverview, describeScaling, type Overview } from './overview.ts';
import { layout } from './page/layout.ts';
import { overviewPage, titleOf } from './page/overview-page.ts';
import { addReleaseRoute } from './page/release-form.ts';
import { addStyles, pagePolicy, withPolicy, type PageContext } from './page/serving.ts';
import { followProblems, type ProblemsOf } from './problems/follow.ts';

/** Bull Board sets styles in its markup. It asks another site for a font, which is not fetched. */
const dashboardPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/**
 * How often the service is looked at, whether or not anybody asks, so that it is known since when a problem is there, and the number of
 * workers that the load asks for rests on the last minute.
 */
const lookEveryMs = 2_000;
const lookMaxMs = 10_000;

/** The pages of the whole service, for the operations port of a process. */
export interface Pages {
  readonly overview: () => Promise<Overview>;
  addRoutes(app: IRouter): void;
}

interface PageSources extends Omit<PageContext, 'canAct'> {
  /** A connection of the operator's own, so that what is shown never delays a request. */
  readonly redis: RedisClient;
  readonly lastSnapshot: () => BacklogSnapshot | undefined;
  readonly health: Health;
  readonly settings: WebSettings;
}

/**
 * Begins to follow the whole service, and to show it. Only the web process imports this file, so that workers load nothing of
 * the pages.
 */
export function startPages(sources: PageSources): Pages & { close(): Promise<void> } {
  const { collections, redis, lastSnapshot, health, settings, clock } = sources;
  const { QUEUE_PREFIX: prefix, OPS_TOKEN: token, OPS_DASHBOARD_ACTIONS: areActionsAllowed } = settings;
  const queue = openPostingQueue(redis, prefix);
  const overview = createOverview(
    { collections, servers: health.servers, lastSnapshot, readJobs: () => countJobs(queue) },
    settings,
    clock,
  );
  const problems = followProblems(health);
  const looks = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: lookMaxMs,
    round: async () => void problems(await overview()),
  });
  // Without a token no action is allowed, because it could come from anyone on this machine.
  const canAct = areActionsAllowed && token !== undefined;
  return {
    overview,
    addRoutes(app) {
      app.use(withPolicy(pagePolicy));
      app.use(dashboardPath, withPolicy(dashboardPolicy), createDashboard(queue));
      addStyles(app);
      addDocs(app);
      addOverviewRoutes(app, overview, problems);
      addLookupRoutes(app, { ...sources, canAct });
      addReleaseRoute(app, collections, canAct);
    },
    async close() {
      await looks.close();
      await queue.close().catch(() => undefined);
    },
  };
}

/** The overview at `/`, and `/scaling`. */
export function addOverviewRoutes(app: IRouter, overview: () => Promise<Overview>, problems: ProblemsOf): void {
  app.get('/', async (_req, res) => {
    const now = await overview();
    const present = problems(now);
    res.type('html').send(layout(titleOf(present), overviewPage(now, present), true));
  });
  app.get('/scaling', async (_req, res) => {
    const scaling = describeScaling(await overview());
    res.status(scaling === undefined ? 503 : 200).json(scaling ?? { error: 'MongoDB or Redis does not answer' });
  });
}
