/** One sample: its name, labels as they stand, and value. */
export interface Sample {
  name: string;
  labels: Map<string, string>;
  value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Reads metrics in Prometheus's text format: the samples of each family. @throws Error naming a line that is none of it. */
export function parseMetrics(text: string): Map<string, { samples: Sample[] }> {
  const families = new Map<string, { samples: Sample[] }>();
  let family = '';
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('# HELP '))) {
    family = /^# TYPE (\S+) /.exec(line)?.[1] ?? family;
    const of = families.get(family) ?? { samples: [] };
    families.set(family, of);
    if (!line.startsWith('# TYPE ')) of.samples.push(parseSample(line));
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name = '', labels = '', text = ''] = SAMPLE.exec(line) ?? [];
  const value = Number(text.replace('Inf', 'Infinity'));
  if (name === '' || (Number.isNaN(value) && text.toLowerCase() !== 'nan')) throw new Error(`no sample: ${line}`);
  return { name, labels: new Map([...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of])), value };
}
