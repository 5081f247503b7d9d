import { clockOffMaxMs } from '../clock.ts';
import { anchorOf } from '../markdown.ts';
import type { Health } from './health.ts';
import type { Overview } from './overview.ts';

/** What an operator has to know now. */
export interface Alarm {
  /** The entry about it in docs/operations.md. */
  readonly runbook: string;
  readonly what: string;
  /** The consequence for clients and their orders. */
  readonly follows: string;
  readonly toDo: string;
  /** Since when, where the overview knows. */
  readonly since?: Date;
  /** For how long its cause has to last before it is raised; absent: it is raised at once. */
  readonly afterMs?: number;
}

export type RaisedAlarm = Alarm & { readonly since: Date };

export type AlarmsOf = (overview: Overview) => RaisedAlarm[];

type ProcessState = Pick<Health, 'isDraining' | 'wrongSetting'>;

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

/**
 * Tells which alarms are raised, causes before their consequences, and since when: from the overview, or else from when this
 * function first saw their cause. So it has to be asked again and again, whether or not anybody looks.
 */
export function followAlarms(state: ProcessState): AlarmsOf {
  let firstSeen = new Map<string, Date>();
  return (overview) => {
    const { at } = overview;
    const alarms = [
      ...processAlarms(state),
      ...serverAlarms(overview),
      ...clockAlarms(overview),
      ...workerAlarms(overview),
      ...typeAlarms(overview),
      ...backlogAlarms(overview),
      ...lateAlarms(overview),
      ...webhookAlarms(overview),
    ].map((alarm) => ({ ...alarm, since: alarm.since ?? firstSeen.get(alarm.runbook) ?? at }));
    firstSeen = new Map(alarms.map(({ runbook, since }) => [runbook, since]));
    // A server may be found away while the overview is read, so after `at`.
    return alarms.filter(({ since, afterMs = 0 }) => afterMs === 0 || at.getTime() - since.getTime() >= afterMs);
  };
}

function* processAlarms({ isDraining, wrongSetting: readWrongSetting }: ProcessState): Generator<Alarm> {
  if (isDraining()) {
    yield {
      runbook: 'web-processes',
      what: 'This process is draining',
      follows: '/readyz says 503, so that load balancers turn away; requests that still come are answered.',
      toDo: 'Nothing: it ends by itself. Look at another web process.',
    };
  }
  const wrongSetting = readWrongSetting();
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
      what: `${shownName} does not answer`,
      follows,
      toDo: 'Look at that server; nothing is to be restarted here.',
      since,
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

function* workerAlarms({ activity, scaling, backlogMax, partitions = [] }: Overview): Generator<Alarm> {
  if (activity?.workersAlive === 0) {
    yield {
      runbook: 'noworkers',
      what: 'No worker is alive',
      follows: `Orders are accepted, and wait; once ${backlogMax.toLocaleString('en-US')} do, further ones are answered 503.`,
      toDo: 'Start workers. If they end at once, their last log line says why.',
    };
  } else if (activity !== undefined && scaling !== undefined && scaling.suggestedWorkers > activity.workersAlive) {
    yield {
      runbook: 'workersshort',
      what: `Too few workers: ${activity.workersAlive} alive, ${scaling.suggestedWorkers} suggested`,
      follows: 'Orders arrive faster than they are posted, or wait longer than SCALE_DRAIN_SECONDS.',
      toDo: 'Start more workers.',
      // The suggestion follows each burst at once.
      afterMs: 60_000,
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
      what: 'The oldest order still waits',
      follows: 'Clients see their orders PENDING for longer than they are used to.',
      toDo: 'See that workers are alive, each partition has an owner, and MongoDB is not slow; then add workers.',
      since: oldestPendingAt,
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

function* lateAlarms({ lateHolds, lateScheduled }: Overview): Generator<Alarm> {
  if (lateHolds?.oldestAt !== undefined) {
    yield {
      runbook: 'expirylate',
      what:
        lateHolds.count === 1 ? 'A hold has expired and is not released' : 'Holds have expired and are not released',
      follows: 'Their amounts stay reserved, so that their wallets have less available; nothing else waits for it.',
      toDo: 'See that workers are alive, and that no capture or release of these holds waits.',
      since: lateHolds.oldestAt,
    };
  }
  if (lateScheduled?.oldestAt !== undefined) {
    yield {
      runbook: 'schedulelate',
      what: lateScheduled.count === 1 ? 'A scheduled order is late' : 'Scheduled orders are late',
      follows: 'Their time has come, and they are not posted; nothing else waits for them.',
      toDo: 'See that workers are alive; their log says why an order cannot be started.',
      since: lateScheduled.oldestAt,
    };
  }
}

function* webhookAlarms({ at, webhooks }: Overview): Generator<Alarm> {
  if (webhooks === undefined) return;
  const { worst, disabled, isDisabledLowerBound, unattendedMs } = webhooks;
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const oldestMs = worst[0]?.oldestMs ?? 0;
  if (unattendedMs > webhooksOldMs) {
    yield {
      runbook: 'webhooksbehind',
      what: 'No worker has come to a webhook',
      follows: 'Events wait there and are not lost; orders are posted all the same.',
      toDo: 'See that workers are alive and have the MASTER_KEYS of the web processes; then add workers.',
      since: ago(unattendedMs),
    };
  } else if (oldestMs > webhooksOldMs) {
    yield {
      runbook: 'a-receiver-fails',
      what: 'An event has waited for its receiver',
      follows: 'It is tried again for three days; the other webhooks are not delayed.',
      toDo: 'Tell the owner of the workspace below.',
      since: ago(oldestMs),
    };
  }
  if (disabled.length > 0) {
    const count = `${disabled.length}${isDisabledLowerBound ? ' or more' : ''}`;
    yield {
      runbook: 'webhookendpointdisabled',
      what: disabled.length === 1 ? 'A webhook is disabled' : `${count} webhooks are disabled`,
      follows: 'Their receivers failed for a day, or said that they are gone; nothing is sent to them any more.',
      toDo: 'Tell the owners of the workspaces below; once a receiver is right again, enable its webhook and replay.',
      since: new Date(Math.min(...disabled.map(({ disabledAt }) => disabledAt.getTime()))),
    };
  }
}
