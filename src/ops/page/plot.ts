import { html, type Html } from './html.ts';
import { unknown } from './words.ts';

export interface Series {
  readonly name: string;
  /** One value for each place of the time axis, oldest first; undefined leaves a gap in the line. */
  readonly values: readonly (number | undefined)[];
}

export interface TimeAxis {
  /** The time of the first place. */
  readonly from: Date;
  readonly stepMs: number;
  readonly places: number;
}

interface PlotOptions {
  readonly title: string;
  readonly series: readonly Series[];
  readonly axis: TimeAxis;
  readonly format: (value: number) => string;
}

const width = 600;
const height = 120;

/** A line plot as SVG, scaled from zero to its own maximum. The script shows its text for each place on hover. */
export function plot({ title, series, axis, format }: PlotOptions): Html {
  const known = series.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const top = niceCeiling(Math.max(1, ...known));
  const lines = series.map(({ values }, index) => html`<path class="line line${index}" d="${pathOf(values, top)}" />`);
  const legend = series.map(({ name, values }, index) => {
    const last = values.findLast((value) => value !== undefined);
    const texts = values.map((value) => (value === undefined ? unknown : format(value))).join('|');
    return html`<span class="key key${index}" data-name="${name}" data-texts="${texts}"
      >${name} <b>${last === undefined ? unknown : format(last)}</b></span
    >`;
  });
  return html`<figure data-from="${axis.from.getTime()}" data-step="${axis.stepMs}">
    <figcaption><span>${title}</span>${legend}</figcaption>
    <div class="canvas">
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${title}">
        <path class="grid" d="M0 ${height / 2}H${width}M0 ${height - 1}H${width}M0 1H${width}" />
        ${lines}
      </svg>
      <div class="scale"><span>${format(top)}</span><span>0</span></div>
    </div>
    <div class="times">${timesOf(axis).map((text) => html`<span>${text}</span>`)}</div>
  </figure>`;
}

/** The first, the middle and the last moment, in UTC. */
function timesOf({ from, stepMs, places }: TimeAxis): string[] {
  const at = (place: number): string => new Date(from.getTime() + place * stepMs).toISOString().slice(11, 16);
  return [at(0), at((places - 1) / 2), `${at(places - 1)} UTC`];
}

function pathOf(values: readonly (number | undefined)[], top: number): string {
  let isDrawing = false;
  return values
    .map((value, index) => {
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== undefined;
      if (value === undefined) return '';
      const x = (index / Math.max(1, values.length - 1)) * width;
      return `${command}${x.toFixed(1)} ${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`;
    })
    .join('');
}

/** 1, 2 or 5 times a power of ten, so that the scale does not jump with every value. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
  return factor * power;
}
