import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { readWorkerSettings } from '../../src/settings/config.ts';
import { startDeliveryThread } from '../../src/webhooks/delivery-thread.ts';
import { waitFor } from '../support/wait-for.ts';

const limits = {
  ...{ wantedEveryMs: 10, mayWorkEveryMs: 10, memoryMib: 16 },
  ...{ pauseFirstMs: 1, pauseMaxMs: 8, steadyMs: 60_000, stopMaxMs: 60_000 },
};

/** A thread that runs `script` in place of the one that sends. It has `tell`, `heard`, and `untilStopped`, a promise. */
function start(
  script: string,
  more: Partial<typeof limits> = {},
  { mayWork = (): boolean => true, isWanted = (): Promise<boolean> => Promise.resolve(true) } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'thread-'));
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId, workerData } from 'node:worker_threads';
    const heard = (kind, act) => parentPort.on('message', (message) => { if (message.kind === kind) act(message); });
    const untilStopped = new Promise((resolve) => { heard('stop', resolve); });
    const tell = (message) => parentPort.postMessage(message);
    const observed = (...call) => tell({ kind: 'observed', calls: [call] });
    ${script}`,
  );
  const observed: unknown[][] = [];
  const logged: Record<string, unknown>[] = [];
  const thread = startDeliveryThread(
    pathToFileURL(file),
    { settings: readWorkerSettings({}), instanceId: 'this-process' },
    { mayWork, isWanted },
    {
      attempted: (...call) => void observed.push(['attempted', ...call]),
      setAside: () => void observed.push(['setAside']),
    },
    pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) }),
    { ...limits, ...more },
  );
  onTestFinished(async () => {
    await thread.close();
    rmSync(folder, { recursive: true });
  });
  return { ...thread, observed, logged };
}

const sending = "tell({ kind: 'started' });";
const stopsInOrder = "untilStopped.then(() => { observed('setAside'); process.exit(0); });";

it('the thread is told whether the process takes part, each time that this changes', async () => {
  let takesPart: boolean = false;
  const script = `${sending} ${stopsInOrder} heard('mayWork', ({ mayWork }) => observed('attempted', mayWork, 0));`;
  const thread = start(script, {}, { mayWork: () => takesPart });
  const hears = (mayWork: boolean) => waitFor(() => thread.observed.at(-1)?.[1] === mayWork);
  await hears(false);
  takesPart = true;
  await hears(true);
  takesPart = false;
  await hears(false);
});

it('what the thread observes is told, and it is stopped in order', async () => {
  const thread = start(`
    observed('attempted', true, 7);
    observed('attempted', workerData.instanceId);
    ${sending} ${stopsInOrder}`);
  await waitFor(() => thread.observed.length === 2);
  await thread.close();
  expect(thread.observed).toEqual([['attempted', true, 7], ['attempted', 'this-process'], ['setAside']]);
  expect(thread.logged).toEqual([]);
});

it('there is none before there is a webhook, nor while MongoDB does not say; and nothing is wrong meanwhile', async () => {
  const answers = [() => Promise.reject(new Error('away')), () => Promise.resolve(false), () => Promise.resolve(true)];
  let asked = 0;
  const isWanted = () => answers[asked++]?.() ?? Promise.resolve(true);
  const thread = start(`observed('attempted', true, 0); ${sending} ${stopsInOrder}`, {}, { isWanted });
  expect(thread.wrongSetting()).toBeUndefined();
  await waitFor(() => thread.observed.length === 1);
  expect(asked).toBe(3);
  expect(thread.logged).toEqual([]);
});

it('one that is never wanted is not there, and closing does not wait for it', async () => {
  const thread = start("throw new Error('unwanted')", {}, { isWanted: () => Promise.resolve(false) });
  await thread.close();
  expect(thread.logged).toEqual([]);
});

it.each([
  ['throws', 'throw new Error("broken")', 'broken'],
  ['rejects', 'void Promise.reject(new Error("rejected"))', 'rejected'],
  ['ends by itself', 'process.exit(3)', undefined],
  ['takes too much memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(0).map(() => ({})));', undefined],
  ['cannot be parsed', 'this is no program', undefined],
])(
  'one that %s is told and started again, with a longer pause, and this process goes on',
  async (_, script, message) => {
    const thread = start(script);
    await waitFor(() => thread.logged.length >= 3, { timeoutMs: 60_000 });
    expect(thread.wrongSetting()?.message).toMatch(/^the thread that sends webhooks has ended/);
    expect(thread.logged.slice(0, 3).map(({ pauseMs }) => pauseMs)).toEqual([1, 2, 4]);
    const [first] = thread.logged;
    expect(first).toMatchObject({ level: 50, ...(message === undefined ? {} : { err: { message } }) });
  },
);

it('its pause grows no further than to its limit, and begins anew after one that ran for long', async () => {
  const ends = start('process.exit(1)', { pauseMaxMs: 2 });
  await waitFor(() => ends.logged.length >= 4, { timeoutMs: 60_000 });
  expect(ends.logged.slice(0, 4).map(({ pauseMs }) => pauseMs)).toEqual([1, 2, 2, 2]);
  const ran = start('process.exit(1)', { steadyMs: 0 });
  await waitFor(() => ran.logged.length >= 2, { timeoutMs: 60_000 });
  expect(ran.logged.slice(0, 2).map(({ pauseMs }) => pauseMs)).toEqual([1, 1]);
});

it('once it sends again, nothing is wrong', async () => {
  const thread = start(`
    import { existsSync, writeFileSync } from 'node:fs';
    const mark = new URL('mark', import.meta.url);
    if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('the first time'); }
    ${sending} ${stopsInOrder}`);
  await waitFor(() => thread.logged.length === 1);
  await waitFor(() => thread.wrongSetting() === undefined);
});

it('one that does not stop is ended, and not started again', async () => {
  const thread = start(`observed('setAside'); await untilStopped; for (;;);`, { stopMaxMs: 1 });
  await waitFor(() => thread.observed.length === 1);
  await thread.close();
  expect(thread.logged).toEqual([]);
});
