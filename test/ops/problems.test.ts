import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Overview } from '../../src/ops/overview.ts';
import { problemSection, titleOf } from '../../src/ops/page/problem-section.ts';
import { followProblems } from '../../src/ops/problems/follow.ts';
import { severities } from '../../src/ops/problems/problem.ts';
import { problems } from '../../src/ops/problems/table.ts';
import { readAlertRules } from '../support/alert-rules.ts';
import { bannerStates, lastingProblems, webhooksWith } from '../support/page-states.ts';

const rules = await readAlertRules();
const healthy = bannerStates.draining().overview;
const nothingWrong = { isStarting: () => false, isDraining: () => false, wrongSetting: () => undefined };
const secondsAgo = (seconds: number): Date => new Date(healthy.at.getTime() - seconds * 1_000);
const namesOf = (overview: Overview): string[] => lastingProblems({ overview }).map(({ name }) => name);
/** `NoWorkers` of `no-workers`. */
const nameOf = (state: string) => state.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('the table', () => {
  it('has each name once, those that wake somebody first, and sentences', () => {
    const names = problems.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const order = problems.map(({ severity }) => severities.indexOf(severity));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const { what, follows, toDo } of problems) {
      expect(what).toMatch(/[^.]$/);
      for (const sentence of [follows, toDo]) expect(sentence).toMatch(/\.$/);
    }
  });

  it('says of each why it is not told in one of both places', () => {
    for (const { name, alert, page } of problems) expect('never' in alert && 'never' in page, name).toBe(false);
    expect(rules.map(({ alert }) => alert)).toEqual(
      problems.flatMap(({ name, alert }) => ('never' in alert ? [] : name)),
    );
  });

  it('has an entry of the runbook for each', async () => {
    const runbook = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    for (const { name, what } of problems) expect(runbook).toContain(`\n### ${name}\n\n> **${what}**`);
  });

  it('has a state of the page for each that the page tells, which shows it', () => {
    const told = problems.flatMap(({ name, page }) => ('never' in page ? [] : name));
    expect(Object.keys(bannerStates).map(nameOf).toSorted()).toEqual(told.toSorted());
    for (const [state, make] of Object.entries(bannerStates))
      expect(
        lastingProblems(make()).map(({ name }) => name),
        state,
      ).toContain(nameOf(state));
  });
});

