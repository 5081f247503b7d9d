import { clockOffMaxMs } from '../clock-warning.ts';
import type { WrongSetting } from '../wrong-setting.ts';
import { anchorOf } from './docs.ts';
import type { HistoryPoint } from './history.ts';
import type { Overview } from './overview.ts';

/** What an operator has to know now. */
export interface Alarm {
  /** The entry about it in docs/operations.md. */
  readonly runbook: string;
  readonly what: string;
  /** The consequence for clients and their orders. */
  readonly follows: string;
  readonly toDo: string;
}

/** What this process says about itself. */
export interface ProcessState {
  readonly isDraining: boolean;
  readonly wrongSetting: WrongSetting | undefined;
}

const serverWords: Readonly<Record<string, readonly [name: string, follows: string]>> = {
  mongodb: ['MongoDB', 'The API answers 503; nothing is lost, and posting goes on once it is back.'],
  redis: [
    'Redis',
    'The API answers 503, because nonces cannot be checked. Orders accepted before are posted once it is back.',
  ],
};

/** As in the alert BacklogOld. */
const oldMs = 15_000;
/** Share of BACKLOG_MAX, as in the alert BacklogNearMax. */
const nearMaxShare = 0.8;
/** As in the alert WebhooksBehind. A receiver that fails is tried again after at most 12 minutes. */
const webhooksOldMs = 900_000;
/** The suggestion follows each burst at once, so it raises an alarm only after it has lasted this long. */
const shortForMs = 60_000;

/**
 * All alarms that apply now, causes before their consequences.
 * @param history oldest first, for alarms whose cause has to have lasted.
 */
export function alarmsOf(overview: Overview, history: readonly HistoryPoint[], state: ProcessState): Alarm[] {
  return [
    ...processAlarms(state),
    ...serverAlarms(overview),
    ...clockAlarms(overview),
    ...workerAlarms(overview, history),
    ...typeAlarms(overview),
    ...backlogAlarms(overview),
    ...webhookAlarms(overview),
  ];
}

function* processAlarms({ isDraining, wrongSetting }: ProcessState): Generator<Alarm> {
  if (isDraining) {
    yield {
      runbook: 'web-processes',
      what: 'This process is draining',
      follows: '/readyz says 503, so that load balancers turn away; requests that still come are answered.',
      toDo: 'Nothing: it ends by itself. Look at another web process.',
    };
  }
  if (wrongSetting !== undefined) {
    yield {
      runbook: anchorOf(wrongSetting.runbook),
      what: `A setting is wrong: ${wrongSetting.message}`,
      follows: 'This process opens no API until it is right, or answers 503 if it has opened it.',
      toDo: 'Set the right one and restart this process.',
    };
  }
}

function* serverAlarms({ servers }: Overview): Generator<Alarm> {
  for (const { name, isUp, since } of servers) {
    if (isUp) continue;
    const [shownName, follows] = serverWords[name] ?? [name, ''];
    yield {
      runbook: 'serverdown',
      what: `${shownName} does not answer, since ${since.toISOString().slice(11, 19)} UTC`,
      follows,
      toDo: 'Look at that server; nothing is to be restarted here.',
    };
  }
}

function* clockAlarms({ processes = [] }: Overview): Generator<Alarm> {
  const off = processes.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > clockOffMaxMs);
  const [first] = off;
  if (first === undefined) return;
  const more = off.length > 1 ? ` and ${off.length - 1} more` : '';
  yield {
    runbook: 'clockoff',
    what: `The clock of ${first.id}${more} differs from MongoDB's by more than a minute`,
    follows:
      "Times are MongoDB's, to which each process corrects its clock; an administrator can change nothing there.",
    toDo: 'Set the clock of that machine, or of MongoDB, by NTP.',
  };
}

function* typeAlarms({ processes = [] }: Overview): Generator<Alarm> {
  const types = new Set(processes.flatMap(({ unknownTypes }) => unknownTypes));
  if (types.size === 0) return;
  yield {
    runbook: 'ordertypeunknown',
    what: `A worker does not know the orders of the type ${[...types].join(', ')}`,
    follows: 'They wait, PENDING, for a worker of the release that made them; all others are posted.',
    toDo: 'Bring every worker to the release of the web processes.',
  };
}

