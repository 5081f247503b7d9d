import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor, PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { run } from '../../local/executables.ts';
import { readWebSettings } from '../../src/settings/config.ts';
import { settingsOfProcess } from '../../src/settings/settings.ts';
import { readAlertRules, type AlertRule } from '../support/alert-rules.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'deploy/kubernetes');
/** The types of Kubernetes are many. */
const compileMaxMs = 120_000;
/** Inside the project, where its packages are found. */
const scratch = await mkdtemp(join(root, 'node_modules/.kubernetes-test-'));
afterAll(() => rm(scratch, { recursive: true }));

interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly content: Record<string, unknown>;
}

const kinds = {
  ConfigMap: { model: ConfigMap, from: 'kubernetes-models/v1' },
  Service: { model: Service, from: 'kubernetes-models/v1' },
  Deployment: { model: Deployment, from: 'kubernetes-models/apps/v1' },
  PersistentVolumeClaim: { model: PersistentVolumeClaim, from: 'kubernetes-models/v1' },
  CronJob: { model: CronJob, from: 'kubernetes-models/batch/v1' },
  Job: { model: Job, from: 'kubernetes-models/batch/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, from: 'kubernetes-models/policy/v1' },
  NetworkPolicy: { model: NetworkPolicy, from: 'kubernetes-models/networking.k8s.io/v1' },
  ScaledObject: { model: ScaledObject, from: '@kubernetes-models/keda/keda.sh/v1alpha1' },
  TriggerAuthentication: { model: TriggerAuthentication, from: '@kubernetes-models/keda/keda.sh/v1alpha1' },
  PodMonitor: { model: PodMonitor, from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1' },
  AlertmanagerConfig: {
    model: AlertmanagerConfig,
    from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1',
  },
  PrometheusRule: { model: PrometheusRule, from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1' },
} as const;
type Kind = keyof typeof kinds;

async function readManifests(): Promise<Manifest[]> {
  const files = (await readdir(folder)).filter((file) => file !== 'kustomization.yaml');
  const documents = await Promise.all(
    files.map(async (file) =>
      parseAllDocuments(await readFile(join(folder, file), 'utf8')).map((document) => {
        const content = document.toJS() as Record<string, unknown> & { metadata: { name: string } };
        const { kind, apiVersion } = content as unknown as Manifest;
        return { file, kind, apiVersion, name: content.metadata.name, content };
      }),
    ),
  );
  return documents.flat();
}

/** What is wrong with these, by the types of Kubernetes's own fields: unlike the schemas they know which there are. */
async function wrongFields(manifests: readonly Manifest[]): Promise<string[]> {
  const file = join(scratch, 'manifests.ts');
  const lines = manifests.flatMap(({ kind, content }, index) => [
    `import type { I${kind} as Type${index} } from '${kinds[kind as Kind].from}';`,
    `export const manifest${index}: Type${index} = ${JSON.stringify(content)};`,
  ]);
  await writeFile(file, lines.join('\n'));
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], module: ts.ModuleKind.NodeNext };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const manifests = await readManifests();
const named = (kind: Kind, name: string) => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found.content;
};

describe('the manifests for Kubernetes', () => {
  it('are all there, and all applied', async () => {
    const kustomization = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
    expect(kustomization.resources.toSorted()).toEqual([...new Set(manifests.map(({ file }) => file))].toSorted());
    expect([...new Set(manifests.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(kinds).toSorted());
  });

  it.each(manifests)('$kind $name is one, by its schema', ({ kind, apiVersion, content }) => {
    const { model } = kinds[kind as Kind];
    expect(apiVersion).toBe(model.apiVersion);
    expect(() => {
      new model(content as never).validate();
    }).not.toThrow();
  });

  it(
    'have no field that Kubernetes does not know',
    async () => {
      // Told apart from one that has.
      const wrong = { ...named('Service', 'web'), specs: {} };
      const [complaint, ...more] = await wrongFields([
        ...manifests,
        { ...manifests[0]!, kind: 'Service', content: wrong },
      ]);
      expect(complaint).toContain("'\"specs\"' does not exist in type 'IService'");
      expect(more).toEqual([]);
    },
    compileMaxMs,
  );

  it('set what the processes know, and what each needs', () => {
    const { data } = named('ConfigMap', 'transfers') as { data: Record<string, string> };
    const known = Object.values(settingsOfProcess).flatMap(({ shape }) => Object.keys(shape));
    for (const name of Object.keys(data)) expect(known).toContain(name.replace(/_FILE$/, ''));
    const { OPS_TOKEN_FILE, MONGODB_URI_FILE, REDIS_URL_FILE, ...settings } = data;
    expect([OPS_TOKEN_FILE, MONGODB_URI_FILE, REDIS_URL_FILE]).not.toContain(undefined);
    const secrets = { OPS_TOKEN: 'a'.repeat(16), MASTER_KEYS: `1:${Buffer.alloc(32).toString('base64')}` };
    expect(readWebSettings({ ...settings, ...secrets })).toMatchObject({
      OPS_HOST: '0.0.0.0',
      OPS_PORT: 3001,
      PORT: 3000,
    });
  });
});

const labels = z.record(z.string(), z.string());
const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels }),
  spec: z.looseObject({
    terminationGracePeriodSeconds: z.number().optional(),
    topologySpreadConstraints: z
      .array(z.looseObject({ topologyKey: z.string(), labelSelector: z.looseObject({ matchLabels: labels }) }))
      .default([]),
    containers: z.tuple([
      z.looseObject({
        command: z.array(z.string()).optional(),
        ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
        env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      }),
    ]),
    volumes: z.array(
      z.looseObject({ secret: z.looseObject({ items: z.array(z.looseObject({ key: z.string() })).optional() }) }),
    ),
  }),
});
type PodTemplate = z.output<typeof podTemplate>;
const podOf = (kind: Kind, name: string) =>
  z.looseObject({ spec: z.looseObject({ template: podTemplate }) }).parse(named(kind, name)).spec.template;

