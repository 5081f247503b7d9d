import { afterEach, expect, it, vi } from 'vitest';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const admin = commandLine({ MONGODB_URI: uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys });

afterEach(() => {
  vi.useRealTimers();
});

/** The command line runs in this process, whose clock is then off. */
function setClock(aheadMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
}

const workspaces = () => db.collection('workspaces').countDocuments();

it.each([
  [3_600_000, 'ahead of'],
  [-3_600_000, 'behind'],
])(
  'with a clock that is off by %i ms the command line reads, with a warning, and changes nothing',
  async (offMs, how) => {
    await ensureSchema(db);
    const before = await workspaces();
    setClock(offMs);
    const refused = await admin.run('workspace', 'create', '--name', 'late');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('error: nothing was changed: the clock of this machine is 3');
    expect(refused.stderr).toContain(`${how} MongoDB's`);
    expect(refused.stderr).toContain('NTP');
    expect(await workspaces()).toBe(before);
    expect(await db.collection('auditEvents').countDocuments()).toBe(0);
    const listed = await admin.run('workspace', 'list');
    expect(listed.code).toBe(0);
    expect(listed.stderr).toMatch(/^warning: the clock of this machine is/);
  },
);

it('with a clock that is off by less than a minute it changes things, at MongoDB’s time', async () => {
  await ensureSchema(db);
  const startedMs = Date.now();
  setClock(50_000);
  expect((await admin.run('workspace', 'create', '--name', 'early')).code).toBe(0);
  const made = await db.collection('workspaces').findOne({ name: 'early' });
  expect((made?.['createdAt'] as Date).getTime()).toBeLessThan(startedMs + 45_000);
});