describe('a problem', () => {
  it('says since when it is there, until it ends', () => {
    const follow = followProblems(nothingWrong);
    const { overview } = bannerStates['partition-paused']();
    expect(follow({ ...overview, at: secondsAgo(9) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(follow({ ...overview, at: secondsAgo(6) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(follow({ ...healthy, at: secondsAgo(3) })).toEqual([]);
    expect(follow({ ...overview, at: secondsAgo(0) })).toMatchObject([{ since: secondsAgo(0) }]);
  });

  it('that a look cannot judge stays as it was seen last, for 45 s, and begins anew only after that', () => {
    const follow = followProblems(nothingWrong);
    const { overview } = bannerStates['partitions-unowned']();
    const unread = { ...healthy, partitions: undefined };
    const namesAt = (seconds: number, seen: Overview) =>
      follow({ ...seen, at: secondsAgo(seconds) }).map(({ name }) => name);
    expect(namesAt(100, overview)).toEqual([]);
    expect(namesAt(86, unread)).toEqual([]);
    expect(namesAt(84, overview)).toEqual(['PartitionsUnowned']);
    expect(namesAt(82, unread)).toEqual(['PartitionsUnowned']);
    expect(follow({ ...overview, at: secondsAgo(80) })).toMatchObject([{ since: secondsAgo(100) }]);
    expect(namesAt(36, unread)).toContain('PartitionsUnowned');
    expect(namesAt(35, unread)).toEqual([]);
    expect(namesAt(34, overview)).toEqual([]);
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
    const { overview } = bannerStates['no-workers']();
    expect(follow({ ...overview, at: secondsAgo(9) })).toEqual([]);
    expect(follow({ ...overview, at: secondsAgo(4) })).toMatchObject([{ name: 'NoWorkers', since: secondsAgo(9) }]);
  });

  it('of a server that is found away while the overview is read is told at once', () => {
    const { overview } = bannerStates['server-down']();
    const [mongodb, ...others] = overview.servers;
    const servers = [{ ...mongodb!, isUp: false, since: new Date(overview.at.getTime() + 2_000) }, ...others];
    expect(followProblems(nothingWrong)({ ...overview, servers })).toMatchObject([
      { name: 'ServerDown', figure: 'MongoDB' },
    ]);
  });

  it('of a server that only another process does not reach names that process', () => {
    const [worker, ...rest] = healthy.processes!.toReversed();
    const processes = [{ ...worker!, down: { redis: secondsAgo(30) } }, ...rest];
    expect(followProblems(nothingWrong)({ ...healthy, processes })).toMatchObject([
      { name: 'ServerDown', figure: `Redis to ${worker?.id}`, since: secondsAgo(30) },
    ]);
  });

  it('of too few workers is told once it has lasted without a break', () => {
    const follow = followProblems(nothingWrong);
    const { overview } = bannerStates['workers-short']();
    const at = (seconds: number): Overview => ({
      ...overview,
      at: secondsAgo(seconds),
      backlog: { ...overview.backlog!, oldestPendingAt: secondsAgo(seconds + 4) },
    });
    expect(follow(at(60))).toEqual([]);
    expect(follow({ ...healthy, at: secondsAgo(45) })).toEqual([]);
    expect(follow(at(16))).toEqual([]);
    expect(follow(at(2))).toEqual([]);
    expect(follow(at(1))).toMatchObject([{ name: 'WorkersShort', since: secondsAgo(16) }]);
  });

  it('of what is late is told at once, for holds and for scheduled orders', () => {
    const late = { count: 1, oldestAt: secondsAgo(60) };
    expect(namesOf({ ...healthy, lateHolds: late })).toEqual(['ExpiryLate']);
    expect(namesOf({ ...healthy, lateScheduled: late })).toEqual(['ScheduleLate']);
  });

  it('of partitions names some of them', () => {
    const partitions = Array.from({ length: 64 }, (_, partition) => ({ ...healthy.partitions![0]!, partition }));
    const paused = partitions.map((each) => ({ ...each, isPaused: each.partition > 9 }));
    expect(lastingProblems({ overview: { ...healthy, partitions: paused } })).toMatchObject([
      { name: 'PartitionPaused', figure: 'no. 10, 11, 12, 13, 14, 15, 16, 17 and 46 more' },
    ]);
  });

  it('of a setting is told with what is wrong, of this process before others', () => {
    const { overview } = bannerStates['queues-differ']();
    const ofOther = lastingProblems({ overview });
    expect(ofOther[0]?.figure).toContain('transfers-worker-');
    const wrongSetting = { setting: undefined, runbook: 'QueuesDiffer', message: 'here too' };
    expect(lastingProblems({ overview }, wrongSetting)).toMatchObject([{ name: 'QueuesDiffer', figure: 'here too' }]);
    const ofAddress = { setting: 'REDIS_URL', runbook: 'ServerDown', message: 'REDIS_URL is wrong' } as const;
    expect(lastingProblems({ overview: healthy }, ofAddress)).toMatchObject([
      { name: 'ServerDown', figure: 'REDIS_URL is wrong' },
    ]);
  });

  it('of what is counted is none for a few failures of a quiet service, nor where nothing is counted', () => {
    const [first, ...rest] = healthy.processes!;
    const withLately = (lately: object) => namesOf({ ...healthy, processes: [{ ...first!, lately }, ...rest] });
    expect(withLately({ answered: 0.05, serverErrors: 0.05 })).toEqual([]);
    expect(withLately({ answered: 1_000, serverErrors: 5 })).toEqual([]);
    expect(withLately({})).toEqual([]);
  });

  it.each<[alert: string, of: (value: number) => Partial<Overview>, step: number]>([
    ['BacklogOld', (seconds) => ({ backlog: { ...healthy.backlog!, oldestPendingAt: secondsAgo(seconds) } }), 1],
    ['BacklogNearMax', (share) => ({ backlog: { ...healthy.backlog!, pending: share * healthy.backlogMax } }), 0.01],
    ['WebhooksBehind', (seconds) => ({ webhooks: { ...webhooksWith({})!, unattendedMs: seconds * 1_000 } }), 1],
  ])('is told beyond the threshold of the alert %s', (alert, of, step) => {
    const { expr = '' } = rules.find((rule) => rule.alert === alert) ?? {};
    const threshold = Number(/ > ([\d.]+)$/.exec(expr)?.[1]);
    expect(namesOf({ ...healthy, ...of(threshold - step) })).toEqual([]);
    expect(namesOf({ ...healthy, ...of(threshold + step) })).toEqual([alert]);
  });
});

describe('the head of the page', () => {
  it('says that all is well, or how many problems there are, in its title too', () => {
    expect(titleOf([])).toBe('Transfers: operations');
    expect(problemSection([]).markup).toContain('>All well</h2>');
    const present = lastingProblems(bannerStates['no-workers']());
    expect(present.map(({ name }) => name)).toEqual(['NoWorkers', 'PartitionsUnowned']);
    expect(titleOf(present)).toBe('(2) Transfers: operations');
    expect(problemSection(present).markup).toContain('>2 problems</h2>');
    expect(problemSection(present.slice(1)).markup).toContain('>1 problem</h2>');
  });
});
