import { clockToleranceMs } from '../../clock.ts';
import { nameOf } from '../health.ts';
import type { Overview } from '../overview.ts';
import { duration } from '../page/words.ts';
import { bridged, earliest, ofKnown, type PageRule, type Problem, type ProcessState } from './problem.ts';

const certificateDays = 14;
const dayMs = 86_400_000;
const clockToleranceSeconds = clockToleranceMs / 1_000;
/** A look may fail, or find what has just started. */
const unreadAfterMs = 5_000;
const ntp = 'Set the clocks of the machines, and of MongoDB, by NTP; restart nothing.';

export const serverDown: Problem = {
  name: 'ServerDown',
  severity: 'page',
  what: 'A server does not answer',
  follows:
    'The API answers 503 and accepts nothing. Nothing is lost: orders accepted before are posted once it is back.',
  toDo: 'Look at that server. Every process recovers by itself, so restart nothing here.',
  alert: { expr: 'min by (server) (transfers_server_up) == 0', for: '15s', figure: '{{ $labels.server }}' },
  page: {
    seen({ servers, processes }, state) {
      const own = servers.filter(({ isUp }) => !isUp).map(({ name, since }) => ({ name, since, of: '' }));
      // A server may be away from some processes alone.
      const others = (processes ?? []).flatMap(({ id, down = {} }) =>
        Object.entries(down).map(([name, since]) => ({ name, since, of: ` to ${id}` })),
      );
      const down = [...own, ...others.filter(({ name }) => !own.some((each) => each.name === name))];
      const wrong = ownWrong(state, 'ServerDown');
      const since = earliest(down.map((server) => server.since));
      if (since === undefined && wrong === undefined) return processes === undefined ? 'unknown' : undefined;
      const byName = new Map(down.toReversed().map(({ name, of }) => [name, `${nameOf(name)}${of}`]));
      const names = [...byName.values()].join(' and ');
      return { figure: [names, wrong].filter(Boolean).join('; '), ...(since && { since }) };
    },
  },
};

export const apiGone: Problem = {
  name: 'ApiGone',
  severity: 'page',
  what: 'No web process is scraped',
  follows:
    'There may be no API, and the alerts about the whole service are blind. Workers go on posting accepted orders.',
  toDo: 'See whether a web process runs, and read its last log line; then whether Prometheus reaches its operations port.',
  // What a process that is gone would say, nobody says: its silence has to be noticed.
  alert: { expr: 'absent(transfers_build_info{process="web"})', for: '1m' },
  page: { never: "the page is a web process's own, and is gone with it" },
};

export const apiStarting: Problem = {
  name: 'ApiStarting',
  severity: 'page',
  what: 'A web process is starting, and opens no API yet',
  follows:
    'Connections to its API port are refused. The alert fires only if no other web process has started either: then there is no API. Workers go on posting accepted orders.',
  toDo: 'It goes on by itself once the server that it waits for answers. If it waits for none, its log says what it does.',
  // Only if none has started: the others serve meanwhile.
  alert: { expr: 'min(transfers_starting{process="web"}) == 1', for: '1m' },
  page: { never: 'it is on the page that a web process shows until it has started' },
};

export const serviceUnread: Problem = {
  name: 'ServiceUnread',
  severity: 'page',
  what: 'The service could not be read, though its servers answer',
  follows:
    'What is wrong with it is not seen: neither by the page, nor by the alerts about the whole service. Orders may be accepted and posted all the same.',
  toDo: 'See whether MongoDB or Redis is slow, or refuses what it is asked for. Until it can be read, the logs say what goes wrong.',
  alert: {
    expr: [
      '(absent(transfers_pending_orders) or absent(transfers_workers_alive) or absent(transfers_partitions_unowned))',
      'min(transfers_starting{process="web"}) == 0',
      'min(transfers_server_up) == 1',
    ].join(' and '),
    for: '30s',
  },
  page: {
    seen({ servers, backlog, processes, partitions }, { isStarting }) {
      const isRead = [backlog, processes, partitions].every((part) => part !== undefined);
      return isStarting() || isRead || servers.some(({ isUp }) => !isUp) ? undefined : {};
    },
    afterMs: unreadAfterMs,
  },
};

export const scrapeFails: Problem = {
  name: 'ScrapeFails',
  severity: 'ticket',
  what: 'A process does not answer Prometheus',
  follows: 'The other alerts do not see what it counts.',
  toDo: "If it is gone for good, take it off the targets. If it runs, try its operations port from Prometheus's machine.",
  alert: { expr: 'up{job=~"transfers.*"} == 0', for: '1m', figure: '{{ $labels.instance }}' },
  page: { never: 'only Prometheus knows whom it scrapes' },
};