const scaledObject = z.looseObject({
  spec: z.looseObject({
    minReplicaCount: z.number(),
    maxReplicaCount: z.number(),
    fallback: z.looseObject({ replicas: z.number(), behavior: z.string() }),
    triggers: z.tuple([z.looseObject({ metadata: z.looseObject({ url: z.string() }) })]),
  }),
});

describe('the pods', () => {
  const [web, worker, webhooks] = ['web', 'worker', 'webhooks'].map((name) => podOf('Deployment', name)) as [
    PodTemplate,
    PodTemplate,
    PodTemplate,
  ];
  const job = podOf('Job', 'schema-apply');

  it('run files of the image', async () => {
    const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
    for (const { spec } of [worker, webhooks, job]) {
      const entry = spec.containers[0].command?.find((word) => word.endsWith('.ts')) ?? '';
      expect(existsSync(join(root, entry)), entry).toBe(true);
      expect(dockerfile).toContain(`COPY ${entry.split('/')[0] ?? ''} ./`);
    }
    expect(web.spec.containers[0].command).toBeUndefined();
  });

  it('have the master keys where secrets of API keys and webhooks are opened or sealed', () => {
    const named = ({ spec }: PodTemplate) => spec.containers[0].env.map(({ name, value }) => [name, value]);
    const masterKeys = ['MASTER_KEYS_FILE', '/run/secrets/transfers/master-keys'];
    for (const pod of [web, job]) expect(named(pod)).toEqual([masterKeys]);
    expect(named(worker)).toEqual([['WORKER_ROLE', 'posting']]);
    expect(named(webhooks)).toEqual([['WORKER_ROLE', 'webhooks'], masterKeys]);
    for (const { spec } of [web, job]) expect(spec.volumes[0]?.secret.items).toBeUndefined();
    const keysOf = ({ spec }: PodTemplate) => spec.volumes[0]?.secret.items?.map(({ key }) => key);
    expect(keysOf(worker)).toEqual(['mongodb-uri', 'redis-url', 'ops-token']);
    expect(keysOf(webhooks)).toEqual(['mongodb-uri', 'redis-url', 'ops-token', 'master-keys']);
  });

  it('have time to drain', () => {
    // DRAIN_DELAY's default, and what a process then takes at the most.
    for (const { spec } of [web, worker, webhooks]) expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(5 + 14);
  });

  it('stand apart, so that one node or zone that is lost does not take all of a kind', () => {
    for (const { metadata, spec } of [web, worker, webhooks]) {
      const { topologySpreadConstraints: apart } = spec;
      const keys = apart.map(({ topologyKey }) => topologyKey);
      expect(keys).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
      for (const { labelSelector } of apart) expect(labelSelector.matchLabels).toEqual(metadata.labels);
    }
  });

  it('are two of a kind at the least, of which a drained node takes one at a time', () => {
    const { spec } = scaledObject.parse(named('ScaledObject', 'worker'));
    // A number in the Deployment would undo KEDA's with each `apply`.
    expect(named('Deployment', 'worker')['spec']).not.toHaveProperty('replicas');
    for (const name of ['web', 'webhooks']) expect(named('Deployment', name)['spec']).toHaveProperty('replicas', 2);
    expect(spec.minReplicaCount).toBe(2);
    for (const name of ['worker', 'webhooks'])
      expect(named('PodDisruptionBudget', name)['spec']).toHaveProperty('maxUnavailable', 1);
    expect(named('PodDisruptionBudget', 'web')['spec']).toHaveProperty('minAvailable', 1);
  });

  it('are those that services, budgets, the policy and the monitor select, by ports that they have', () => {
    const text = JSON.stringify(manifests.map(({ content }) => content));
    const selected = [...text.matchAll(/"(?:matchLabels|selector)":(\{"app":[^}]*\})/g)].map(
      ([, labels = '{}']) => JSON.parse(labels) as Record<string, string>,
    );
    expect(selected.length).toBeGreaterThan(6);
    for (const labels of selected)
      expect(
        [web, worker, webhooks].some(({ metadata }) =>
          Object.entries(labels).every(([name, value]) => metadata.labels[name] === value),
        ),
      ).toBe(true);
    const portNames = web.spec.containers[0].ports.map(({ name }) => name);
    for (const [, port = ''] of text.matchAll(/"(?:port|targetPort)":"(\w+)"/g)) expect(portNames).toContain(port);
  });
});

