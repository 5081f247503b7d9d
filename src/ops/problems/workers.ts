import type { PartitionState } from '../partitions.ts';
import { count } from '../page/words.ts';
import type { PageRule, Problem } from './problem.ts';

/** A rebalance takes a few seconds, in which a partition has no owner. */
const unownedAfterMs = 15_000;
/** There may be 256 partitions. */
const namedMax = 8;
/** The suggestion follows each burst at once. */
const shortAfterMs = 15_000;
/** What is suggested falls a minute after the load: if nothing waits any more, there are workers enough. */
const waitsSeconds = 1;

export const noWorkers: Problem = {
  name: 'NoWorkers',
  severity: 'page',
  what: 'No worker is alive',
  follows: 'Orders are accepted and wait. Once BACKLOG_MAX of them do, further ones are answered 503.',
  toDo: 'Start workers. If they end at once, their last log line says why.',
  alert: { expr: 'max(transfers_workers_alive) == 0', for: '15s' },
  page: { seen: ({ activity }) => (activity?.workersAlive === 0 ? {} : undefined) },
};

export const partitionsUnowned: Problem = {
  name: 'PartitionsUnowned',
  severity: 'page',
  what: 'A partition has no owner',
  follows: 'Its orders are accepted and wait.',
  toDo: 'See that workers are alive. If they are, their log says why none takes it.',
  alert: { expr: 'max(transfers_partitions_unowned) > 0', for: '30s', figure: '{{ $value }} in all' },
  page: { ...ofPartitions(({ owners }) => owners.length === 0), afterMs: unownedAfterMs },
};

export const partitionPaused: Problem = {
  name: 'PartitionPaused',
  severity: 'page',
  what: 'A partition is paused',
  follows: 'Its orders are accepted and wait; those of the other partitions are posted.',
  toDo: 'Resume it once the reason is gone: the audit says who paused it, and why.',
  alert: { expr: 'max(transfers_partitions_paused) > 0', for: '15s', figure: '{{ $value }} in all' },
  page: ofPartitions(({ isPaused }) => isPaused),
};

export const workersShort: Problem = {
  name: 'WorkersShort',
  severity: 'ticket',
  what: 'There are fewer workers than the load asks for',
  follows: 'Orders arrive faster than they are posted, or wait longer than SCALE_DRAIN_SECONDS.',
  toDo: 'Start more workers. If SCALE_WORKERS_MAX are suggested, raise that limit.',
  alert: {
    expr: `max(transfers_workers_suggested) > max(transfers_workers_alive) and max(transfers_oldest_pending_age_seconds) > ${waitsSeconds}`,
    for: '5m',
    figure: '{{ $value }} are suggested',
  },
  page: {
    seen({ at, activity, scaling, backlog }) {
      if (activity === undefined || scaling === undefined || backlog?.oldestPendingAt === undefined) return undefined;
      const waitsMs = at.getTime() - backlog.oldestPendingAt.getTime();
      if (scaling.suggestedWorkers <= activity.workersAlive || waitsMs <= waitsSeconds * 1_000) return undefined;
      return { figure: `${count(activity.workersAlive)} alive, ${count(scaling.suggestedWorkers)} are suggested` };
    },
    afterMs: shortAfterMs,
  },
};

export const orderTypeUnknown: Problem = {
  name: 'OrderTypeUnknown',
  severity: 'ticket',
  what: 'A worker does not know the type of an order',
  follows: 'Such orders wait, PENDING, for a worker of the release that made them; all others are posted.',
  toDo: 'Bring every worker to the release of the web processes.',
  alert: { expr: 'sum(rate(transfers_orders_unknown_type_total[45s])) > 0' },
  page: {
    seen({ processes = [] }) {
      const types = new Set(processes.flatMap(({ unknownTypes }) => unknownTypes));
      return types.size === 0 ? undefined : { figure: [...types].join(', ') };
    },
  },
};

function ofPartitions(isOne: (partition: PartitionState) => boolean): PageRule {
  return {
    seen({ partitions = [] }) {
      const found = partitions.filter(isOne).map(({ partition }) => partition);
      if (found.length === 0) return undefined;
      const more = found.length > namedMax ? ` and ${found.length - namedMax} more` : '';
      return { figure: `no. ${found.slice(0, namedMax).join(', ')}${more}` };
    },
  };
}
