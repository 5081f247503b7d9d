import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Overview } from '../../src/ops/overview.ts';
import { problemSection, titleOf } from '../../src/ops/page/overview-page.ts';
import { followProblems, type PresentProblem } from '../../src/ops/problems/follow.ts';
import { severities } from '../../src/ops/problems/problem.ts';
import { problems } from '../../src/ops/problems/table.ts';
import { readAlertRules } from '../support/alert-rules.ts';
import { healthy as healthyNow, lastingProblems, problemStates } from '../support/page-states.ts';

const rules = await readAlertRules();
const healthy = healthyNow();
const nothingWrong = { isStarting: () => false, wrongSetting: () => undefined };
const secondsAgo = (seconds: number): Date => new Date(healthy.at.getTime() - seconds * 1_000);
const withExplained = (present: readonly PresentProblem[]): string[] =>
  present.flatMap(({ name, explained }) => [name, ...withExplained(explained)]);
const namesOf = (overview: Overview): string[] => lastingProblems(overview).map(({ name }) => name);
const textOf = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8');

describe('the table', () => {
  it('has each name once, those that wake somebody first, causes before what they explain, and sentences', () => {
    const names = problems.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const order = problems.map(({ severity }) => severities.indexOf(severity));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const [index, { what, follows, toDo, explains = [] }] of problems.entries()) {
      expect(what).toMatch(/[^.]$/);
      for (const sentence of [follows, toDo]) expect(sentence).toMatch(/\.$/);
      expect(names.slice(index + 1)).toEqual(expect.arrayContaining([...explains]));
    }
  });

  it('has a rule for each, of Prometheus or of Kubernetes alone, and an entry of the runbook', async () => {
    expect(rules.map(({ alert }) => alert)).toEqual(
      problems.filter(({ alert }) => !alert.isOfKubernetes).map(({ name }) => name),
    );
    const runbook = await textOf('docs/operations.md');
    for (const { name, what } of problems) expect(runbook).toContain(`\n### ${name}\n\n> **${what}**`);
  });

  it('has a state of the page for each that the page tells, which shows it', () => {
    const told = problems.flatMap(({ name, page }) => ('never' in page ? [] : name));
    expect(Object.keys(problemStates).toSorted()).toEqual(told.toSorted());
    for (const [name, state] of Object.entries(problemStates))
      expect(withExplained(lastingProblems(state())), name).toContain(name);
  });
});

describe('a cause', () => {
  it('has its symptoms in its own banner, and nowhere else', () => {
    const slow = problemStates.MongoSlow();
    const [cause, ...others] = lastingProblems({ ...slow, backlog: problemStates.BacklogOld().backlog });
    expect(cause).toMatchObject({ name: 'MongoSlow', figure: 'a commit takes 3.0 s' });
    expect(cause?.explained.map(({ name }) => name)).toEqual(['ApiSlow', 'BacklogOld']);
    expect(others).toEqual([]);
    const { markup } = problemSection([cause!]);
    expect(markup).toContain('>1 problem</h2>');
    expect(markup).toContain('From it follows: The API answers slowly');
    expect(markup).not.toContain('add workers');
    expect(markup).toContain('More workers do not help.');
  });

  it('keeps its symptoms silent in Alertmanager too', async () => {
    const { inhibit_rules: inhibited } = parse(await textOf('deploy/alertmanager.yml')) as {
      inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
    };
    expect(inhibited).toEqual(
      problems
        .filter(({ explains }) => explains !== undefined)
        .map(({ name, explains = [] }) => ({
          source_matchers: [`alertname="${name}"`],
          target_matchers: [`alertname=~"${explains.join('|')}"`],
          equal: ['operations', 'namespace'],
        })),
    );
  });
});

