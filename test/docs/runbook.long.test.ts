import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCollections } from '../../src/storage/collections.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startService, type RunningService } from '../support/service.ts';
import { operatorsPages, readPage } from './pages.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const root = join(import.meta.dirname, '../..');
const opsToken = 'token-of-the-runbook-test';
const commandMaxMs = 60_000;
const run = promisify(execFile);

interface Block {
  readonly page: string;
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
  /** Why it cannot be run here, in the page's own words. */
  readonly notRun: string | undefined;
}

async function blocksOf(page: string): Promise<Block[]> {
  const blocks: Block[] = [];
  let heading = '';
  const form = /^#+ (.+)$|(?:^ *<!-- not run: (.+) -->\n\n)?^( *)```sh\n([\s\S]*?)^ *```$/gm;
  for (const [, title, notRun, indent = '', commands] of (await readPage(page)).matchAll(form)) {
    if (title !== undefined) heading = title;
    else if (commands !== undefined)
      blocks.push({ page, heading, notRun, commands: commands.replaceAll(`\n${indent}`, '\n').trim() });
  }
  return blocks;
}

const blocks = (await Promise.all(operatorsPages.map(blocksOf))).flat();
const runnable = blocks.filter(({ notRun }) => notRun === undefined);

/** One that was set aside, though it could be posted. */
async function stuckOrder({ mongodbUri }: RunningService, workspace: TestWorkspace): Promise<string> {
  const { workspaceId } = workspace;
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
  const order = pendingOrder({ workspaceId, sourceWalletId, targetWalletId, amount: '1', currency: 'USD' });
  const client = new MongoClient(mongodbUri);
  const { orders, stuckOrders } = openCollections(client.db());
  await orders.insertBatch([order]);
  await stuckOrders.recordFaults([{ workspaceId, orderId: order.id, reason: 'a fault that is gone' }], 1);
  await client.close();
  return order.id;
}

describe('every command of the runbook', () => {
  let service: RunningService;
  let workspace: TestWorkspace;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const masterKeys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
    service = await startService({
      env: {
        OPS_TOKEN: opsToken,
        MASTER_KEYS: masterKeys,
        WEBHOOK_ALLOW_LOCAL: 'true',
      },
    });
    workspace = await createWorkspace(service);
    env = {
      PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
      // As script/node sets it: what the commands load is compiled once.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      MONGODB_URI: service.mongodbUri,
      REDIS_URL: service.redisUrl,
      MASTER_KEYS: masterKeys,
      OPS: service.opsUrl,
      OPS_TOKEN: opsToken,
      WORKSPACE: workspace.workspaceId,
      KEY: workspace.apiKey,
      SECRET: workspace.apiSecret,
      ORDER: await stuckOrder(service, workspace),
      WEBHOOK: await workspace.webhook('http://127.0.0.1:9/events'),
      WALLET: await workspace.wallet('10'),
      STATEMENT: '/dev/null',
    };
  });
  afterAll(() => service.stop());

  it('is in a block, of which these cannot be run here', () => {
    expect(runnable.length).toBeGreaterThan(12);
    const notRun = blocks
      .filter((block) => block.notRun !== undefined)
      .map(({ page, heading }) => `${page}: ${heading}`);
    expect(notRun).toEqual([
      ...Array.from({ length: 2 }, () => 'operations.md: Commands'),
      ...Array.from({ length: 3 }, () => 'operations.md: Backup and restore'),
      'configuration.md: What all processes share',
      'deployment.md: Containers',
      'deployment.md: Kubernetes',
      'deployment.md: Heroku',
      'deployment.md: Tracing',
      'sharding.md: A new database',
    ]);
  });

  it('runs as printed', async () => {
    // The form for a local stack is defined by the page itself. npm takes as long as the command: it runs once, and from then
    // on what it runs.
    const [printed = 'false'] = runnable.map(({ commands }) => commands).filter((text) => text.startsWith('admin() {'));
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: { admin: string };
    };
    let form = printed;
    for (const { page, heading, commands } of runnable) {
      const script = ['set -eu', form, commands].join('\n');
      const ran = await run('sh', ['-c', script], { cwd: root, env, timeout: commandMaxMs }).catch(
        (error: unknown) => error as Error & { stderr: string },
      );
      expect(ran instanceof Error ? `${ran.message}${ran.stderr}` : '', `${page}, ${heading}`).toBe('');
      if (commands.includes('admin ')) form = printed.replace('npm run -s admin --', scripts.admin);
    }
  });
});