export const workersUnscraped: Problem = {
  name: 'WorkersUnscraped',
  severity: 'ticket',
  what: 'Not all workers that are alive are scraped',
  follows: 'Alerts about posting do not see the others. The service does its work.',
  toDo: 'Give workers a fixed OPS_PORT that Prometheus reaches with OPS_TOKEN, and list them as targets.',
  alert: {
    expr: `${bridged('transfers_workers_alive')} > (count(transfers_build_info{process="worker"}) or vector(0))`,
    for: '1m',
    figure: '{{ $value }} are alive',
  },
  page: { never: 'only Prometheus knows whom it scrapes' },
};

export const clockOff: Problem = {
  name: 'ClockOff',
  severity: 'ticket',
  what: "The clock of a process differs from MongoDB's",
  follows:
    "Orders have MongoDB's time all the same, by which each process corrects its own; logs have the machine's. Beyond a minute the command line changes nothing there.",
  toDo: ntp,
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
};

export const clocksApart: Problem = {
  name: 'ClocksApart',
  severity: 'ticket',
  what: 'The clocks of two processes differ',
  follows: "Times in their logs cannot be compared; perhaps neither differs from MongoDB's by as much.",
  toDo: ntp,
  alert: {
    expr: `max(transfers_clock_offset_seconds) - min(transfers_clock_offset_seconds) > ${clockToleranceSeconds}`,
    for: '30s',
    figure: 'by {{ $value | humanizeDuration }}',
  },
  page: {
    seen: ofKnown('processes', (processes) => {
      const sorted = processes.toSorted((a, b) => a.clockAheadMs - b.clockAheadMs);
      const [behind, ahead] = [sorted[0], sorted.at(-1)];
      if (behind === undefined || ahead === undefined) return undefined;
      const apartMs = ahead.clockAheadMs - behind.clockAheadMs;
      if (apartMs <= clockToleranceMs) return undefined;
      return { figure: `${behind.id} and ${ahead.id}, by ${duration(apartMs)}` };
    }),
  },
};

export const certificateExpires: Problem = {
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
};

export const masterKeysWrong: Problem = {
  name: 'MasterKeysWrong',
  severity: 'page',
  what: 'MASTER_KEYS of a process is not what this database was sealed with',
  follows:
    'A web process that starts with it opens no API, and a worker sends no webhooks. One that runs already answers 503 to the API keys whose secrets it cannot open.',
  toDo: 'Set the right ones and restart that process.',
  alert: { expr: wrongExpr('="MASTER_KEYS"'), for: '15s' },
  page: wrongPage('MasterKeysWrong'),
};

export const queuesDiffer: Problem = {
  name: 'QueuesDiffer',
  severity: 'page',
  what: 'A process has another QUEUE_PREFIX or Redis than the others',
  follows: 'It takes no part: a worker posts nothing, and a web process opens no API, or answers 503.',
  toDo: 'Set the right one and restart that process.',
  alert: { expr: wrongExpr('=~"QUEUE_PREFIX|REDIS_URL"'), for: '15s' },
  page: wrongPage('QueuesDiffer'),
};

export const currenciesDiffer: Problem = {
  name: 'CurrenciesDiffer',
  severity: 'page',
  what: 'CURRENCIES of a process gives a currency other decimals than the database has',
  follows:
    "It does not start, or would not start again. No amount is wrong: what runs goes by the database's decimals.",
  toDo: "Take the currency out of the setting, or give it the database's decimals, and restart that process.",
  alert: { expr: wrongExpr('="CURRENCIES"'), for: '15s' },
  page: wrongPage('CurrenciesDiffer'),
};

export const draining: Problem = {
  name: 'Draining',
  severity: 'ticket',
  what: 'This web process is draining',
  follows: '/readyz says 503, so that load balancers turn away; requests that still come are answered.',
  toDo: 'Nothing: it ends by itself. Look at another web process.',
  alert: { never: 'it is in order, and soon over' },
  page: { seen: (_, { isDraining }) => (isDraining() ? {} : undefined) },
};

function wrongExpr(matcher: string): string {
  return `min(transfers_setting_right{setting${matcher}}) == 0`;
}

/** A setting that is wrong by this entry of the runbook, of this process or of any that reports. */
function wrongPage(runbook: string): PageRule {
  return {
    seen(overview, state) {
      const message = ownWrong(state, runbook) ?? othersWrong(overview, runbook);
      if (message !== undefined) return { figure: message };
      return overview.processes === undefined ? 'unknown' : undefined;
    },
  };
}

function ownWrong({ wrongSetting }: ProcessState, runbook: string): string | undefined {
  const wrong = wrongSetting();
  return wrong?.runbook === runbook ? wrong.message : undefined;
}

function othersWrong({ processes = [] }: Overview, runbook: string): string | undefined {
  const [first] = processes.flatMap(({ id, wrongSettings }) => {
    const message = wrongSettings?.[runbook];
    return message === undefined ? [] : `${id}: ${message}`;
  });
  return first;
}
