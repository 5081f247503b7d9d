import { describe, expect, it } from 'vitest';
import { followAlarms } from '../../src/ops/alarms.ts';
import type { Overview } from '../../src/ops/overview.ts';
import { readAlertRules } from '../support/alert-rules.ts';
import { bannerStates, lastingAlarms, webhooksWith } from '../support/page-states.ts';

const rules = await readAlertRules();
const healthy = bannerStates.draining().overview;
const nothingWrong = { isDraining: () => false, wrongSetting: () => undefined };
const secondsAgo = (seconds: number): Date => new Date(healthy.at.getTime() - seconds * 1_000);
const runbooksOf = (overview: Overview): string[] => lastingAlarms({ overview }).map(({ runbook }) => runbook);

describe('an alarm', () => {
  it('says since when it holds, until it ends', () => {
    const alarms = followAlarms(nothingWrong);
    const { overview } = bannerStates['no-workers']();
    expect(alarms({ ...overview, at: secondsAgo(9) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(alarms({ ...overview, at: secondsAgo(6) })).toMatchObject([{ since: secondsAgo(9) }]);
    expect(alarms({ ...healthy, at: secondsAgo(3) })).toEqual([]);
    expect(alarms({ ...overview, at: secondsAgo(0) })).toMatchObject([{ since: secondsAgo(0) }]);
  });

  it('of a server that is found away while the overview is read is raised at once', () => {
    const { overview } = bannerStates['server-down']();
    const [mongodb, ...others] = overview.servers;
    const servers = [{ ...mongodb!, isUp: false, since: new Date(overview.at.getTime() + 2_000) }, ...others];
    expect(followAlarms(nothingWrong)({ ...overview, servers })).toMatchObject([{ runbook: 'serverdown' }]);
  });

  it('of too few workers is raised once that has lasted a minute without a break', () => {
    const alarms = followAlarms(nothingWrong);
    const { overview } = bannerStates['workers-short']();
    expect(alarms({ ...overview, at: secondsAgo(120) })).toEqual([]);
    expect(alarms({ ...healthy, at: secondsAgo(90) })).toEqual([]);
    expect(alarms({ ...overview, at: secondsAgo(61) })).toEqual([]);
    expect(alarms({ ...overview, at: secondsAgo(2) })).toEqual([]);
    expect(alarms({ ...overview, at: secondsAgo(1) })).toMatchObject([{ since: secondsAgo(61) }]);
  });

  it('of what is late is raised at once, for holds and for scheduled orders', () => {
    const late = { count: 1, oldestAt: secondsAgo(60) };
    expect(runbooksOf({ ...healthy, lateHolds: late })).toEqual(['expirylate']);
    expect(runbooksOf({ ...healthy, lateScheduled: late })).toEqual(['schedulelate']);
  });

  it.each<[alert: string, of: (value: number) => Partial<Overview>, step: number]>([
    ['BacklogOld', (seconds) => ({ backlog: { ...healthy.backlog!, oldestPendingAt: secondsAgo(seconds) } }), 1],
    ['BacklogNearMax', (share) => ({ backlog: { ...healthy.backlog!, pending: share * healthy.backlogMax } }), 0.01],
    ['WebhooksBehind', (seconds) => ({ webhooks: { ...webhooksWith({})!, unattendedMs: seconds * 1_000 } }), 1],
  ])('is raised beyond the threshold of the alert %s', (alert, of, step) => {
    const { expr = '' } = rules.find((rule) => rule.alert === alert) ?? {};
    const threshold = Number(/ > ([\d.]+)$/.exec(expr)?.[1]);
    expect(runbooksOf({ ...healthy, ...of(threshold - step) })).toEqual([]);
    expect(runbooksOf({ ...healthy, ...of(threshold + step) })).toEqual([alert.toLowerCase()]);
  });
});
