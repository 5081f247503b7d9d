import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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
function scriptNode(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: `${programs}:${SYSTEM_PATH}`, HOME: folder };
  return run(join(project, 'script/node'), args, { cwd: programs, env });
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
      'for package; do :; done',
      'folder=node_modules/${package%@*}/bin',
      'mkdir -p "$folder"',
      `ln -s "${node}" "$folder/node"`,
    ].join('\n'),
  );
}

describe('script/node', () => {
  it('takes the Node of the PATH where it is new enough', async () => {
    await program('node', 'if [ "$1" = --version ]; then echo v24.0.0; else echo "mine: $*"; fi');
    expect((await scriptNode('a b', 'c')).stdout).toBe('mine: a b c\n');
  });

  it('takes the pinned one where that is too old, for the programs it starts too', async () => {
    await program('node', 'echo v20.19.0');
    await pin();
    const { stdout } = await scriptNode('-p', 'require("child_process").execSync("node --version").toString()');
    expect(stdout.trim()).toBe(process.version);
  });

  it('installs the pinned one once, also when two start at the same moment', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls(process.execPath);
    const both = await Promise.all([scriptNode('--version'), scriptNode('--version')]);
    expect(both.map(({ stdout }) => stdout.trim())).toEqual([process.version, process.version]);
    const calls = (await readFile(join(folder, 'npm-calls'), 'utf8')).trim().split('\n');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain(`@${version}`);
  });

  it('says what to do where the pinned one does not run here', async () => {
    await program('node', 'echo v20.19.0');
    await program('broken', 'exit 127');
    await npmThatInstalls(join(programs, 'broken'));
    await expect(scriptNode('--version')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/musl[^]*install Node 24/) as unknown,
    });
  });

  it('says what to do where npm fails', async () => {
    await program('node', 'echo v20.19.0');
    await program('npm', 'echo "no network" >&2; exit 1');
    await expect(scriptNode('--version')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no network[^]*install Node 24/) as unknown,
    });
  });

  it('is not stopped by a lock whose owner is gone', async () => {
    await program('node', 'echo v20.19.0');
    await npmThatInstalls(process.execPath);
    await mkdir(join(project, '.node'));
    await symlink('999999999', join(project, '.node/install.lock'));
    expect((await scriptNode('--version')).stdout.trim()).toBe(process.version);
  });
});
