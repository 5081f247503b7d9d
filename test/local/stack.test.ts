import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { runScript, testTimeoutMs, useLocalStack } from './local-stack.ts';

const stack = useLocalStack();
const admin = join(import.meta.dirname, '../../src/admin/main.ts');
/** Told the environment's file, Node and the command line. */
const program = `set -eu; . "$1"; eval "$("$2" "$3" sandbox create --name CI --currency EUR)"
exec "$2" --input-type=module -e '
  const { BASE_URL, WORKSPACE_ID, WALLET_EUR_2 } = process.env;
  if (!WALLET_EUR_2.startsWith("wa_")) throw new Error(WALLET_EUR_2);
  const { status } = await fetch(BASE_URL + "/docs");
  console.log(JSON.stringify({ reference: status, sandbox: WORKSPACE_ID.slice(0, 3) }));'`;

describe('script/start', { timeout: testTimeoutMs }, () => {
  it('brings up what a signed transfer needs, and script/demo follows one to COMPLETED', async () => {
    const child = await stack.start(['--workers', '1']);
    await waitFor(() => stack.readJson('processes.json').then(Boolean, () => false));
    const early = runScript('demo', ['--data', stack.folder()]);
    const banner = await child.ready;
    expect(banner).toMatch(/MongoDB {5}\S/);
    expect(banner).toContain('script/demo');
    expect(banner).toMatch(/export BASE_URL=http.*\n *export API_KEY=ak_\w+\n *export API_SECRET=\S+\n/);
    expect(banner).toMatch(/Reference {3}http:\/\/127\.0\.0\.1:\d+\/docs /);

    const [, port] = /API {9}http:\/\/127\.0\.0\.1:(\d+)\n/.exec(banner)!;
    expect((await fetch(`http://127.0.0.1:${port}/`)).url).toBe(`http://127.0.0.1:${port}/docs`);
    await expect(fetch(`http://127.0.0.2:${port}/`), 'listens on all addresses').rejects.toThrow('fetch failed');

    const demo = await early;
    expect(demo.output).toMatch(/^script\/start is still starting; waiting for it \.\.\.\n/);
    const { apiSecret } = await stack.readJson<{ apiSecret: string }>('demo.json');
    expect(demo.output).toMatch(/: COMPLETED\n {2}alice {2}1000\.00 -> 999\.00 USD\n {2}bob {4}100\.00 -> 101\.00 USD/);
    expect(demo.output).toMatch(
      /> Prefer: wait=\d+\n[^]*\n {2}signed:\n {4}GET\n {4}\/api\/v1\/transfer\/query\/orders\/tr_/,
    );
    expect(demo.output).not.toContain(apiSecret);
    expect(demo.code).toBe(0);

    const tour = await runScript('demo', ['--tour', '--data', stack.folder()]);
    expect(tour.output).toMatch(/CAPTURE tr_\w+: COMPLETED\n {3}alice {2}1184\.50 USD, 0\.00 of it held/);
    expect(tour.output).toContain('The hold, in the end: CAPTURED, 65.50 captured, 14.50 released');
    expect(tour.output).toMatch(/TRANSFER tr_\w+: SCHEDULED until \S+\n {3}TRANSFER tr_\w+: CANCELLED\n/);
    expect(tour.output).toMatch(/nothing is stored\n {3}COMPLETED\n {3}alice {2}910\.00 USD, 910\.00 available\n/);
    expect(tour.output).toContain('line 2: refused, WA4041 WALLET_NOT_FOUND\n');
    expect(tour.output).toMatch(/line 1: .*FAILED BATCH_FAILED\n {3}line 2: .*FAILED INSUFFICIENT_BALANCE\n/);
    expect(tour.output).toMatch(
      / {3}JOURNAL tr_\w+: COMPLETED\n {3}leg 0 {2}alice -> bob {4}20\.00 USD\n {3}leg 1 {2}bob {3}-> fees {3}2\.00 USD {2}Fee\n/,
    );
    expect(tour.output).toMatch(
      / {3}REVERSAL tr_\w+: COMPLETED\n {3}leg 0 {2}tax {3}-> bob {4}0\.75 USD\n {3}leg 1 {2}bob {3}-> alice {2}10\.00 USD\n/,
    );
    expect(tour.output).toContain('Of the sale came back: 10.00, 0.00, 0.75\n');
    expect(tour.output).toMatch(/ {3}(wa_\w+): carol-\S+\n {3}\1: the same\n/);
    expect(tour.output).toMatch(/ {3}FROZEN\n {3}TRANSFER tr_\w+: FAILED WALLET_NOT_ACTIVE\n/);
    expect(tour.output).toMatch(/ {2}closing {2}0\.00: 2 flows, 30\.00 out, 30\.00 in\n/);
    expect(tour.output).toMatch(/ {3}At \S+ it held -30\.00\n/);
    expect(tour.output).toMatch(
      / {3}TRANSFER tr_\w+: FAILED LIMIT_EXCEEDED\n {3}limit daily: 25\.00 of 40\.00 used\n {3}alert low: raised\n/,
    );
    expect(tour.output).toContain('The hold: EXPIRED, 60.00 released\n');
    expect(tour.output).toMatch(
      /: orders that came due 3, holds that expired 0\n( {3}TRANSFER tr_\w+: COMPLETED at \S+\n){3}/,
    );
    expect(tour.output).toContain('The books are balanced.');
    expect(tour.code).toBe(0);
    for (const name of ['stack.json', 'demo.json', 'master-keys.json']) {
      expect((await stat(join(stack.folder(), name))).mode & 0o777).toBe(0o600);
    }
  });

  it('runs in the background, for programs that source its environment and make a workspace of their own', async () => {
    const demo = await stack.readJson<{ workspaceId: string }>('demo.json');
    const start = (...more: string[]) => runScript('start', ['--data', stack.folder(), ...more]);
    try {
      const started = await start('--background', '--workers', '1');
      expect(started).toMatchObject({ code: 0, output: expect.stringContaining('script/start --stop') as unknown });
      const told = ['sh', join(stack.folder(), 'env'), process.execPath, admin];
      const sourced = await promisify(execFile)('sh', ['-c', program, ...told]);
      expect(sourced.stdout).toBe('{"reference":200,"sandbox":"ts_"}\n');
      expect(await stack.readJson('demo.json')).toEqual(demo);
      const again = await start('--background');
      expect(again).toMatchObject({ code: 1, output: expect.stringContaining('already running') as unknown });
      expect(await start('--stop')).toEqual({ code: 0, output: 'Stopped.' });
    } finally {
      const stopped = await start('--stop');
      expect.soft(stopped).toMatchObject({ code: 0, output: expect.stringContaining('No stack runs') as unknown });
    }
    for (const name of ['env', 'stack.json', 'processes.json'])
      await expect(stat(join(stack.folder(), name))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('says in the background too why it does not start', async () => {
    const refused = await runScript('start', ['--background', '--data', stack.folder()], { REDIS_URL: 'nonsense' });
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/the stack did not start:[^]*REDIS_URL/) as unknown,
    });
  });

  it('names the port that is taken and the setting to change, and starts nothing', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve((server.address() as { port: number }).port);
      });
    });
    try {
      const refused = await stack.start([], { PORT: String(port), HOST: '127.0.0.1' });
      await expect(refused.ready).rejects.toThrow(new RegExp(`Port ${port} .* taken. Set PORT `));
      expect((await refused.exited).code).toBe(1);
      await expect(stat(join(stack.folder(), 'processes.json'))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      server.close();
    }
  });
});

// Nothing runs there: at once.
describe.concurrent('script/start, in a folder that is not its own', () => {
  it('touches nothing, with --fresh either', async () => {
    const foreign = await mkdtemp(join(tmpdir(), 'foreign-'));
    await writeFile(join(foreign, 'precious.txt'), 'mine');
    const refused = await runScript('start', ['--data', foreign, '--fresh']);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('not a data folder') as unknown });
    expect(await readFile(join(foreign, 'precious.txt'), 'utf8')).toBe('mine');
    await rm(foreign, { recursive: true });
  });
});

describe.concurrent('wrong use', () => {
  it('script/start exits with 2 and says what there is', async () => {
    const { code, output } = await runScript('start', ['--workers', '0']);
    expect([code, output]).toEqual([2, expect.stringMatching(/from 1 to[^]*--workers N/)]);
  });

  it('script/demo says what to start where nothing runs', async () => {
    const { code, output } = await runScript('demo', ['--data', join(stack.folder(), 'nothing')]);
    expect([code, output]).toEqual([1, expect.stringContaining('script/start')]);
  });
});
