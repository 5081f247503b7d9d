import { html } from './html.ts';
import type { Html } from './html.ts';
import { unknown } from './words.ts';

export interface Series {
  readonly name: string;
  /** Oldest first; undefined where nothing is known: the line has a gap there. */
  readonly values: readonly (number | undefined)[];
}

interface PlotOptions {
  readonly title: string;
  readonly series: readonly Series[];
  /** Places on the time axis, filled from the right. */
  readonly places: number;
  readonly format: (value: number) => string;
}

const width = 600;
const height = 120;

/** A line plot as SVG, scaled from zero to its own maximum. */
export function plot({ title, series, places, format }: PlotOptions): Html {
  const known = series.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const top = niceCeiling(Math.max(1, ...known));
  const lines = series.map(
    ({ values }, index) => html`<path class="line line${index}" d="${pathOf(values, top, places)}" />`,
  );
  const legend = series.map(({ name, values }, index) => {
    const last = values.at(-1);
    return html`<span class="key key${index}">${name} <b>${last === undefined ? unknown : format(last)}</b></span>`;
  });
  return html`<figure>
    <figcaption><span>${title}</span>${legend}</figcaption>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${title}">
      <path class="grid" d="M0 ${height / 2}H${width}M0 ${height - 1}H${width}M0 1H${width}" />
      ${lines}
    </svg>
    <div class="scale"><span>${format(top)}</span><span>0</span></div>
  </figure>`;
}

function pathOf(values: readonly (number | undefined)[], top: number, places: number): string {
  const offset = places - values.length;
  let isDrawing = false;
  return values
    .map((value, index) => {
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== undefined;
      if (value === undefined) return '';
      const x = ((offset + index) / Math.max(1, places - 1)) * width;
      return `${command}${x.toFixed(1)} ${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`;
    })
    .join('');
}

/** 1, 2 or 5 times a power of ten: a scale that does not jump with every value. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
  return factor * power;
}
