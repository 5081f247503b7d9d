import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { nodeOptions } from '../../local/service-process.ts';
import { containerImage } from '../../local/redis.ts';
import { secretNames } from '../../src/settings/config.ts';
import { settingsOfProcess } from '../../src/settings/settings.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

const service = z.looseObject({
  image: z.string(),
  secrets: z.array(z.string()),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  container_name: z.undefined().optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()).min(2) }).optional(),
  mem_limit: z.string(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  read_only: z.boolean(),
  user: z.string().optional(),
  tmpfs: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
});
const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});
const byDigest = /^[a-z]+(?:\/[a-z]+)?:v?\d+\.\d+\.\d+(-[a-z]+)?@sha256:[0-9a-f]{64}$/;

/** Paths that a command of Node runs. */
const entriesIn = (command: readonly string[]) => command.filter((word) => word.endsWith('.ts'));

describe('docker-compose.yml', async () => {
  const { services, secrets } = composeFile.parse(parse(await read('docker-compose.yml'), { merge: true }));
  const { web, worker, webhooks, mongodb, redis, admin, backup, restore, prometheus, grafana } = services;

  const ofPosting = ['POSTING_GROUPS_IN_FLIGHT'];
  const ofWebhooks = ['MASTER_KEYS', 'WEBHOOK_ALLOW_LOCAL'];
  it.each([
    ['web', web, settingsOfProcess.web, []],
    ['admin', admin, settingsOfProcess.admin, []],
    ['worker', worker, settingsOfProcess.worker, ofWebhooks],
    ['webhooks', webhooks, settingsOfProcess.worker, ofPosting],
  ] as const)('passes every setting of %s through, and no other', (_, each, { shape }, ofOthers: readonly string[]) => {
    const given = Object.entries(each?.environment ?? {});
    const own = Object.keys(shape).filter((name) => !ofOthers.includes(name));
    expect(given.map(([name]) => name.replace(/_FILE$/, '')).toSorted()).toEqual(own.toSorted());
    const fixed = {
      ...{ HOST: '0.0.0.0', PORT: '3000', OPS_HOST: '0.0.0.0', OPS_PORT: '3001' },
      WORKER_ROLE: each === worker ? 'posting' : 'webhooks',
    };
    for (const [name, value] of given) {
      const setting = name.replace(/_FILE$/, '');
      if (secretNames.has(setting))
        expect([name, value]).toEqual([`${setting}_FILE`, `/run/secrets/${setting.toLowerCase()}`]);
      else expect(value).toBe(Object.entries(fixed).find(([known]) => known === name)?.[1] ?? `\${${name}:-}`);
    }
  });

  it.each(Object.entries(services))('hands %s its secrets as files, and no other', (_, each) => {
    const named =
      JSON.stringify([each.environment, each.entrypoint, each.command]).match(/(?<=\/run\/secrets\/)\w+/g) ?? [];
    const read =
      each === mongodb ? ['mongodb_password', 'mongodb_root_password'] : each === prometheus ? ['ops_token'] : [];
    expect([...each.secrets].toSorted()).toEqual([...named, ...read].toSorted());
    for (const name of each.secrets) expect(secrets[name]?.file).toBe(`./deploy/secrets/${name}`);
  });

  it('gives the master keys to nobody who does not open secrets', () => {
    const knowing = Object.entries(services).filter(([, each]) => each.secrets.includes('master_keys'));
    expect(knowing.map(([name]) => name)).toEqual(['web', 'webhooks', 'admin']);
  });

  it('takes every image by its digest, and builds without the packages’ scripts', async () => {
    const dockerfile = await read('Dockerfile');
    expect(/^FROM (\S+)$/m.exec(dockerfile)?.[1]).toMatch(byDigest);
    expect(dockerfile).toMatch(/npm ci .*--ignore-scripts/);
    for (const each of [mongodb, redis, prometheus, grafana]) expect(each?.image).toMatch(byDigest);
    expect(containerImage).toMatch(byDigest);
    const nodeVersion = /^node_version=(\S+)$/m.exec(await read('script/node'))?.[1];
    expect(dockerfile).toContain(`FROM node:${nodeVersion}-slim@`);
  });

  it.each(Object.entries(services))(
    'confines %s: a limit of memory, no rights, nothing of the image changed',
    (_, each) => {
      expect(each.mem_limit).toMatch(/^(\d+m|\$\{MONGODB_MEMORY:-2g\})$/);
      expect(each).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true });
    },
  );

  it('starts servers as their own users, who without rights could not become them, and lets them write what they must', () => {
    expect([mongodb?.user, redis?.user]).toEqual(['mongodb', 'redis']);
    expect(mongodb?.tmpfs).toEqual(['/tmp', '/run/mongodb']);
  });

  it('leaves Redis as much room again as its keys may take, for the copy that writes its file', () => {
    const mebibytes = (text = '') => Number.parseInt(text, 10);
    const keysMax = redis?.command?.[redis.command.indexOf('--maxmemory') + 1];
    expect(mebibytes(redis?.mem_limit)).toBeGreaterThanOrEqual(2 * mebibytes(keysMax));
  });

  it('keeps Redis’s keys, and makes the replica set that MONGODB_URI names', () => {
    expect(redis?.command?.join(' ')).toContain('--appendonly yes --maxmemory 256mb --maxmemory-policy noeviction');
    expect(mongodb?.command).toContain('rs0');
    expect(mongodb?.entrypoint?.[0]).toBe('mongodb-start');
    expect(mongodb?.healthcheck?.test.at(-1)).toContain('mongodb-ready.js');
  });

  it('dumps and restores all of MongoDB, of one moment, with the tools of its own image', () => {
    for (const each of [backup, restore]) expect(each?.image).toBe(mongodb?.image);
    expect(backup?.command).toEqual(['--oplog', '--gzip', '--archive']);
    // Nothing is dropped, so that a restore into what is in use fails at what is there.
    expect(restore?.command).toEqual(['--bypassDocumentValidation', '--oplogReplay', '--gzip', '--archive']);
  });

  it('starts workers in any number, each once the servers are healthy', () => {
    for (const each of [web, worker, webhooks]) {
      expect(Object.keys(each?.depends_on ?? {})).toEqual(['mongodb', 'redis']);
      expect(each?.healthcheck?.test.join(' ')).toContain('/readyz');
    }
  });

  it('publishes operations on this machine alone, the API too unless told otherwise, and no server', () => {
    expect(web?.ports).toEqual(['${HOST:-127.0.0.1}:${PORT:-3000}:3000', '127.0.0.1:${OPS_PORT:-3001}:3001']);
    for (const each of [worker, webhooks, admin, mongodb, redis]) expect(each?.ports).toBeUndefined();
  });

  it('runs files that exist and are in the image', async () => {
    const dockerfile = await read('Dockerfile');
    const copied = [...dockerfile.matchAll(/^COPY (\w+) \.\//gm)].map(([, folder]) => folder);
    const procfile = await read('Procfile');
    const commands = [web, worker, webhooks, admin].flatMap((each) => [
      ...(each?.command ?? []),
      ...(each?.entrypoint ?? []),
    ]);
    for (const entry of entriesIn([...commands, ...procfile.split(/\s+/)])) {
      expect(existsSync(join(root, entry)), entry).toBe(true);
      expect(copied).toContain(entry.split('/')[0]);
    }
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toContain('npm ci --omit=dev');
  });

  it('starts the processes as everything else does', async () => {
    const commands = {
      web: ['node', ...nodeOptions.web, 'src/main.ts'],
      worker: ['node', ...nodeOptions.worker, 'workers/main.ts'],
    };
    expect(web?.command).toEqual(commands.web);
    for (const each of [worker, webhooks]) expect(each?.command).toEqual(commands.worker);
    expect(await read('Dockerfile')).toContain(`CMD [${commands.web.map((word) => `"${word}"`).join(', ')}]`);
    for (const name of ['worker', 'webhooks'])
      expect(await read(`deploy/kubernetes/${name}.yaml`)).toContain(`[${commands.worker.join(', ')}]`);
    for (const path of ['package.json', 'README.md'])
      for (const command of Object.values(commands)) expect(await read(path)).toContain(command.slice(1).join(' '));
    // A dyno has 512 MB: half of the young generation (docs/deployment.md).
    const onDyno = commands.web.slice(1).join(' ').replaceAll('=64', '=32');
    for (const started of [onDyno, commands.worker.slice(1).join(' ')])
      expect(await read('Procfile')).toContain(started);
  });
});
