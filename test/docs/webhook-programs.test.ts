import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const PYTHONPATH = join(root, 'packages/client-python/src');
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const block = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
const programOf = (language: string): string => block(section('Verify'), language);

const secretOf = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;
const [secret, other] = [secretOf('the secret of the receiver, 32 b'), secretOf('another secret of thirty-two byt')];
const body = '{"type":"transfer.completed","timestamp":"2026-01-01T09:30:00.021Z","data":{"bizId":"café"}}';
const id = 'ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV';

type Sign = (secrets: readonly string[], id: string, timestamp: number, body: string) => string;
const signers: [string, Sign][] = [
  ['the service', signWebhook],
  [
    'the library of Standard Webhooks',
    (secrets, ...[messageId, timestamp, text]) =>
      secrets.map((each) => new Webhook(each).sign(messageId, new Date(timestamp * 1000), text)).join(' '),
  ],
];

interface Message {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: string;
  readonly body: string;
}

/** Messages by what they are; each is accepted if its name says so. */
function messages(sign: Sign): Record<string, Message> {
  const now = Math.floor(Date.now() / 1000);
  const signed = (timestamp: number, secrets = [secret]): Message => ({
    ...{ secret, id, timestamp: String(timestamp), body },
    signatures: sign(secrets, id, timestamp, body),
  });
  const right = signed(now);
  return {
    'accepted: signed with the secret': right,
    'accepted: four minutes old': signed(now - 240),
    'accepted: rotated, by the new secret': signed(now, [secret, other]),
    'accepted: rotated, by the old secret': signed(now, [other, secret]),
    'accepted: beside signatures of other kinds': { ...right, signatures: `v1a,AAAA v2 ${right.signatures}` },
    'refused: another body': { ...right, body: body.replace('café', 'cafe') },
    'refused: a space more': { ...right, body: `${body} ` },
    'refused: another id': { ...right, id: 'ev_2' },
    'refused: another time': { ...right, timestamp: String(now - 1) },
    'refused: another secret': { ...right, secret: other },
    'refused: old': signed(now - 310),
    'refused: from a time to come': signed(now + 600),
    'refused: a time that is no number': { ...right, timestamp: 'now' },
    'refused: no time': { ...right, timestamp: '' },
    'refused: no signature': { ...right, signatures: '' },
    'refused: a signature of another version': { ...right, signatures: right.signatures.replace('v1,', 'v2,') },
    'refused: a part of the signature': { ...right, signatures: right.signatures.slice(0, 20) },
    'refused: a signature that is not ASCII': { ...right, signatures: `v1,${'é'.repeat(44)}` },
  };
}

/** Of the two in JavaScript: reads the message in a folder. */
const readMessage = `
  import { readFileSync } from 'node:fs';
  function read(folder) {
    const told = (name) => readFileSync(folder + '/' + name);
    const names = ['id', 'timestamp', 'signature'];
    const headers = Object.fromEntries(names.map((name) => ['webhook-' + name, told(name).toString()]));
    return { secret: told('secret').toString(), headers, body: told('body') };
  }`;

/** A program that is given folders of messages, and prints for each whether it is accepted. */
const programs: [string, string, string, () => string][] = [
  ['the client for TypeScript', process.execPath, 'client.ts', clientProgram],
  ['the client for Python', 'python3', 'program.py', pythonProgram],
];

function clientProgram(): string {
  const [imported = '', call = ''] = programOf('ts').split('\n\n');
  return `${imported.replace('{', '{ WebhookError,')}${readMessage}
    for (const folder of process.argv.slice(2)) {
      const { secret, headers, body } = read(folder);
      const request = { headers };
      try {
        let completed;
        ${call.replace(/console\.log\(.*\)/, 'completed = event.data')}
        console.log(completed?.bizId === 'café' ? 'accepted' : 'read wrongly');
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        console.log('refused');
      }
    }`;
}

function pythonProgram(): string {
  const [imported = '', call = ''] = programOf('python').split('\n\n');
  return `${imported}, WebhookError
import pathlib, sys
for folder in map(pathlib.Path, sys.argv[1:]):
    headers = {'webhook-' + name: (folder / name).read_text('utf-8') for name in ('id', 'timestamp', 'signature')}
    body, secret = (folder / 'body').read_bytes(), (folder / 'secret').read_text()
    completed = None
    try:
${call
  .trim()
  .replace(/print\(.*\)/, 'completed = event.order')
  .replaceAll(/^/gm, '        ')}
        print('accepted' if completed is not None and completed.biz_id == 'café' else 'read wrongly')
    except WebhookError:
        print('refused')
`;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-programs-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A folder for each message, with a file for each part of it. */
async function written(name: string, given: readonly Message[]): Promise<string[]> {
  const write = async (message: Message, index: number): Promise<string> => {
    const path = join(folder, `${name} ${index}`);
    await mkdir(path);
    const { signatures: signature, ...parts } = message;
    const files = Object.entries({ ...parts, signature });
    await Promise.all(files.map(([part, text]) => writeFile(join(path, part), text)));
    return path;
  };
  return Promise.all(given.map(write));
}

describe.each(signers)('what %s signed', (signer, sign) => {
  it.each(programs)('is verified by the program for %s', async (language, command, name, program) => {
    const given = messages(sign);
    const file = join(folder, name);
    await writeFile(file, program());
    const folders = await written(`${signer} ${language}`, Object.values(given));
    const output = await run(command, [file, ...folders], { ...process.env, PYTHONPATH });
    const answers = output.trim().split('\n');
    const told = Object.keys(given).map((each, index) => [each, answers[index]]);
    expect(told).toEqual(Object.keys(given).map((each) => [each, each.split(':')[0]]));
  });
});

it('the message of the page is signed with the secret that the page tells', () => {
  const arrives = section('What arrives');
  const [head = '', text = ''] = block(arrives, 'http').trim().split('\n\n');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [told = ''] = /whsec_[\w+/=]+/.exec(arrives) ?? [];
  const at = new Date(Number(header('webhook-timestamp')) * 1000);
  expect(new Webhook(told).sign(header('webhook-id'), at, text)).toBe(header('webhook-signature'));
});
