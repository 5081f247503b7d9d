export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Written at the bar's end. */
  readonly text: string;
  readonly colour?: string;
}

export interface Curve {
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const colours = ['#3a6ea5', '#c0563c', '#4d8f57', '#8a63a8', '#b08a2e', '#5b8f9c'] as const;
const font = 'font-family="system-ui, sans-serif" font-size="13"';
const width = 900;
const margin = 24;

/** Horizontal bars, one below the other, their lengths in proportion. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const [rowHeight, labelWidth, textWidth, top] = [26, 300, 130, 56];
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = width - labelWidth - textWidth - 2 * margin;
  const rows = bars.flatMap(({ label, value, text, colour = colours[0] }, index) => {
    const y = top + index * rowHeight;
    const length = Math.max(1, (room * value) / most);
    return [
      `<text x="${margin + labelWidth - 8}" y="${y + 14}" text-anchor="end">${escape(label)}</text>`,
      `<rect x="${margin + labelWidth}" y="${y}" width="${length.toFixed(1)}" height="18" fill="${colour}"/>`,
      `<text x="${(margin + labelWidth + length + 6).toFixed(1)}" y="${y + 14}">${escape(text)}</text>`,
    ];
  });
  return picture(top + bars.length * rowHeight + margin, title, rows);
}

/** Latencies by percentile: one step to the right is one more nine. */
export function percentileChart(title: string, curves: readonly Curve[]): string {
  const [left, top, height, bottom] = [80, 56, 300, 410];
  const points = curves.flatMap((curve) => curve.points).filter(({ y }) => y > 0);
  const [lowest, highest] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
  const decades = [
    Math.floor(Math.log10(lowest)),
    Math.max(Math.ceil(Math.log10(highest)), Math.floor(Math.log10(lowest)) + 1),
  ] as const;
  const xOf = (percentile: number): number => left + (nines(percentile) / ninesMax) * (width - left - margin);
  const yOf = (ms: number): number =>
    top + height - ((Math.log10(ms) - decades[0]) / (decades[1] - decades[0])) * height;
  const ticksX = [0, 90, 99, 99.9, 99.99].map((percentile) => {
    const x = xOf(percentile).toFixed(1);
    return `<line x1="${x}" y1="${top}" x2="${x}" y2="${top + height}" stroke="#ddd"/><text x="${x}" y="${top + height + 20}" text-anchor="middle">${percentile} %</text>`;
  });
  const ticksY = Array.from({ length: decades[1] - decades[0] + 1 }, (_, index) => {
    const ms = 10 ** (decades[0] + index);
    const y = yOf(ms).toFixed(1);
    return `<line x1="${left}" y1="${y}" x2="${width - margin}" y2="${y}" stroke="#ddd"/><text x="${left - 8}" y="${y}" dy="4" text-anchor="end">${ms} ms</text>`;
  });
  const lines = curves.flatMap((curve, index) => {
    const colour = colours[index % colours.length] ?? colours[0];
    const path = curve.points
      .filter(({ x, y }) => x < 100 && y > 0)
      .map(({ x, y }) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`)
      .join(' ');
    const labelY = bottom + index * 20;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${left}" y="${labelY}" fill="${colour}">${escape(curve.label)}</text>`,
    ];
  });
  return picture(bottom + curves.length * 20 + margin, title, [...ticksX, ...ticksY, ...lines]);
}

const ninesMax = 4;

function nines(percentile: number): number {
  return Math.min(ninesMax, -Math.log10(1 - percentile / 100));
}

function picture(height: number, title: string, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font}>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin}" y="32" font-size="17" font-weight="bold">${escape(title)}</text>`,
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
