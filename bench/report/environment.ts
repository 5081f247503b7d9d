import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Servers } from '../servers/servers.ts';

/** What the figures depend on. */
export interface Environment {
  readonly mongodb: string;
  readonly durability: string;
  readonly redis: string;
  readonly node: string;
  /** Versions of the libraries that do the work. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  /** Processes that wanted to run in the minute before: near 0 on a quiet machine. */
  readonly loadBefore: number;
}

const libraries = ['mongodb', 'bullmq', 'ioredis', 'express'] as const;
const bytesPerGiB = 2 ** 30;

export async function describeEnvironment({ engine, redisUrl }: Servers): Promise<Environment> {
  const redis = new Redis(redisUrl);
  const info = await redis.info('server');
  await redis.quit();
  const redisVersion = /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
  return {
    mongodb: engine.name,
    durability: engine.durability,
    redis: `Redis ${redisVersion}, append-only file, synchronised every second`,
    node: process.version,
    libraries: Object.fromEntries(libraries.map((name) => [name, versionOf(name)])),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / bytesPerGiB),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

function versionOf(library: string): string {
  const path = join(import.meta.dirname, '../../node_modules', library, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

export function environmentLines(environment: Environment): string[] {
  const { mongodb, durability, redis, node, cores, processor, memoryGiB, loadBefore } = environment;
  const versions = Object.entries(environment.libraries).map(([name, version]) => `${name} ${version}`);
  return [
    `MongoDB   ${mongodb}`,
    `          ${durability}`,
    `Redis     ${redis}`,
    `Node      ${node}; ${versions.join(', ')}`,
    `Machine   ${cores} cores shared by servers, service and load (${processor}), ${memoryGiB} GiB; load before ${loadBefore}`,
  ];
}
