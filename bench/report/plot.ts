import type { Row } from '../cells.ts';
import { median } from '../measure/median.ts';
import type { Latency } from '../load/latency.ts';
import { barChart, percentileChart, type Curve } from './svg.ts';
import { digits } from './table.ts';

const colourOfRole = { product: '#3a6ea5', baseline: '#c0563c', limit: '#9a9a9a' } as const;

/** A plot of a result: latencies where requests arrived at a rate that could be served, bars otherwise. */
export function plot(rows: readonly Row[]): string {
  const curves = rows.flatMap(curvesOf);
  if (curves.length > 0) return percentileChart('Latency from the moment a request was due', curves);
  return barChart(
    'Done a second (medians)',
    rows.map(({ name, role, unit, runs }) => {
      const value = median(runs.map(({ perSecond }) => perSecond));
      return { label: name, value, text: `${digits(value)} ${unit}/s`, colour: colourOfRole[role] };
    }),
  );
}

/** Of the last run; a latency under more load than can be served says nothing, and is left out. */
function curvesOf({ name, runs }: Row): Curve[] {
  const last = runs.at(-1);
  if (last === undefined || (last.dropped ?? 0) > 0) return [];
  return [...curve(`${name}, to answer`, last.answerLatency), ...curve(`${name}, to terminal`, last.terminalLatency)];
}

function curve(label: string, latency: Latency | undefined): Curve[] {
  if (latency === undefined) return [];
  return [{ label, points: latency.byPercentile.map(({ percentile, ms }) => ({ x: percentile, y: ms })) }];
}
