import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { parseNetwork } from '../address.ts';
import { faultOfMongodbAddress } from './mongodb-address.ts';
import { parseRedisAddress, redisAddressForm } from './redis-address.ts';

// The kinds of values that settings have. The message of each says what is allowed, not what exactly was wrong.

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

export const portNumber = wholeNumber(0, 65535);
export const count = (max: number, byDefault: number) => wholeNumber(1, max).default(byDefault);
export const addressList = z
  .string()
  .default('')
  .transform((text, context) => {
    const entries = text.split(',').flatMap((entry) => entry.trim() || []);
    const networks = entries.flatMap((entry) => parseNetwork(entry) ?? []);
    if (networks.length === entries.length) return networks;
    const wrong = entries.filter((entry) => parseNetwork(entry) === undefined).map((entry) => `"${entry}"`);
    const message = `must be addresses or CIDRs, comma-separated, and not ${wrong.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
export const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });
export const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
/** Where a port is opened. */
export const listenAddress = z.string().regex(/^[^\s/]+$/, 'must be an address or the name of a machine');
export const mongodbAddress = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\//, 'must be a mongodb:// or mongodb+srv:// address of a replica set')
  .superRefine((uri, context) => {
    const message = faultOfMongodbAddress(uri);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
export const redisAddress = z.string().refine((text) => parseRedisAddress(text) !== undefined, redisAddressForm);
export const certificates = z.string().refine(areCertificates, 'must be one or more certificates in PEM');
const masterKeysError = 'must be VERSION:BASE64 of 32 bytes, comma-separated';
/** By version. One that comes twice is refused. */
export const masterKeys = z
  .string({ error: masterKeysError })
  .regex(/^\d+:[A-Za-z0-9+/]{43}=(,\d+:[A-Za-z0-9+/]{43}=)*$/, masterKeysError)
  .transform((text, context) => {
    const entries = text.split(',').map((entry): [number, Buffer] => {
      const [version, key = ''] = entry.split(':');
      return [Number(version), Buffer.from(key, 'base64')];
    });
    const keys = new Map(entries);
    if (keys.size === entries.length) return keys;
    const versions = entries.map(([version]) => version);
    const repeated = versions.filter((version, place) => versions.indexOf(version) < place);
    context.addIssue({ code: 'custom', message: `names version ${repeated.join(', ')} more than once` });
    return z.NEVER;
  });

/** The most decimals that a currency can be given. */
export const decimalsMax = 18;

const certificateForm = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function areCertificates(text: string): boolean {
  const certificates = text.match(certificateForm) ?? [];
  try {
    return certificates.map((pem) => new X509Certificate(pem)).length > 0;
  } catch {
    return false;
  }
}
