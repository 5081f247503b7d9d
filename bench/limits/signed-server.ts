import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Redis } from 'ioredis';

const nonceMs = 125_000;
const bodyBytesMax = '64kb';

/**
 * What every signed request costs at the least: Express, the body, its hash, the HMAC and one nonce in Redis. All keys
 * have the secret `BENCH_SECRETS` gives them, in memory.
 * @param handle answers a request whose signature is right.
 * @returns the port it listens on.
 */
export async function startSignedServer(
  redisUrl: string,
  prefix: string,
  handle: (body: Buffer) => Promise<object>,
): Promise<number> {
  const secrets = new Map(Object.entries(JSON.parse(process.env['BENCH_SECRETS'] ?? '{}') as Record<string, string>));
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.raw({ type: () => true, limit: bodyBytesMax }));
  app.use(async (req, res) => {
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const key = req.get('x-api-key') ?? '';
    const nonce = req.get('x-nonce') ?? '';
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const message = [req.method, req.path, req.get('x-timestamp'), nonce, bodyHash].join('\n');
    const expected = createHmac('sha256', secrets.get(key) ?? '')
      .update(message)
      .digest();
    const given = Buffer.from(req.get('x-signature') ?? '', 'base64');
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    const isFresh = isRight && (await redis.set(`${prefix}:nonce:${key}:${nonce}`, '', 'PX', nonceMs, 'NX')) === 'OK';
    if (!isFresh) {
      res.status(401).json({ code: 'GA2012' });
      return;
    }
    res.json({ version: '1.0', timestamp: Date.now(), success: true, code: '2000', data: await handle(body) });
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
