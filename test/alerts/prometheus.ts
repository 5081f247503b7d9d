import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startChild } from '../../local/child.ts';
import { findExecutable } from '../../local/executables.ts';
import { freePort } from '../../local/free-port.ts';

const root = join(import.meta.dirname, '../..');
/** Where script/bootstrap unpacks it on a machine without one. */
const unpacked = join(root, '.node/prometheus/prometheus');
const stopTimeoutMs = 10_000;
const answerMaxMs = 30_000;

/** A target: where a process's operations are, and of which job of the shipped configuration it is one. */
export interface Target {
  readonly job: 'transfers-web' | 'transfers-worker';
  readonly opsPort: number;
}

export interface Prometheus {
  /** Names of the alerts that fire now. */
  firing(): Promise<ReadonlySet<string>>;
  /** Those whose condition holds, whether they fire yet or not. */
  active(): Promise<ReadonlySet<string>>;
  /** Takes these for what is found from now on; a file is looked at when it changes. */
  setTargets(targets: readonly Target[]): Promise<void>;
  stop(): Promise<void>;
}

const configurationFile = z.looseObject({
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.looseObject({ job_name: z.string(), authorization: z.looseObject({ credentials_file: z.string() }) }),
  ),
});

const alertsAnswer = z.object({
  data: z.object({
    alerts: z.array(
      z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.enum(['pending', 'firing']) }),
    ),
  }),
});

/**
 * Debian's Prometheus with the shipped configuration and rules. Only where things are differs: the targets stand in a file, as
 * there are no containers here, and so do the token and the rules in other places.
 * @throws Error where there is no Prometheus on this machine.
 */
export async function startPrometheus(folder: string, opsToken: string): Promise<Prometheus> {
  const command = await findPrometheus();
  const port = await freePort();
  const tokenFile = join(folder, 'ops_token');
  await writeFile(tokenFile, opsToken);
  const shipped = configurationFile.parse(parse(await readFile(join(root, 'deploy/prometheus.yml'), 'utf8')));
  const targetsFile = (job: string) => join(folder, `${job}.json`);
  const configuration = {
    ...shipped,
    rule_files: [join(root, 'deploy/alerts.yml')],
    scrape_configs: shipped.scrape_configs.map(({ dns_sd_configs: _, ...job }) => ({
      ...job,
      authorization: { credentials_file: tokenFile },
      file_sd_configs: [{ files: [targetsFile(job.job_name)] }],
    })),
  };
  const jobs = shipped.scrape_configs.map(({ job_name: name }) => name);
  const setTargets = async (targets: readonly Target[]): Promise<void> => {
    for (const name of jobs) {
      const found = targets.filter(({ job }) => job === name).map(({ opsPort }) => `127.0.0.1:${opsPort}`);
      await writeFile(targetsFile(name), JSON.stringify([{ targets: found }]));
    }
  };
  await setTargets([]);
  const file = join(folder, 'prometheus.yml');
  await writeFile(file, stringify(configuration));
  const places = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  const child = await startChild<true>({
    name: 'prometheus',
    command,
    args: [...places, `--web.listen-address=127.0.0.1:${port}`],
    env: process.env,
    onLine: () => undefined,
    readyFrom: (line) => (line.includes('ready to receive web requests') ? true : undefined),
  });
  await child.ready;
  const alerts = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`, { signal: AbortSignal.timeout(answerMaxMs) });
    return alertsAnswer.parse(await answer.json()).data.alerts;
  };
  return {
    firing: async () =>
      new Set((await alerts()).filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)),
    active: async () => new Set((await alerts()).map(({ labels }) => labels.alertname)),
    setTargets,
    async stop() {
      await child.stop(stopTimeoutMs);
    },
  };
}

async function findPrometheus(): Promise<string> {
  const found = await findExecutable('prometheus');
  if (found !== undefined) return found;
  await access(unpacked).catch((cause: unknown) => {
    throw new Error('There is no Prometheus here: script/bootstrap --with-prometheus unpacks one.', { cause });
  });
  return unpacked;
}
