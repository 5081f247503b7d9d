import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { webNodeOptions } from '../../embedded/local/service-process.ts';
import { settingsOfProcess } from '../../src/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  container_name: z.undefined().optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()).min(2) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
});
const composeFile = z.looseObject({ services: z.record(z.string(), service) });

/** Paths that a command of Node runs. */
const entriesIn = (command: readonly string[]) => command.filter((word) => word.endsWith('.ts'));

describe('docker-compose.yml', async () => {
  const { services } = composeFile.parse(parse(await read('docker-compose.yml'), { merge: true }));
  const { web, worker, mongodb, redis, admin } = services;

  it('sets only settings that exist, and every one that must be set', () => {
    for (const [process, each] of Object.entries({ web, worker, admin })) {
      const { shape } = settingsOfProcess[process as keyof typeof settingsOfProcess];
      const known = new Set(Object.values(settingsOfProcess).flatMap((schema) => Object.keys(schema.shape)));
      for (const name of Object.keys(each?.environment ?? {})) expect([...known]).toContain(name);
      const needed = ['MONGODB_URI', 'REDIS_URL', 'OPS_TOKEN', ...('MASTER_KEYS' in shape ? ['MASTER_KEYS'] : [])];
      for (const name of needed) expect(each?.environment).toHaveProperty(name);
    }
  });

  it('keeps Redis’s keys, and makes the replica set that MONGODB_URI names', () => {
    expect(redis?.command?.join(' ')).toContain('--appendonly yes --maxmemory-policy noeviction');
    expect(mongodb?.command).toContain('rs0');
    expect(mongodb?.healthcheck?.test.join(' ')).toContain('rs.initiate');
    expect(web?.environment?.['MONGODB_URI']).toContain('replicaSet=rs0');
  });

  it('starts workers in any number, each once the servers are healthy', () => {
    expect(worker?.ports).toBeUndefined();
    for (const each of [web, worker]) {
      expect(Object.keys(each?.depends_on ?? {})).toEqual(['mongodb', 'redis']);
      expect(each?.healthcheck?.test.join(' ')).toContain('/readyz');
    }
  });

  it('publishes operations on this machine alone', () => {
    expect(web?.ports?.filter((port) => port.includes('3001'))).toEqual(['127.0.0.1:${OPS_PORT:-3001}:3001']);
  });

  it('runs files that exist and are in the image', async () => {
    const dockerfile = await read('Dockerfile');
    const copied = [...dockerfile.matchAll(/^COPY (\w+) \.\//gm)].map(([, folder]) => folder);
    const procfile = await read('Procfile');
    const commands = [web, worker, admin].flatMap((each) => [...(each?.command ?? []), ...(each?.entrypoint ?? [])]);
    for (const entry of entriesIn([...commands, ...procfile.split(/\s+/)])) {
      expect(existsSync(join(root, entry)), entry).toBe(true);
      expect(copied).toContain(entry.split('/')[0]);
    }
    expect(dockerfile).toMatch(/^FROM node:24-slim$/m);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toContain('npm ci --omit=dev');
  });

  it('starts the web process as everything else does', async () => {
    const command = ['node', ...webNodeOptions, 'src/main.ts'];
    expect(web?.command).toEqual(command);
    expect(await read('Dockerfile')).toContain(`CMD [${command.map((word) => `"${word}"`).join(', ')}]`);
    for (const path of ['Procfile', 'package.json', 'README.md'])
      expect(await read(path)).toContain(command.slice(1).join(' '));
  });
});