describe('in an outage, when no web process is ready,', () => {
  const { spec } = scaledObject.parse(named('ScaledObject', 'worker'));

  it('the page and /scaling are reached all the same, and the API is not', () => {
    expect(named('Service', 'web-operations')['spec']).toHaveProperty('publishNotReadyAddresses', true);
    expect(named('Service', 'web')['spec']).not.toHaveProperty('publishNotReadyAddresses');
    const { hostname } = new URL(spec.triggers[0].metadata.url);
    expect(hostname).toBe('web-operations.transfers.svc');
  });

  it('no worker is taken away for the want of an answer', () => {
    expect(spec.fallback).toMatchObject({ replicas: spec.minReplicaCount, behavior: 'currentReplicasIfHigher' });
  });
});

const replacement = z.looseObject({
  source: z.object({ kind: z.literal('ConfigMap'), name: z.string(), fieldPath: z.string() }),
  targets: z.tuple([
    z.looseObject({
      fieldPaths: z.array(z.string()),
      options: z.object({ delimiter: z.string(), index: z.number() }),
    }),
  ]),
});

describe('the alerts', async () => {
  const { spec } = named('PrometheusRule', 'transfers') as unknown as { spec: { groups: { rules: AlertRule[] }[] } };
  const rules = spec.groups.flatMap((group) => group.rules);
  const shipped = await readAlertRules();

  it('are those of deploy/alerts.yml and that of the backups, and their links need no label of the Prometheus', () => {
    const { data } = named('ConfigMap', 'links') as { data: { operations: string } };
    const linked = JSON.stringify(shipped).replaceAll('{{ $externalLabels.operations }}', data.operations);
    expect(rules.filter(({ alert }) => alert !== 'BackupOld')).toEqual(JSON.parse(linked));
    expect(rules.at(-1)?.alert).toBe('BackupOld');
  });

  it('keep others silent as deploy/alertmanager.yml does', async () => {
    const { inhibit_rules: inhibited } = parse(await readFile(join(root, 'deploy/alertmanager.yml'), 'utf8')) as {
      inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
    };
    const { spec: config } = named('AlertmanagerConfig', 'transfers') as unknown as {
      spec: {
        inhibitRules: Record<'sourceMatch' | 'targetMatch', { name: string; matchType: string; value: string }[]>[];
      };
    };
    const textOf = (matchers: { name: string; matchType: string; value: string }[]) =>
      matchers.map(({ name, matchType, value }) => `${name}${matchType}"${value}"`);
    expect(config.inhibitRules.map(({ sourceMatch, targetMatch }) => [sourceMatch, targetMatch].map(textOf))).toEqual(
      inhibited.map(({ source_matchers: sources, target_matchers: targets }) => [sources, targets]),
    );
  });

  it('lead to the page at the one address that links.yaml names, which is not applied itself', async () => {
    const text = await readFile(join(folder, 'kustomization.yaml'), 'utf8');
    const { replacements } = z.looseObject({ replacements: z.tuple([replacement]) }).parse(parse(text));
    const [{ source, targets }] = replacements;
    const { metadata } = named(source.kind, source.name) as { metadata: unknown };
    expect(named(source.kind, source.name)).toHaveProperty(source.fieldPath);
    expect(metadata).toMatchObject({ annotations: { 'config.kubernetes.io/local-config': 'true' } });
    expect(targets[0].fieldPaths).toEqual(['spec.groups.*.rules.*.annotations.runbook_url']);
    const { delimiter, index } = targets[0].options;
    for (const { alert, annotations } of rules) {
      const parts = annotations.runbook_url.split(delimiter);
      parts[index] = 'https://ops.example';
      expect(parts.join(delimiter)).toBe(`https://ops.example/docs/operations.md#${alert.toLowerCase()}`);
    }
  });
});

