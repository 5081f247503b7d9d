import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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

interface Lock {
  packages: Record<string, unknown>;
}

async function pin(): Promise<void> {
  await mkdir(join(project, `.node/${version}/bin`), { recursive: true });
  await symlink(process.execPath, join(project, `.node/${version}/bin/node`));
}

/** An npm that "installs" the Node that runs this test, slowly enough for two of them to meet, and notes each call. @param last what it does in the end. */
function npmThatInstalls(last = `ln -s "${process.execPath}" "$folder/node"`): Promise<void> {
  return program(
    'npm',
    [
      `echo "$@" >>"${folder}/npm-calls"`,
      'sleep 0.3',
      `cp package-lock.json "${folder}/installed-lock.json"`,
      `folder=$(sed -n 's/.*"\\(node_modules\\/[^"]*\\)".*/\\1/p' package-lock.json)/bin`,
      'mkdir -p "$folder"',
      last,
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

  it('installs the pinned one once, also when two start at the same moment', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls();
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

  it.each([
    ['the pinned one does not run here', 'ln -s /usr/bin/false "$folder/node"', /musl[^]*install Node 24/],
    ['npm fails', 'echo "no network" >&2; exit 1', /no network[^]*install Node 24/],
  ])('says what to do where %s', async (_, last, stderr) => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls(last);
    await expect(scriptNode(['--version'])).rejects.toMatchObject({
      ...{ code: 1, stderr: expect.stringMatching(stderr) as unknown },
    });
  });

  it('is not stopped by a lock whose owner is gone', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls();
    await mkdir(join(project, '.node'));
    await symlink('999999999', join(project, '.node/install.lock'));
    expect((await scriptNode(['--version'])).stdout.trim()).toBe(process.version);
  });
});
