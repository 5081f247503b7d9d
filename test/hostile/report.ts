import { latencyAt, type Latency } from '../../bench/load/latency.ts';
import type { LoadResult } from '../../bench/load/load-order.ts';
import type { Attack } from './attack.ts';
import { backWithinSeconds, type HostileReport, type Phase } from './run.ts';

/**
 * What a median may be above that of the client alone. Not a p99, because the attacker takes a share of the same two cores:
 * what is slow now and then tells of the machine.
 */
export const p50ToleranceMs = 50;
const bytesPerMib = 1024 * 1024;

/** What did not hold, each in a sentence; empty where everything did. */
export function judge({ cpuMsPerMibMax = Infinity }: Attack, report: HostileReport): string[] {
  const { alone, attacked, owed, backSeconds } = report;
  const slower = Object.entries(latencies).flatMap(([name, of]) => {
    const moreMs = at(of(attacked), 50) - at(of(alone), 50);
    return moreMs <= p50ToleranceMs ? [] : [`the p50 of ${name} is ${moreMs.toFixed(0)} ms more under attack`];
  });
  const cpuMs = cpuMsPerMib(report);
  const notDone = [alone, attacked].flatMap(({ creates, reads }) => [notAnswered(creates), notAnswered(reads)]);
  return [
    ...slower,
    ...(cpuMs <= cpuMsPerMibMax ? [] : [`each MiB takes ${cpuMs.toFixed(0)} ms of CPU, of ${cpuMsPerMibMax} at most`]),
    ...owed,
    ...(backSeconds === undefined ? [`the memory is not back within ${backWithinSeconds} s`] : []),
    ...(notDone.every((count) => count === 0) ? [] : [`${notDone.join(', ')} requests were not answered 200`]),
  ];
}

const latencies: Readonly<Record<string, (phase: Phase) => Latency | undefined>> = {
  creates: ({ creates }) => creates.answerLatency,
  reads: ({ reads }) => reads.answerLatency,
  posting: ({ creates }) => creates.terminalLatency,
};

/** A table: each figure alone, and beside it under attack. */
export function describe({ name, what, against }: Attack, report: HostileReport, faults: readonly string[]): string {
  const { alone, attacked, memory, attackBytes, backSeconds, seen } = report;
  const row = (title: string, ...cells: string[]): string =>
    `  ${title.padEnd(22)}${cells.map((cell) => cell.padStart(22)).join('')}`;
  const attackMib = attackBytes / bytesPerMib;
  return [
    `${name}: ${what}`,
    row('', 'alone', 'under attack'),
    ...Object.entries(latencies).map(([title, of]) => row(title, spread(of(alone)), spread(of(attacked)))),
    row('answers', answers(alone), answers(attacked)),
    row(`CPU of the ${against}`, `${alone.cpuSeconds.toFixed(1)} s`, `${attacked.cpuSeconds.toFixed(1)} s`),
    `  memory of the ${against}: ${mib(memory.before)} before, ${mib(memory.peak)} at most, ${mib(memory.after)} after; ` +
      (backSeconds === undefined ? 'not back' : `back in ${backSeconds.toFixed(1)} s`),
    `  attack: ${attackMib.toFixed(1)} MiB; for each MiB ${((memory.peak - memory.before) / attackBytes).toFixed(1)} MiB ` +
      `of memory and ${cpuMsPerMib(report).toFixed(0)} ms of CPU more`,
    ...(seen === undefined ? [] : [`  ${seen}`]),
    ...(faults.length === 0 ? ['  Everything held.'] : ['  FAILED', ...faults.map((fault) => `    ${fault}`)]),
    '',
  ].join('\n');
}

function cpuMsPerMib({ alone, attacked, attackBytes }: HostileReport): number {
  return ((attacked.cpuSeconds - alone.cpuSeconds) * 1_000) / (attackBytes / bytesPerMib);
}

function spread(latency: Latency | undefined): string {
  return `${at(latency, 50).toFixed(1)} / ${at(latency, 99).toFixed(1)} ms`;
}

function at(latency: Latency | undefined, percentile: 50 | 99): number {
  return latency === undefined ? Number.NaN : latencyAt(latency, percentile);
}

function answers({ creates, reads }: Phase): string {
  const done = (creates.byStatus['200'] ?? 0) + (reads.byStatus['200'] ?? 0);
  return `${done} of ${done + notAnswered(creates) + notAnswered(reads)}`;
}

function notAnswered({ sent, dropped, byStatus }: LoadResult): number {
  return sent + dropped - (byStatus['200'] ?? 0);
}

function mib(bytes: number): string {
  return `${Math.round(bytes / bytesPerMib)} MiB`;
}
