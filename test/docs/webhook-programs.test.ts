import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';

// Which messages the clients take is a matter of packages/client-conformance: here the programs of the page are run.

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const block = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';

const order = JSON.stringify({ amount: '1.10', bizId: 'café' });
const body = `{"type":"transfer.completed","timestamp":"2026-01-01T09:30:00.021Z","data":${order}}`;
const id = 'ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV';
const secret = `whsec_${Buffer.from('the secret of the receiver, 32 b').toString('base64')}`;
const at = new Date();
const seconds = Math.floor(at.getTime() / 1000);
const signatures: [string, string][] = [
  ['the service', signWebhook([secret], id, seconds, body)],
  ['the library of Standard Webhooks', new Webhook(secret).sign(id, at, body)],
];
const headersOf = (signature: string) => ({
  ...{ 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature },
});

/** By language: what runs it, and what it is given before the page's lines. */
const programs: [string, string, (given: object) => string][] = [
  ['ts', process.execPath, (given) => `const { body, secret, request } = ${JSON.stringify(given)};`],
  [
    'python',
    'python3',
    (given) => `body, secret, headers = map(${JSON.stringify(given)}.get, ('body', 'secret', 'headers'))`,
  ],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-programs-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(programs)(
  'the program in %s takes what was signed, and throws for what was not',
  async (language, command, given) => {
    const runWith = async (headers: object, text = body): Promise<string> => {
      const file = join(folder, `program.${language}`);
      await writeFile(
        file,
        `${given({ body: text, secret, headers, request: { headers } })}\n${block(section('Verify'), language)}`,
      );
      return run(command, [file], { ...process.env, PYTHONPATH: join(root, 'packages/client-python/src') });
    };
    for (const [, signature] of signatures) expect(await runWith(headersOf(signature))).toBe(`${id} 1.10\n`);
    const forged = runWith(headersOf(signatures[0]![1]), body.replace('café', 'cafe'));
    await expect(forged).rejects.toThrow('WebhookError');
  },
);

it('the message of the page is signed with the secret that the page tells', () => {
  const arrives = section('What arrives');
  const [head = '', text = ''] = block(arrives, 'http').trim().split('\n\n');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [told = ''] = /whsec_[\w+/=]+/.exec(arrives) ?? [];
  const sentAt = new Date(Number(header('webhook-timestamp')) * 1000);
  expect(new Webhook(told).sign(header('webhook-id'), sentAt, text)).toBe(header('webhook-signature'));
});
