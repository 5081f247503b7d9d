import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from 'signed-wallet-client';
import { run } from '../../local/executables.ts';
import { apiDescription } from '../../script/docs/api-description.ts';
import { clientCalls } from '../../src/http/code-samples.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

const { paths } = apiDescription() as unknown as { paths: Record<string, Record<string, Operation>> };
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const samplesIn = (lang: string) =>
  operations.flatMap((operation) =>
    operation['x-codeSamples'].filter((sample) => sample.lang === lang).map(({ source }) => source),
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the code of each operation', () => {
  it('is there in three languages', () => {
    for (const { operationId, 'x-codeSamples': samples } of operations)
      expect(
        samples.map(({ lang }) => lang),
        operationId,
      ).toEqual(['shell', 'typescript', 'python']);
  });

  it('calls what the TypeScript client has', () => {
    const client = createClient({ baseUrl: 'http://localhost:1', apiKey: 'k', apiSecret: 's' });
    for (const [operationId, name] of Object.entries(clientCalls)) {
      expect(operations.map((operation) => operation.operationId)).toContain(operationId);
      const called = name.split('.').reduce((owner: unknown, part) => (owner as Record<string, unknown>)[part], client);
      expect(called, name).toBeTypeOf('function');
    }
  });

  it('is of the types of the TypeScript client', async () => {
    const client = join(process.cwd(), 'packages/client/src/index.ts');
    const head = `import { createClient } from '${client}';\ndeclare const baseUrl: string, apiKey: string, apiSecret: string;\n`;
    const blocks = samplesIn('typescript').map((source) => `{${source.replace(/^import .*$/m, '')}}\n`);
    const program = join(folder, 'samples.ts');
    await writeFile(program, head + blocks.join(''));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--ignoreConfig'];
    const modern = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
    const roots = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, ...flags, ...modern, ...roots, program], process.env).catch((error: unknown) => {
      throw new Error((error as { stdout?: string }).stdout ?? String(error));
    });
  });

  it('is Python that its client takes', async () => {
    const source = join(process.cwd(), 'packages/client-python/src');
    const known = existsSync(source);
    // Nothing listens: what the client would not take is told before a connection is tried.
    const blocks = samplesIn('python').map(
      (sample) =>
        `def sample():\n${sample.replaceAll(/^/gm, '    ')}\ntry:\n    sample()\n    raise SystemExit("answered")\nexcept TransportError:\n    pass\n`,
    );
    const names = 'base_url, api_key, api_secret = "http://127.0.0.1:1", "k", "s"\n';
    const program = join(folder, 'samples.py');
    const one = `attempts_max=1, base_url=base_url`;
    const text = `from signed_wallet_client import TransportError\n${names}${blocks.join('')}`.replaceAll(
      'base_url=base_url',
      one,
    );
    await writeFile(program, text);
    const args = known ? [program] : ['-m', 'py_compile', program];
    await run('python3', args, { ...process.env, PYTHONPATH: source });
  });

  it('is a shell’s: each line is read as it is meant', async () => {
    const program = join(folder, 'samples.sh');
    await writeFile(program, `request() { echo "$1 $2 $#"; }\n${samplesIn('shell').join('\n')}\n`);
    const said = await run('sh', [program], process.env);
    const lines = said.trim().split('\n');
    expect(lines).toHaveLength(operations.length);
    for (const line of lines) expect(line).toMatch(/^(GET \S+ 2|POST \S+ [23])$/);
  });
});