const cronJob = z.looseObject({
  spec: z.looseObject({
    suspend: z.boolean(),
    jobTemplate: z.looseObject({
      spec: z.looseObject({
        template: z.looseObject({
          spec: z.looseObject({
            containers: z.tuple([z.looseObject({ image: z.string(), command: z.array(z.string()) })]),
          }),
        }),
      }),
    }),
  }),
});

describe('backups', () => {
  const jobs = ['backup', 'restore'].map((name) => cronJob.parse(named('CronJob', name)).spec);
  const scripts = jobs.map(({ jobTemplate }) => jobTemplate.spec.template.spec.containers[0].command.at(-1) ?? '');
  let backups: string;
  beforeAll(async () => {
    backups = join(scratch, 'backups');
    await mkdir(backups);
  });

  /** Runs a script of the manifests where MongoDB's tools only tell what they are called with. */
  async function runScript(script: string, isFailing = false): Promise<string> {
    const tool = (name: string) =>
      `${name}() { echo "${name} $*"; for word; do case $word in --archive=*) : >>"\${word#--archive=}";; esac; done; return ${Number(isFailing)}; }`;
    const text = [...['mongodump', 'mongorestore'].map(tool), script].join('\n').replaceAll('/backups', backups);
    return run('sh', ['-euc', text]);
  }

  it('are made with the image that Compose has, once a day, and are restored only when told to', async () => {
    const compose = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: { mongodb: { image: string } };
    };
    for (const { jobTemplate } of jobs)
      expect(jobTemplate.spec.template.spec.containers[0].image).toBe(compose.services.mongodb.image);
    expect(jobs.map(({ suspend }) => suspend)).toEqual([false, true]);
  });

  it('keep the last fourteen, count only once they are whole, and the newest is restored', async () => {
    const [dump = '', restore = ''] = scripts;
    for (let day = 10; day < 30; day += 1) await writeFile(join(backups, `transfers-202601${day}T000000Z.gz`), '');
    await expect(runScript(dump, true)).rejects.toThrow();
    expect((await readdir(backups)).filter((name) => name.endsWith('.gz'))).toHaveLength(20);
    expect(await runScript(dump)).toContain('--oplog --gzip --archive=');
    const kept = (await readdir(backups)).toSorted();
    expect(kept).toHaveLength(14);
    expect(kept[0]).toBe('transfers-20260117T000000Z.gz');
    const newest = kept.at(-1) ?? '';
    expect(newest).toMatch(/^transfers-\d{8}T\d{6}Z\.gz$/);
    expect(await runScript(restore)).toContain(`--oplogReplay --gzip --archive=${join(backups, newest)}`);
  });
});