function* workerAlarms(
  { at, activity, scaling, backlogMax, partitions = [] }: Overview,
  history: readonly HistoryPoint[],
): Generator<Alarm> {
  if (activity?.workersAlive === 0) {
    yield {
      runbook: 'noworkers',
      what: 'No worker is alive',
      follows: `Orders are accepted, and wait; once ${backlogMax.toLocaleString('en-US')} do, further ones are answered 503.`,
      toDo: 'Start workers. If they end at once, their last log line says why.',
    };
  } else if (activity !== undefined && scaling !== undefined && areFewForLong(at, history)) {
    yield {
      runbook: 'workersshort',
      what: `Too few workers: ${activity.workersAlive} alive, ${scaling.suggestedWorkers} suggested`,
      follows: 'Orders arrive faster than they are posted, or wait longer than SCALE_DRAIN_SECONDS.',
      toDo: 'Start more workers.',
    };
  }
  const paused = partitions.filter(({ isPaused }) => isPaused).map(({ partition }) => partition);
  if (paused.length > 0) {
    yield {
      runbook: 'partitionpaused',
      what: paused.length === 1 ? `Partition ${paused.join()} is paused` : `Partitions ${paused.join(', ')} are paused`,
      follows: 'Orders there are accepted and wait; those of other partitions are posted.',
      toDo: 'Resume once the reason is gone: the audit says who paused, and why.',
    };
  }
}

/** Whether too few workers were alive all the time, for {@link shortForMs}. */
function areFewForLong(at: Date, history: readonly HistoryPoint[]): boolean {
  const from = at.getTime() - shortForMs;
  const first = history.findLastIndex((point) => point.at.getTime() <= from);
  return (
    first !== -1 &&
    history
      .slice(first)
      .every(
        ({ workersAlive, workersSuggested }) =>
          workersAlive !== undefined && workersSuggested !== undefined && workersSuggested > workersAlive,
      )
  );
}

function* backlogAlarms({ at, backlog, backlogMax }: Overview): Generator<Alarm> {
  if (backlog === undefined) return;
  const { pending, oldestPendingAt, stuck } = backlog;
  if (pending > nearMaxShare * backlogMax) {
    const share = Math.floor((pending / backlogMax) * 100);
    yield {
      runbook: 'backlognearmax',
      what: backlog.isFull ? 'BACKLOG_MAX is reached' : `The backlog is at ${share} % of BACKLOG_MAX`,
      follows: backlog.isFull ? 'Creates are answered 503.' : 'Beyond BACKLOG_MAX creates are answered 503.',
      toDo: 'See that workers are alive and each partition has an owner; then add workers.',
    };
  }
  if (oldestPendingAt !== undefined && at.getTime() - oldestPendingAt.getTime() > oldMs) {
    yield {
      runbook: 'backlogold',
      what: `An order has waited since ${oldestPendingAt.toISOString().slice(11, 19)} UTC`,
      follows: 'Clients see their orders PENDING for longer than they are used to.',
      toDo: 'See that workers are alive, each partition has an owner, and MongoDB is not slow; then add workers.',
    };
  }
  if (stuck > 0) {
    yield {
      runbook: 'ordersstuck',
      what: stuck === 1 ? 'An order is set aside' : 'Orders are set aside',
      follows: 'They stay PENDING, and nobody tries them again; all others are posted.',
      toDo: 'Remove the cause that the list below names, then release them.',
    };
  }
}

function* webhookAlarms({ at, webhooks }: Overview): Generator<Alarm> {
  if (webhooks === undefined) return;
  const { worst, disabled, isDisabledLowerBound, unattendedMs } = webhooks;
  const since = (ms: number): string => new Date(at.getTime() - ms).toISOString().slice(0, 19).replace('T', ' ');
  const oldestMs = worst[0]?.oldestMs ?? 0;
  if (unattendedMs > webhooksOldMs) {
    yield {
      runbook: 'webhooksbehind',
      what: `No worker has come to a webhook since ${since(unattendedMs)} UTC`,
      follows: 'Events wait there and are not lost; orders are posted all the same.',
      toDo: 'See that workers are alive and have the MASTER_KEYS of the web processes; then add workers.',
    };
  } else if (oldestMs > webhooksOldMs) {
    yield {
      runbook: 'a-receiver-fails',
      what: `An event has waited for its receiver since ${since(oldestMs)} UTC`,
      follows: 'It is tried again for three days; the other webhooks are not delayed.',
      toDo: 'Tell the owner of the workspace below.',
    };
  }
  if (disabled.length > 0) {
    const count = `${disabled.length}${isDisabledLowerBound ? ' or more' : ''}`;
    yield {
      runbook: 'webhookendpointdisabled',
      what: disabled.length === 1 ? 'A webhook was disabled' : `${count} webhooks were disabled`,
      follows: 'Their receivers failed for a day, or said that they are gone; nothing is sent to them any more.',
      toDo: 'Tell the owners of the workspaces below; once a receiver is right again, enable its webhook and replay.',
    };
  }
}
