import { forgedSteps } from '../../auth/pipeline.ts';
import { clockToleranceMs } from '../../clock.ts';
import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import { nameOf } from '../health.ts';
import { secondsBetween, slowAnswerSeconds } from '../metrics.ts';
import { count, countTo, duration } from '../page/words.ts';
import { slowCommitSeconds } from '../scaling.ts';
import { bridged, counted, earliest, gauge, ofKnown, type Problem } from './problem.ts';

const clockToleranceSeconds = clockToleranceMs / 1_000;
const certificateDays = 14;
const dayMs = 86_400_000;
/** Within half an hour: a machine may fail with two workers, but what crashes every five minutes, or oftener, comes to more. */
const lostMax = 2;
/** A look may fail, or find what has just started; after an outage of MongoDB live processes look silent, or lost, for a moment. */
const settledAfterMs = 5_000;
const oldSeconds = 15;
/** Somebody comes to each webhook once a minute, and within 12 minutes where its receiver fails. */
const unattendedSeconds = 900;
/** A day, and time for the copy itself. */
const backupHours = 26;

/** Every problem that is known, those that wake somebody first, and causes before what follows from them. */
export const problems: readonly Problem[] = [
  {
    name: 'ServerDown',
    severity: 'page',
    what: 'A server is away',
    follows: 'What needs it is answered 503. Nothing is lost: orders accepted before are posted once it is back.',
    toDo: 'Look at that server. Every process recovers by itself, so restart nothing here.',
    explains: [
      ...['MongoSlow', 'ServiceUnread', 'NoWorkers', 'PostingFails', 'ApiErrors', 'ApiSlow'],
      ...['BacklogOld', 'WebhooksBehind', 'DueLate'],
    ],
    // Only if no process reaches it. One that does not reach what others do is not ready, and named in the list of processes.
    alert: { expr: 'max by (server) (transfers_server_up) == 0', for: '15s', figure: '{{ $labels.server }}' },
    page: {
      seen({ servers, processes = [] }, { wrongSetting }) {
        const down = servers.filter(
          ({ name, isUp }) => !isUp && processes.every(({ down: theirs = {} }) => name in theirs),
        );
        const wrongAddress = wrongSetting();
        if (down.length === 0 && wrongAddress === undefined) return undefined;
        const since = earliest(down.map((server) => server.since));
        return {
          figure: [
            ...down.map(({ name, reason }) => nameOf(name) + (reason === undefined ? '' : ` (${reason})`)),
            wrongAddress,
          ]
            .filter((each) => each !== undefined)
            .join(' and '),
          ...(since && { since }),
        };
      },
    },
  },
  {
    name: 'MongoSlow',
    severity: 'page',
    what: 'MongoDB is slow',
    follows: 'Orders are recorded and posted late, and answers take longer; nothing is lost.',
    toDo: 'See what MongoDB waits for: its disk, its memory, or secondaries that lag. More workers do not help.',
    explains: [
      ...['ServiceUnread', 'PostingFails', 'ApiErrors', 'ApiSlow', 'BacklogOld'],
      ...['WebhooksBehind', 'DueLate'],
    ],
    ...counted({
      events: 'commitSeconds',
      of: 'commits',
      ...{ over: slowCommitSeconds, floor: 0.1, unit: 'seconds' },
      figure: (value) => `a commit takes ${value}`,
    }),
  },
  {
    name: 'ApiGone',
    severity: 'page',
    what: 'No web process serves the API',
    follows:
      'Clients cannot connect, and the alerts about the whole service are blind. Workers go on posting accepted orders.',
    toDo: 'If a web process runs, its `/readyz` and its last log line say what it waits for. If one serves, see why Prometheus does not reach its operations port.',
    // What a process that is gone would say, nobody says: its silence has to be noticed.
    alert: { expr: 'absent(transfers_starting{process="web"} == 0)', for: '1m' },
    page: { never: "the page is a web process's own" },
  },
  {
    name: 'ServiceUnread',
    severity: 'page',
    what: 'The service could not be read, though its servers answer',
    follows:
      'What is wrong with it is not seen: neither by the page, nor by the alerts about the whole service. Orders may be accepted and posted all the same.',
    toDo: 'See whether MongoDB or Redis is slow, or refuses what it is asked for. Until it can be read, the logs say what goes wrong.',
    alert: {
      expr: [
        '(absent(transfers_pending_orders) or absent(transfers_workers_alive) or absent(transfers_posting_paused))',
        'min(transfers_starting{process="web"}) == 0',
        'min(transfers_server_up) == 1',
      ].join(' and '),
      for: '30s',
    },
    page: {
      seen({ servers, backlog, processes, posting }, { isStarting }) {
        const isRead = [backlog, processes, posting].every((part) => part !== undefined);
        return isStarting() || isRead || servers.some(({ isUp }) => !isUp) ? undefined : {};
      },
      afterMs: settledAfterMs,
    },
  },
  {
    name: 'NoWorkers',
    severity: 'page',
    what: 'No worker is alive',
    follows: 'Orders are accepted and wait. Once BACKLOG_MAX of them do, further ones are answered 503.',
    toDo: 'Start workers. If they end at once, their last log line says why.',
    explains: ['BacklogOld', 'WebhooksBehind', 'DueLate'],
    ...gauge({ gauge: 'transfers_workers_alive', at: 0, for: '15s', afterMs: settledAfterMs }),
  },
  {
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
      seen: ofKnown('lost', (byKind) => {
        const worst = byKind.find(({ lost }) => lost.length > lostMax);
        const [last] = worst?.lost ?? [];
        const first = worst?.lost.at(-1);
        if (worst === undefined || last === undefined || first === undefined) return undefined;
        const heard = last.seenAt.toISOString().slice(11, 19);
        return {
          figure: `${worst.kind}, ${count(worst.lost.length)} in half an hour, the last one ${last.id}, last heard of at ${heard} UTC`,
          since: first.seenAt,
        };
      }),
      afterMs: settledAfterMs,
    },
  },
  {
    name: 'PostingPaused',
    severity: 'page',
    what: 'Posting is paused',
    follows: 'Orders are accepted and wait.',
    toDo: 'Resume it once the reason is gone: the audit says who paused it, and why.',
    explains: ['BacklogOld', 'DueLate'],
    ...gauge({ gauge: 'transfers_posting_paused', over: 0, for: '15s' }),
  },
  {
    name: 'PostingFails',
    severity: 'page',
    what: 'Whole groups of orders are not posted',
    follows: 'They are tried again, and are late; none is lost.',
    toDo: "The workers' log says why (`group not posted`); mostly it is MongoDB that has to be mended.",
    explains: ['BacklogOld', 'DueLate'],
    ...counted({
      events: 'groupFailures',
      of: 'groups',
      ...{ over: 0.1, floor: 0.05, unit: 'share' },
      figure: (value) => `${value} of them`,
    }),
  },
  {
    name: 'ApiErrors',
    severity: 'page',
    what: 'The API answers with errors of the service',
    follows: 'Clients are told to try again (503), or that the service failed (500).',
    toDo: "Of a 503 the web processes' log says `why`. For a 500, search it for the answer's X-Request-Id.",
    ...counted({
      events: 'serverErrors',
      of: 'answered',
      ...{ over: 0.01, floor: 0.1, unit: 'share' },
      figure: (value) => `${value} of the answers`,
    }),
  },
  {
    name: 'ApiSlow',
    severity: 'page',
    what: 'The API answers slowly',
    follows: 'Clients wait, and may give up and send again; a create that was recorded is found by its bizId.',
    toDo: 'See whether the web processes are short of CPU, and which routes are slow (`transfers_http_request_duration_seconds`).',
    ...counted({
      events: 'slowAnswers',
      of: 'answered',
      ...{ over: 0.05, floor: 0.1, unit: 'share' },
      figure: (value) => `${value} of the answers take more than ${slowAnswerSeconds} s`,
    }),
  },
  {
    name: 'BacklogOld',
    severity: 'page',
    what: 'The oldest order waits for too long',
    follows: 'Clients see their orders PENDING for longer than they are used to.',
    toDo: 'See whether one workspace floods, which is posted as fast as one worker can. If none does, and MongoDB is not slow, add workers.',
    ...gauge({
      ...{ gauge: 'transfers_oldest_pending_age_seconds', over: oldSeconds, isBridged: true, for: '1m' },
      figure: '{{ $value | humanizeDuration }}',
      seen({ backlog, at }) {
        const since = backlog?.oldestPendingAt;
        return { figure: duration(secondsBetween(since, at) * 1_000), ...(since && { since }) };
      },
    }),
  },
  {
    name: 'WebhooksBehind',
    severity: 'page',
    what: 'Nobody has come to a webhook',
    follows: 'Events wait there and are not lost; orders are posted all the same.',
    toDo: 'See that a process sends them (`webhooks` in the table of processes), and what its log says (`webhooks were not delivered`); then add one.',
    ...gauge({
      ...{ gauge: 'transfers_webhook_unattended_seconds', over: unattendedSeconds, for: '15s' },
      figure: 'for {{ $value | humanizeDuration }}',
      seen: ({ webhooks, at }) =>
        webhooks === undefined ? {} : { since: new Date(at.getTime() - webhooks.unattendedMs) },
    }),
  },
  {
    name: 'OrdersStuck',
    severity: 'ticket',
    what: 'Orders wait for you',
    follows:
      'They stay PENDING; all others are posted. Those that are set aside nobody tries again. Those whose type no worker knows wait for a worker of the release that made them.',
    toDo: 'Remove the cause that `admin transfer stuck` names, then release them; or bring every worker to the release of the web processes.',
    alert: {
      expr: 'max(transfers_stuck_orders) > 0 or sum(rate(transfers_orders_unknown_type_total[45s])) > 0',
      figure: '{{ $value | humanize }}',
    },
    page: {
      seen({ backlog, processes }) {
        const stuck = backlog?.stuck ?? 0;
        const types = new Set(processes?.flatMap(({ unknownTypes }) => unknownTypes));
        if (stuck === 0 && types.size === 0) return backlog && processes ? undefined : 'unknown';
        const figures = [
          ...(stuck > 0 ? [`${countTo(stuck, stuck >= stuckCountedMax)} set aside`] : []),
          ...(types.size > 0 ? [`of the type ${[...types].join(', ')}`] : []),
        ];
        return { figure: figures.join(' and ') };
      },
    },
  },
  {
    name: 'DueLate',
    severity: 'ticket',
    what: 'What is due is not done',
    follows:
      'Holds that have expired are not released, so that their wallets have less available; or scheduled orders are not started. None is lost, and nothing else waits for them.',
    toDo: 'See that no capture or release of these holds waits. The log of the workers says why an order cannot be started, or a hold not be released.',
    ...gauge({
      ...{ gauge: 'transfers_due_late', over: 0, for: '30s', figure: '{{ $value }}' },
      seen({ late }) {
        if (late === undefined) return {};
        const { holds, scheduled } = late;
        const since = earliest([holds.oldestAt, scheduled.oldestAt].filter((each) => each !== undefined));
        const figure = [`${holds.count} holds`, `${scheduled.count} orders`].filter((each) => !each.startsWith('0 '));
        return { figure: figure.join(', '), ...(since && { since }) };
      },
    }),
  },
  {
    name: 'ClockOff',
    severity: 'ticket',
    what: "The clock of a process differs from MongoDB's",
    follows:
      "Orders have MongoDB's time all the same, by which each process corrects its own; logs have the machine's. Beyond a minute the command line changes nothing there.",
    toDo: 'Set the clocks of the machines, and of MongoDB, by NTP; restart nothing.',
    alert: {
      expr: `max(abs(transfers_clock_offset_seconds)) > ${clockToleranceSeconds}`,
      for: '30s',
      figure: 'by {{ $value | humanizeDuration }}',
    },
    page: {
      seen: ofKnown('processes', (processes) => {
        const offMs = (report: { clockAheadMs: number }): number => Math.abs(report.clockAheadMs);
        const [worst, ...more] = processes
          .filter((report) => offMs(report) > clockToleranceMs)
          .toSorted((a, b) => offMs(b) - offMs(a));
        if (worst === undefined) return undefined;
        const others = more.length === 0 ? '' : ` and ${more.length} more`;
        return { figure: `${worst.id}${others}, by ${duration(offMs(worst))}` };
      }),
    },
  },
  {
    name: 'CertificateExpires',
    severity: 'ticket',
    what: 'The TLS certificate of a server expires soon',
    follows: "From then on that server's new connections are refused, and it counts as down.",
    toDo: 'Renew it on the server. Restart nothing here, unless another authority signs the new one.',
    alert: {
      expr: `min by (server) (transfers_certificate_expiry_timestamp_seconds) - time() < ${(certificateDays * dayMs) / 1_000}`,
      figure: '{{ $labels.server }}, in {{ $value | humanizeDuration }}',
    },
    page: {
      seen: ofKnown('processes', (processes, { at }) => {
        const seen = processes.flatMap(({ certificates = {} }) => Object.entries(certificates));
        const first = earliest(seen.map(([, expiresAt]) => expiresAt));
        const leftMs = (first?.getTime() ?? Infinity) - at.getTime();
        if (leftMs >= certificateDays * dayMs) return undefined;
        const servers = new Set(
          seen.filter(([, expiresAt]) => expiresAt.getTime() === first?.getTime()).map(([name]) => nameOf(name)),
        );
        return { figure: `${[...servers].join(' and ')}, in ${duration(Math.max(0, leftMs))}` };
      }),
    },
  },
  {
    name: 'ScrapeFails',
    severity: 'ticket',
    what: 'Prometheus does not see every process',
    follows: 'The other alerts lack what it counts. The service does its work, if the process does.',
    toDo: "If a process is gone for good, take it off the targets. If it runs, list it there, and try its operations port from Prometheus's machine.",
    alert: {
      expr: `up{job=~"transfers.*"} == 0 or ${bridged('transfers_workers_alive')} > (count(transfers_build_info{process="worker"}) or vector(0))`,
      for: '1m',
      figure: '{{ with $labels.instance }}{{ . }}{{ else }}of {{ $value }} workers{{ end }}',
    },
    page: { never: 'only Prometheus knows whom it scrapes' },
  },
  {
    name: 'SignaturesRefused',
    severity: 'ticket',
    what: 'Many requests fail authentication',
    follows: `Somebody guesses, or a client has an old secret: they are refused at the steps ${forgedSteps.join(', ')}.`,
    toDo: "The web processes' log counts them, in a line for each step and key a minute, with the address. A key can be stopped at once.",
    ...counted({ events: 'forged', over: 20, unit: 'rate', figure: (value) => `${value} a second` }),
  },
  {
    name: 'BackupOld',
    severity: 'ticket',
    what: `No backup has been made for ${backupHours} hours`,
    follows: 'What was accepted since the last one would be lost with MongoDB.',
    toDo: 'See why the last job failed: `kubectl logs job/backup-…`.',
    // What makes the backups alone knows: kube-state-metrics says when the CronJob of backup.yaml last succeeded.
    alert: {
      expr: [
        `time() - max(kube_cronjob_status_last_successful_time{namespace="transfers",cronjob="backup"}) > ${backupHours * 3_600}`,
        'absent(kube_cronjob_status_last_successful_time{namespace="transfers",cronjob="backup"})',
      ].join(' or '),
      for: '1h',
      isOfKubernetes: true,
    },
    page: { never: 'the service does not make the backups' },
  },
];
