// Signs the published vectors with the installed package: node vectors.js FILE
import { readFileSync } from 'node:fs';
import { sign } from 'signed-wallet-client';

interface Vector {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyBase64: string;
  readonly secret: string;
  readonly canonicalMessage: string;
  readonly signature: string;
}

const vectors = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Vector[];
const wrong: string[] = [];
for (const { name, secret, bodyBase64, ...request } of vectors) {
  const body = Uint8Array.from(Buffer.from(bodyBase64, 'base64'));
  const { canonicalMessage, signature } = await sign({ ...request, body }, secret);
  if (canonicalMessage !== request.canonicalMessage || signature !== request.signature) wrong.push(name);
}
process.stdout.write(JSON.stringify({ node: process.version, count: vectors.length, wrong }));
