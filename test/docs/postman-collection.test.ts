import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { canonicalMessage, sign } from '../../src/auth/signature.ts';

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request: { method: string; url: { raw: string; path: string[] }; body?: { mode: string; raw: string } };
}

interface Collection extends Item {
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

const collection = JSON.parse(readFileSync('docs/postman-collection.json', 'utf8')) as Collection;
const script = collection.event[0]!.script.exec.join('\n');
const values: Readonly<Record<string, string>> = {
  ...{ baseUrl: 'http://127.0.0.1:3000', apiKey: 'ak_1', apiSecret: ' s€cret ', walletId: 'wa_1', bizId: 'invoice-1' },
  ...{ sourceWalletId: 'wa_1', targetWalletId: 'wa_2', transferId: 'tr_1', webhookId: 'wh_1' },
};
const filled = (text: string): string =>
  text.replaceAll(
    /\{\{(\$?\w+)\}\}/g,
    (whole, name: string) => (name === '$guid' ? randomUUID() : values[name]) ?? whole,
  );

/** What Postman gives its scripts, of what this one uses. */
const hashing = {
  SHA256: (text: string) => createHash('sha256').update(text).digest('hex'),
  HmacSHA256: (text: string, secret: string) => ({
    toString: (encoding: 'base64') => createHmac('sha256', secret).update(text).digest(encoding),
  }),
  enc: { Base64: 'base64' },
};

/** Runs the script before a request. @returns the body and the headers that are then sent. */
function prepared({ method, url, body }: Item['request']) {
  const headers: Record<string, string> = {};
  let sent = body?.raw ?? '';
  const update = (changed: { raw: string }) => (sent = changed.raw);
  const pm = {
    variables: { replaceIn: filled },
    request: {
      method,
      url: { getPath: () => `/${url.path.join('/')}` },
      ...(body === undefined ? {} : { body: { ...body, toJSON: () => body, update } }),
      headers: { upsert: ({ key, value }: { key: string; value: string }) => (headers[key] = value) },
    },
  };
  runInNewContext(script, { pm, require: () => hashing });
  return { headers, sent };
}

const requestsOf = ({ item, ...own }: Item): Item[] => item?.flatMap(requestsOf) ?? [own];

it.each(requestsOf(collection).map(({ name, request }) => [name, request] as const))(
  'the collection signs what it sends: %s',
  (_, request) => {
    const { headers, sent } = prepared(request);
    const { pathname: path } = new URL(filled(request.url.raw));
    const { 'X-Timestamp': timestamp = '', 'X-Nonce': nonce = '', 'X-Signature': signature } = headers;
    const signed = { method: request.method, path, timestamp, nonce, body: Buffer.from(sent) };
    expect(signature).toBe(sign(canonicalMessage(signed), 's€cret'));
    expect([headers['X-Api-Key'], Math.abs(Number(timestamp) - Date.now() / 1000) < 60]).toEqual(['ak_1', true]);
    expect(path + sent).not.toContain('{{');
  },
);
