import { count } from '../page/words.ts';
import type { PartitionState } from '../partitions.ts';
import { bridged, ofKnown, type PageRule, type Problem } from './problem.ts';

/** A rebalance takes a few seconds, in which a partition has no owner. */
const unownedAfterMs = 15_000;
/** Within half an hour: a machine may fail with two workers, but what crashes every five minutes, or oftener, comes to more. */
const lostMax = 2;
/** After an outage of MongoDB live processes look silent, or lost, until they are heard of again. */
const silentAfterMs = 5_000;
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
  toDo: 'Start workers, or resume those that are paused. If they end at once, their last log line says why.',
  alert: { expr: 'max(transfers_workers_alive) == 0', for: '15s' },
  page: {
    seen: ofKnown('activity', ({ workersAlive }) => (workersAlive === 0 ? {} : undefined)),
    afterMs: silentAfterMs,
  },
};

export const partitionsUnowned: Problem = {
  name: 'PartitionsUnowned',
  severity: 'page',
  what: 'A partition has no owner',
  follows: 'Its orders are accepted and wait.',
  toDo: 'See whether no worker is alive, or all are paused. If neither is so, their log says why none takes it.',
  alert: { expr: `${bridged('transfers_partitions_unowned')} > 0`, for: '1m', figure: '{{ $value }} in all' },
  page: { ...ofPartitions(({ owners }) => owners.length === 0), afterMs: unownedAfterMs },
};

export const processesLost: Problem = {
  name: 'ProcessesLost',
  severity: 'page',
  what: 'Processes fall silent without having stopped',
  follows:
    'They crash, are killed, or their machines fail. The orders of a worker wait for some seconds each time, until others take over; none is lost.',
  toDo: 'Read the last lines of their logs. Then ask their supervisor whether memory was short, or whether it ended them itself.',
  alert: {
    expr: `max by (process) (transfers_processes_lost) > ${lostMax}`,
    for: '15s',
    figure: '{{ $labels.process }}, {{ $value }} in half an hour',
  },
  page: {
    seen: ofKnown('runs', ({ lately }) => {
      const worst = lately.find(({ lost }) => lost.length > lostMax);
      const [last] = worst?.lost ?? [];
      const first = worst?.lost.at(-1);
      if (worst === undefined || last === undefined || first === undefined) return undefined;
      const heard = last.lostAt.toISOString().slice(11, 19);
      return {
        figure: `${worst.kind}, ${count(worst.lost.length)} in half an hour, the last one ${last.id}, last heard of at ${heard} UTC`,
        since: first.lostAt,
      };
    }),
    afterMs: silentAfterMs,
  },
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
  follows: 'Orders arrive faster than they are posted, or wait longer than 10 s.',
  toDo: 'Start more workers.',
  alert: {
    expr: [
      `${bridged('transfers_workers_suggested')} > ${bridged('transfers_workers_alive')}`,
      `${bridged('transfers_oldest_pending_age_seconds')} > ${waitsSeconds}`,
    ].join(' and '),
    for: '5m',
    figure: '{{ $value }} are suggested',
  },
  page: {
    seen({ at, activity, scaling, backlog }) {
      if (activity === undefined || scaling === undefined || backlog === undefined) return 'unknown';
      if (backlog.oldestPendingAt === undefined) return undefined;
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
    seen: ofKnown('processes', (processes) => {
      const types = new Set(processes.flatMap(({ unknownTypes }) => unknownTypes));
      return types.size === 0 ? undefined : { figure: [...types].join(', ') };
    }),
  },
};

function ofPartitions(isOne: (partition: PartitionState) => boolean): PageRule {
  return {
    seen: ofKnown('partitions', (partitions) => {
      const found = partitions.filter(isOne).map(({ partition }) => partition);
      if (found.length === 0) return undefined;
      const more = found.length > namedMax ? ` and ${found.length - namedMax} more` : '';
      return { figure: `no. ${found.slice(0, namedMax).join(', ')}${more}` };
    }),
  };
}
