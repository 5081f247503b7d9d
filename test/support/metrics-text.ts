/** One sample: its name, labels as they stand, and value. */
export interface Sample {
  name: string;
  labels: Map<string, string>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (Na[nN]|[+-]?Inf|[+-]?[0-9.]+(?:e[+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const SUFFIXES = ['_bucket', '_sum', '_count', ''];

/** Reads metrics in Prometheus's text format, as strictly as `promtool check metrics`. Throws, naming the line at fault. */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line feed');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`second HELP: ${line}`);
      families.set(name, { type: '', help: rest, samples: [] });
    } else if (kind === 'TYPE') {
      const family = families.get(name);
      if (family?.type !== '' || family.samples.length > 0) throw new Error(`TYPE out of place: ${line}`);
      family.type = rest;
    } else if (line !== '' && !line.startsWith('#')) {
      const sample = parseSample(line);
      const key = `${sample.name} ${JSON.stringify([...sample.labels].sort())}`;
      if (seen.has(key)) throw new Error(`second sample: ${line}`);
      seen.add(key);
      familyOf(families, sample.name).samples.push(sample);
    }
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = '', labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`no sample: ${line}`);
  const labels = new Map<string, string>();
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const [, label = '', labelValue = ''] = LABEL.exec(labelText) ?? [];
    if (label === '' || labels.has(label)) throw new Error(`wrong labels: ${line}`);
    labels.set(label, labelValue);
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function familyOf(families: Map<string, Family>, sampleName: string): Family {
  for (const suffix of SUFFIXES) {
    const family = sampleName.endsWith(suffix)
      ? families.get(sampleName.slice(0, sampleName.length - suffix.length))
      : undefined;
    if (family !== undefined && (suffix === '' || family.type === 'histogram' || family.type === 'summary'))
      return family;
  }
  throw new Error(`sample without HELP and TYPE: ${sampleName}`);
}

function checkFamily(name: string, { type, help, samples }: Family): void {
  if (help === '' || type === '') throw new Error(`${name} has no HELP or no TYPE`);
  // What Node's own metrics are called is the client library's choice.
  const isOurs = name.startsWith('transfers_');
  if (isOurs && type === 'counter' && !name.endsWith('_total'))
    throw new Error(`counter ${name} does not end with _total`);
  if (isOurs && type !== 'counter' && name.endsWith('_total')) throw new Error(`${type} ${name} ends with _total`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`counter ${name} is negative`);
  if (type === 'histogram') checkHistogram(name, samples);
}

/** Buckets rise, end with +Inf, and that one equals the count. */
function checkHistogram(name: string, samples: Sample[]): void {
  const series = new Map<string, { buckets: [number, number][]; count?: number }>();
  for (const sample of samples) {
    const key = JSON.stringify([...sample.labels].filter(([label]) => label !== 'le').sort());
    const found = series.get(key) ?? { buckets: [] };
    series.set(key, found);
    if (sample.name === `${name}_count`) found.count = sample.value;
    if (sample.name !== `${name}_bucket`) continue;
    found.buckets.push([Number((sample.labels.get('le') ?? 'NaN').replace('Inf', 'Infinity')), sample.value]);
  }
  for (const { buckets, count } of series.values()) {
    buckets.forEach(([bound, value], index) => {
      const before = buckets[index - 1];
      if (before && !(bound > before[0] && value >= before[1])) throw new Error(`buckets of ${name} do not rise`);
    });
    const last = buckets.at(-1);
    if (last?.[0] !== Infinity || last[1] !== count) throw new Error(`+Inf of ${name} is not its count`);
  }
}
