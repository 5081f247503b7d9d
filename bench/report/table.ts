import type { Row } from '../cells.ts';
import { latencyAt, type Latency } from '../load/latency.ts';
import { median } from '../measure/median.ts';
import type { Measured, MongodbCost } from '../measure/measured.ts';

type Line = readonly string[];

const microsPerSecond = 1_000_000;

/** The result as text: how much a second and the ratios; latencies; what a transfer costs; further figures. */
export function resultTables(rows: readonly Row[]): string {
  const tables = [
    ...[throughputTable(rows), latencyTable(rows), costTable(rows), mongodbTable(rows)],
    figuresTable(rows),
    ...rows.map(roundTripsTable),
    termsTable(rows),
    machineTable(rows),
  ];
  return tables.flatMap((table) => (table.length > 1 ? [toText(table)] : [])).join('\n\n');
}

function throughputTable(rows: readonly Row[]): Line[] {
  return [
    ['', 'a second', 'least – most', 'runs', 'ratio (medians of the runs)'],
    ...rows.map(({ name, unit, times, runs, ratios }) => {
      const rates = runs.map(({ perSecond }) => perSecond);
      const compared = Object.entries(ratios).map(([other, ratio]) =>
        Number.isFinite(ratio)
          ? `${digits(ratio)} × ${other}${linearShare(ratio, times)}`
          : `not compared with ${other}: the machine changed`,
      );
      return [
        [name, ...new Set(runs.flatMap(({ note }) => note ?? []))].join(', '),
        `${digits(median(rates))} ${unit}`,
        `${digits(Math.min(...rates))} – ${digits(Math.max(...rates))}`,
        String(runs.length),
        compared.join('; '),
      ];
    }),
  ];
}

function linearShare(ratio: number, times: number | undefined): string {
  return times === undefined ? '' : `, ${digits(ratio / times)} of linear`;
}

function latencyTable(rows: readonly Row[]): Line[] {
  const lines = rows.flatMap(({ name, runs }) => [
    ...latencyLine(`${name}: due → answer`, runs, ({ answerLatency }) => answerLatency),
    ...latencyLine(`${name}: due → terminal`, runs, ({ terminalLatency }) => terminalLatency),
  ]);
  return [['latency, ms', 'p50', 'p90', 'p99', 'p99.9', 'most', 'p99 ÷ p50', 'dropped', 'refused'], ...lines];
}

function latencyLine(name: string, runs: readonly Measured[], of: (run: Measured) => Latency | undefined): Line[] {
  const latencies = runs.flatMap((run) => of(run) ?? []);
  if (latencies.length === 0) return [];
  const at = (percentile: Parameters<typeof latencyAt>[1]): string =>
    digits(median(latencies.map((latency) => latencyAt(latency, percentile))));
  const spread = digits(median(latencies.map((latency) => latencyAt(latency, 99) / latencyAt(latency, 50))));
  const most = digits(median(latencies.map(({ maxMs }) => maxMs)));
  const share = (count: (run: Measured) => number): string => {
    const shares = runs.map((run) => count(run) / (run.done + (run.dropped ?? 0) + (run.refused ?? 0)));
    return `${digits(100 * median(shares))} %`;
  };
  const dropped = share((run) => run.dropped ?? 0);
  const refused = share((run) => run.refused ?? 0);
  return [[name, at(50), at(90), at(99), at(99.9), most, spread, dropped, refused]];
}

function costTable(rows: readonly Row[]): Line[] {
  const lines = rows.flatMap(({ name, runs }): Line[] => {
    const groups = runs.flatMap((run) => run.groups ?? []);
    const cpu = medianCpu(runs);
    if (groups.length === 0 && Object.keys(cpu).length === 0) return [];
    const figure = (of: (group: (typeof groups)[number]) => number): string =>
      groups.length === 0 ? '' : digits(median(groups.map(of)));
    return [
      [
        name,
        figure(({ meanSize }) => meanSize),
        figure(({ maxSize }) => maxSize),
        figure(({ conflictsPerGroup }) => conflictsPerGroup),
        figure(({ roundTripsPerOrder }) => roundTripsPerOrder),
        Object.entries(cpu)
          .map(([process, micros]) => `${process} ${digits(micros)}`)
          .join(', '),
      ],
    ];
  });
  return [['cost of each', 'group', 'largest', 'conflicts/group', 'round trips', 'CPU, µs'], ...lines];
}

