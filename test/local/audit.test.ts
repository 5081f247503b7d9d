import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { audit } from '../../script/audit.ts';

let programs: string;
beforeEach(async () => {
  programs = await mkdtemp(join(tmpdir(), 'test-npm-'));
  vi.stubEnv('PATH', `${programs}:/usr/bin:/bin`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(programs, { recursive: true });
});

/** An npm that notes how it was called, prints something, and ends. */
async function npm(output: unknown, exitCode: number, before = ''): Promise<void> {
  await writeFile(join(programs, 'output'), typeof output === 'string' ? output : JSON.stringify(output));
  const script = `#!/bin/sh\nprintf '%s ' "$@" >${programs}/called\n${before}\ncat ${programs}/output\nexit ${exitCode}\n`;
  await writeFile(join(programs, 'npm'), script);
  await chmod(join(programs, 'npm'), 0o755);
}

const report = (severity: string) => ({
  vulnerabilities: { 'left-pad': { name: 'left-pad', severity, range: '<1.3.0', via: [], effects: [] } },
  metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 1 } },
});

const none = { ...report('low'), vulnerabilities: {} };
const unknown = 'the registry answers no audit';
const noAudit = { message: '405 Method Not Allowed - POST https://registry.example/-/npm', statusCode: 405 };

describe('the audit of the packages', () => {
  it.each<[string, unknown, number, string, string]>([
    ['a high vulnerability', report('high'), 1, 'vulnerable', 'left-pad <1.3.0: high'],
    ['a critical vulnerability', report('critical'), 1, 'vulnerable', 'left-pad <1.3.0: critical'],
    ['nothing known', none, 0, 'clean', ''],
    ['a vulnerability of a lower level', report('moderate'), 1, 'clean', ''],
    ['a registry without audit', noAudit, 1, 'unknown', unknown],
    ['a registry that answers nonsense', '<html>registry.example</html>', 1, 'unknown', unknown],
    ['a registry that is away', '', 1, 'unknown', unknown],
  ])('tells %s', async (_, output, exitCode, state, text) => {
    await npm(output, exitCode);
    const told = await audit();
    expect(told).toMatchObject({ state, text: expect.stringContaining(text) as string });
    expect(told.text).not.toContain('registry.example');
    const called = await readFile(join(programs, 'called'), 'utf8');
    expect(called).toContain('audit --json --package-lock-only --omit=dev ');
  });

  it('does not wait for a registry that never answers, nor for an npm that is not there', async () => {
    await npm(report('high'), 1, 'exec sleep 600');
    expect((await audit(100)).state).toBe('unknown');
    await rm(join(programs, 'npm'));
    vi.stubEnv('PATH', programs);
    expect((await audit()).state).toBe('unknown');
  });
});

describe('script/test', () => {
  /** A project of script/test alone, whose tools do nothing but end with what is given for their names. */
  async function checks(endings: Record<string, number>): Promise<{ code: number; output: string }> {
    const folder = join(programs, 'project');
    await mkdir(join(folder, 'script'), { recursive: true });
    await cp(join(import.meta.dirname, '../../script/test'), join(folder, 'script/test'));
    const cases = Object.entries(endings).map(([name, code]) => `*/${name}) echo "${name} says this"; exit ${code} ;;`);
    const program = (name: string, text: string) => writeFile(join(folder, 'script', name), text, { mode: 0o755 });
    await program('bootstrap', '#!/bin/sh\n');
    await program('node', `#!/bin/sh\ncase $1 in\n${cases.join('\n')}\nesac\n`);
    return new Promise((resolve) => {
      execFile(join(folder, 'script/test'), (error, stdout) => {
        resolve({ code: Number(error?.code ?? 0), output: stdout });
      });
    });
  }

  it('passes where the registry does not answer, and says that nothing was checked', async () => {
    const { code, output } = await checks({ 'audit.ts': 75 });
    expect(code).toBe(0);
    expect(output).toMatch(/^audit +not checked: audit\.ts says this$/m);
    for (const name of ['format', 'lint-and-types', 'dead-code', 'imports'])
      expect(output).toMatch(new RegExp(`^${name} +ok$`, 'm'));
  });

  it('fails for what is known of the packages, and for any other check, and shows what it said', async () => {
    const vulnerable = await checks({ 'audit.ts': 1 });
    expect(vulnerable.code).toBe(1);
    expect(vulnerable.output).toMatch(/^audit +FAILED\n {2}audit\.ts says this$/m);
    // How many imports are wrong is what that tool ends with.
    const wrong = await checks({ depcruise: 75 });
    expect(wrong.code).toBe(1);
    expect(wrong.output).toMatch(/^imports +FAILED\n {2}depcruise says this\naudit +ok$/m);
  });
});