describe('a problem', () => {
  it('says since when it is there, until it ends', () => {
    const follow = followProblems(nothingWrong);
    const paused = problemStates.PostingPaused();
    expect(follow({ ...paused, at: secondsAgo(9) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(follow({ ...paused, at: secondsAgo(6) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(follow({ ...healthy, at: secondsAgo(3) })).toEqual([]);
    expect(follow({ ...paused, at: secondsAgo(0) })).toMatchObject([{ since: secondsAgo(0) }]);
  });

  it('that a look cannot judge stays as it was seen last, for 45 s, and begins anew only after that', () => {
    const follow = followProblems(nothingWrong);
    const alone = problemStates.NoWorkers();
    const unread = { ...healthy, activity: undefined };
    const namesAt = (seconds: number, seen: Overview) => withExplained(follow({ ...seen, at: secondsAgo(seconds) }));
    expect(namesAt(100, alone)).toEqual([]);
    expect(namesAt(96, unread)).toEqual([]);
    expect(namesAt(94, alone)).toEqual(['NoWorkers']);
    expect(namesAt(92, unread)).toEqual(['NoWorkers']);
    expect(follow({ ...alone, at: secondsAgo(80) })).toMatchObject([{ since: secondsAgo(100) }]);
    expect(namesAt(36, unread)).toContain('NoWorkers');
    expect(namesAt(35, unread)).toEqual([]);
    expect(namesAt(34, alone)).toEqual([]);
  });

  it('that the service is unread is told after 5 s, unless a server is away or this process starts', () => {
    const unread = (seconds: number): Overview => ({ ...healthy, processes: undefined, at: secondsAgo(seconds) });
    const away = healthy.servers.map((server) => ({ ...server, isUp: false }));
    const follow = followProblems(nothingWrong);
    expect(follow(unread(10))).toEqual([]);
    expect(follow(unread(5))).toMatchObject([{ name: 'ServiceUnread', since: secondsAgo(10) }]);
    expect(follow({ ...unread(4), servers: away })).toMatchObject([{ name: 'ServerDown' }]);
    const starting = followProblems({ ...nothingWrong, isStarting: () => true });
    expect([starting(unread(10)), starting(unread(0))]).toEqual([[], []]);
  });

  it('that no worker is alive is told once it has lasted, because all seem silent after an outage', () => {
    const follow = followProblems(nothingWrong);
    const overview = problemStates.NoWorkers();
    expect(follow({ ...overview, at: secondsAgo(9) })).toEqual([]);
    expect(follow({ ...overview, at: secondsAgo(4) })).toMatchObject([{ name: 'NoWorkers', since: secondsAgo(9) }]);
  });

  it('of a server is told at once if no process reaches it, and not for one process that does not', () => {
    const servers = healthy.servers.map((each) => (each.name === 'redis' ? { ...each, isUp: false } : each));
    const down = { redis: secondsAgo(30) };
    const processes = healthy.processes?.map((each) => ({ ...each, down }));
    expect(followProblems(nothingWrong)({ ...healthy, servers, processes })).toMatchObject([{ name: 'ServerDown' }]);
    expect(followProblems(nothingWrong)({ ...healthy, servers })).toEqual([]);
    const [worker, ...rest] = healthy.processes!.toReversed();
    expect(followProblems(nothingWrong)({ ...healthy, processes: [{ ...worker!, down }, ...rest] })).toEqual([]);
    expect(lastingProblems(healthy, 'REDIS_URL is wrong')).toMatchObject([
      { name: 'ServerDown', figure: 'REDIS_URL is wrong' },
    ]);
  });

  it('of what is counted is none for a few failures of a quiet service, nor where nothing is counted', () => {
    const [first, ...rest] = healthy.processes!;
    const withLately = (lately: object) => namesOf({ ...healthy, processes: [{ ...first!, lately }, ...rest] });
    expect(withLately({ answered: 0.05, serverErrors: 0.05, slowAnswers: 0.05 })).toEqual([]);
    expect(withLately({ answered: 1_000, serverErrors: 5 })).toEqual([]);
    expect(withLately({ commits: 0.02, commitSeconds: 0.07 })).toEqual([]);
    expect(withLately({})).toEqual([]);
  });
});

describe('the head of the page', () => {
  it('says that all is well, or how many problems there are, in its title too', () => {
    expect(titleOf([])).toBe('Transfers: operations');
    expect(problemSection([]).markup).toContain('>All well</h2>');
    const present = [...lastingProblems(problemStates.NoWorkers()), ...lastingProblems(problemStates.ClockOff())];
    expect(present.map(({ name }) => name)).toEqual(['NoWorkers', 'ClockOff']);
    expect(titleOf(present)).toBe('(2) Transfers: operations');
    expect(problemSection(present).markup).toContain('>2 problems</h2>');
    expect(problemSection(present.slice(1)).markup).toContain('>1 problem</h2>');
  });
});