function mongodbTable(rows: readonly Row[]): Line[] {
  const lines = rows.flatMap(({ name, runs }): Line[] => {
    const costs = runs.flatMap(({ mongodb }) => mongodb ?? []);
    if (costs.length === 0) return [];
    const of = (figure: (cost: MongodbCost) => number | undefined): string => {
      const known = costs.flatMap((cost) => figure(cost) ?? []);
      return known.length === 0 ? '' : digits(median(known));
    };
    return [
      [
        name,
        of(({ commands }) => commands),
        of(({ read }) => read),
        of(({ written }) => written),
        of(({ indexEntries }) => indexEntries),
        of(({ bytes }) => bytes),
        of(({ answerBytes }) => answerBytes),
      ],
    ];
  });
  const head = ['MongoDB, each', 'commands', 'documents read', 'written', 'index entries', 'bytes', 'bytes answered'];
  return [head, ...lines];
}

function figuresTable(rows: readonly Row[]): Line[] {
  const lines = rows.flatMap(({ name, runs }): Line[] => {
    const names = new Set(runs.flatMap(({ figures }) => Object.keys(figures ?? {})));
    return [...names].map((figure) => [
      `${name}: ${figure}`,
      digits(median(runs.flatMap(({ figures }) => figures?.[figure] ?? []))),
    ]);
  });
  return [['further figures', ''], ...lines];
}

/** Of the last run: an order is nowhere else followed through all processes. */
function roundTripsTable({ name, runs }: Row): Line[] {
  const { roundTrips } = runs.at(-1) ?? {};
  if (roundTrips === undefined) return [];
  const { orders, steps, beside, totalMs } = roundTrips;
  const title = `${name}: ${steps.length} one after the other, ${digits(totalMs)} ms (${orders} orders)`;
  const lines = steps.map(({ process, server, name: command, answerMs, nextMs, about }, index) => [
    `${index + 1} ${process} → ${server}: ${command}`,
    answerMs === undefined ? '' : digits(answerMs),
    nextMs === undefined ? '' : digits(nextMs),
    about,
  ]);
  const others = beside.map(({ process, server, name: command, perOrder }) => {
    return [`  beside: ${process} → ${server}: ${command}`, '', '', `${digits(perOrder)} an order`];
  });
  return [[title, 'to the answer, ms', 'to the next, ms', 'what for'], ...lines, ...others];
}

function termsTable(rows: readonly Row[]): Line[] {
  const lines = rows.flatMap(({ name, runs }): Line[] => {
    const [first] = runs;
    if (first?.terms === undefined) return [];
    const { terms, inFlight } = first;
    return [
      [
        name,
        terms.checksBalance ? 'yes' : 'no',
        terms.isSigned ? 'yes' : 'no',
        inFlight === undefined ? 'all wait' : inFlight.toLocaleString('en-US'),
        digits(median(runs.map(coresBusy))),
        terms.durability,
      ],
    ];
  });
  return [['on these terms', 'balance checked', 'signed HTTP', 'in flight', 'cores busy', 'durable'], ...lines];
}

/** Seconds of CPU a second, of all processes whose CPU time is told, the load generator's included. */
export function coresBusy({ cpuMicros, perSecond }: Pick<Measured, 'cpuMicros' | 'perSecond'>): number {
  return (Object.values(cpuMicros).reduce((sum, micros) => sum + micros, 0) * perSecond) / microsPerSecond;
}

function machineTable(rows: readonly Row[]): Line[] {
  const range = (values: readonly number[]): string =>
    `${digits(Math.min(...values))} – ${digits(Math.max(...values))}`;
  const lines = rows.map(({ name, machine }) => [
    name,
    range(machine.map(({ workMs }) => workMs)),
    range(machine.map(({ stolen }) => 100 * stolen)),
  ]);
  return [['the machine meanwhile', 'fixed work, ms', 'given to others, %'], ...lines];
}

/** Median CPU time of each process over the runs. */
export function medianCpu(runs: readonly Measured[]): Record<string, number> {
  const names = new Set(runs.flatMap(({ cpuMicros }) => Object.keys(cpuMicros)));
  return Object.fromEntries(
    [...names].map((name) => [name, median(runs.flatMap(({ cpuMicros }) => cpuMicros[name] ?? []))]),
  );
}

/** Three significant digits: nothing here is known better. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function toText(lines: readonly Line[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          isTextColumn(column, line) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The first column names, and a last one lists; those between are figures. */
function isTextColumn(column: number, line: Line): boolean {
  return column === 0 || (column === line.length - 1 && column < 6);
}
