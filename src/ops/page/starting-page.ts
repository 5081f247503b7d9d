import type { IRouter } from 'express';
import type { Clock } from '../../clock.ts';
import { nameOf as shownNameOf, type Health, type ServerHealth } from '../health.ts';
import { addDocs } from '../docs.ts';
import { nothingKnown } from '../overview.ts';
import { followProblems, type PresentProblem } from '../problems/follow.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { facts, table } from './parts.ts';
import { problemSection, titleOf } from './problem-section.ts';
import { addPageFiles, pagePolicy, withPolicy } from './serving.ts';
import { duration, time } from './words.ts';

/** The process that starts. */
export interface StartingProcess {
  readonly instanceId: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly health: Health;
  readonly clock: Clock;
}

const nameOf = ({ name }: ServerHealth): string => shownNameOf(name);

/**
 * The page of a web process until it has started: what it waits for, since when, and what follows. It becomes the page of the
 * service by itself. What needs no server is there from now on: the files that pages load, and the docs, because now they are
 * needed.
 */
export function addStartingPage(app: IRouter, starting: StartingProcess): void {
  const { health } = starting;
  const follow = followProblems(health);
  app.use(withPolicy(pagePolicy));
  addPageFiles(app);
  addDocs(app);
  app.get(['/', '/live'], async (req, res, next) => {
    if (!health.isStarting()) {
      next();
      return;
    }
    const servers = await health.servers();
    const problems = follow({ ...nothingKnown, at: starting.clock(), servers: [...servers], backlogMax: 0 });
    const live = startingFragment(starting, servers, problems);
    // What asks for the live part takes another status for a fault of this process.
    if (req.path === '/live') res.type('html').send(live.markup);
    else
      res
        .status(503)
        .type('html')
        .send(layout(titleOf(problems), html`<div id="live">${live}</div>`, true));
  });
}

function startingFragment(
  starting: StartingProcess,
  servers: readonly ServerHealth[],
  problems: readonly PresentProblem[],
): Html {
  const { instanceId, version, startedAt, clock } = starting;
  const now = clock();
  return html`${problemSection(problems)}
    <p class="note" role="status">
      <b>This web process is starting${waitingFor(starting.health, servers)}.</b> It opens its API by itself once it has
      started; if it waits for nothing, its log says what it does.
    </p>
    <section>
      <h2>Servers behind this process</h2>
      ${table<ServerHealth>({
        id: 'servers',
        columns: {
          server: nameOf,
          state: ({ isUp }) => (isUp ? 'answers' : html`<b class="status FAILED">does not answer</b>`),
          since: ({ since }) => time(since),
          for: ({ since }) => duration(Math.max(0, now.getTime() - since.getTime())),
        },
        rows: servers,
        key: ({ name }) => name,
      })}
    </section>
    <section>
      <h2>This process</h2>
      ${facts({
        'host and process': html`<code>${instanceId}</code>`,
        version: `${version}, Node ${process.version}`,
        started: `${time(startedAt)}, ${duration(Math.max(0, now.getTime() - startedAt.getTime()))} ago`,
      })}
    </section>
    <footer>
      ${time(now)}. What the service does is shown once this process has started; until then look at another web
      process, if there is one.
    </footer>`;
}

function waitingFor({ wrongSetting }: Health, servers: readonly ServerHealth[]): string {
  const away = servers.filter(({ isUp }) => !isUp).map(nameOf);
  const what = wrongSetting()?.message ?? (away.length === 0 ? undefined : `it waits for ${away.join(' and ')}`);
  return what === undefined ? '' : `: ${what}`;
}
