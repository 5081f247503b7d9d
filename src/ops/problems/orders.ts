import { countTo, duration, percent } from '../page/words.ts';
import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import { slowAfterSeconds } from '../metrics.ts';
import { counted } from './counted.ts';
import { bridged, ofKnown, type PageRule, type Problem } from './problem.ts';

const oldSeconds = 15;
const nearMaxShare = 0.8;

export const postingFails: Problem = {
  name: 'PostingFails',
  severity: 'page',
  what: 'Whole groups of orders are not posted',
  follows: 'They are tried again, and are late; none is lost.',
  toDo: "The workers' log says why (`group not posted`); mostly it is MongoDB that has to be mended.",
  ...counted({
    events: 'groupFailures',
    of: ['groupFailures', 'groups'],
    ...{ over: 0.1, floor: 0.05, isPercent: true },
    figure: (value) => `${value} of them`,
    for: '30s',
  }),
};

export const backlogOld: Problem = {
  name: 'BacklogOld',
  severity: 'page',
  what: 'The oldest order waits for too long',
  follows: 'Clients see their orders PENDING for longer than they are used to.',
  toDo: 'See that workers are alive, each partition has an owner, and MongoDB is not slow; then add workers.',
  alert: {
    expr: `${bridged('transfers_oldest_pending_age_seconds')} > ${oldSeconds}`,
    for: '1m',
    figure: '{{ $value | humanizeDuration }}',
  },
  page: {
    seen: ofKnown('backlog', ({ oldestPendingAt: since }, { at }) => {
      const ageMs = since === undefined ? 0 : at.getTime() - since.getTime();
      if (since === undefined || ageMs <= oldSeconds * 1_000) return undefined;
      return { figure: duration(ageMs), since };
    }),
  },
};

export const backlogNearMax: Problem = {
  name: 'BacklogNearMax',
  severity: 'page',
  what: 'Nearly BACKLOG_MAX orders wait',
  follows: 'Beyond it creates are answered 503.',
  toDo: 'See that workers are alive and each partition has an owner; then add workers.',
  alert: {
    expr: `max(transfers_pending_orders) / max(transfers_backlog_max) > ${nearMaxShare}`,
    for: '15s',
    figure: '{{ $value | humanizePercentage }} of it',
  },
  page: {
    seen: ofKnown('backlog', (backlog, { backlogMax }) => {
      const share = backlog.pending / backlogMax;
      if (share <= nearMaxShare) return undefined;
      return { figure: backlog.isFull ? 'it is reached' : `${percent(share)} of it` };
    }),
  },
};

export const ordersStuck: Problem = {
  name: 'OrdersStuck',
  severity: 'ticket',
  what: 'Orders are set aside',
  follows: 'They stay PENDING, and nobody tries them again; all others are posted.',
  toDo: 'Remove the cause that the page and `admin transfer stuck` name, then release them.',
  alert: { expr: 'max(transfers_stuck_orders) > 0', figure: '{{ $value }}' },
  page: {
    seen: ofKnown('backlog', ({ stuck }) =>
      stuck === 0 ? undefined : { figure: countTo(stuck, stuck >= stuckCountedMax) },
    ),
  },
};

export const expiryLate: Problem = {
  name: 'ExpiryLate',
  severity: 'ticket',
  what: 'Holds have expired and are not released',
  follows: 'Their amounts stay reserved, so that their wallets have less available; nothing else waits for it.',
  toDo: 'See that workers are alive, and that no capture or release of these holds waits.',
  alert: { expr: 'max(transfers_late_holds) > 0', for: '30s', figure: '{{ $value }}' },
  page: ofLate('lateHolds'),
};

export const scheduleLate: Problem = {
  name: 'ScheduleLate',
  severity: 'ticket',
  what: 'The time of scheduled orders has come, and they are not started',
  follows: 'They are not lost; nothing else waits for them.',
  toDo: 'See that workers are alive; their log says why an order cannot be started.',
  alert: { expr: 'max(transfers_late_scheduled_orders) > 0', for: '30s', figure: '{{ $value }}' },
  page: ofLate('lateScheduled'),
};

export const latencyHigh: Problem = {
  name: 'LatencyHigh',
  severity: 'ticket',
  what: `Orders take more than ${slowAfterSeconds} s from acceptance to their end`,
  follows: 'Clients see their orders PENDING for longer than they are used to.',
  toDo: 'See that MongoDB is not slow, and each partition has an owner; then add workers.',
  ...counted({
    events: 'slow',
    of: ['posted'],
    ...{ over: 0.01, floor: 0.05, isPercent: true },
    figure: (value) => `${value} of them`,
  }),
};

export const contention: Problem = {
  name: 'Contention',
  severity: 'ticket',
  what: 'Posting transactions meet conflicts and run again',
  follows: 'Posting is slow: there should be hardly any, because a partition has one owner.',
  toDo: 'Look for a second owner or writer: workers that take over from each other, or somebody else who writes wallets.',
  ...counted({
    events: 'conflicts',
    of: ['groups'],
    ...{ over: 3, floor: 0.1 },
    figure: (value) => `${value} times for each group`,
  }),
};

function ofLate(what: 'lateHolds' | 'lateScheduled'): PageRule {
  return {
    seen: ofKnown(what, ({ count, oldestAt }) => oldestAt && { figure: String(count), since: oldestAt }),
  };
}
