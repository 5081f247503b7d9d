import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

// The kinds of values that settings have. The message of each says what is allowed, not what exactly was wrong.

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

export const portNumber = wholeNumber(0, 65535);
export const count = (max: number, byDefault: number) => wholeNumber(1, max).default(byDefault);
/** Each entry is parsed where it is used; what is no address or CIDR is refused at the start. */
export const addressList = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []));
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
export const certificates = z.string().refine(areCertificates, 'must be one or more certificates in PEM');
const masterKeysForm = 'must be VERSION:BASE64 of 32 bytes, comma-separated';
export const masterKeys = z
  .string({ error: masterKeysForm })
  .regex(/^\d+:[A-Za-z0-9+/]{43}=(,\d+:[A-Za-z0-9+/]{43}=)*$/, masterKeysForm)
  .transform((text, context) => {
    const entries = parseMasterKeys(text);
    const keys = new Map(entries);
    if (keys.size === entries.length) return keys;
    const repeated = entries.map(([version]) => version).filter((version, place, all) => all.indexOf(version) < place);
    context.addIssue({ code: 'custom', message: `names version ${repeated.join(', ')} more than once` });
    return z.NEVER;
  });

/** The most decimals that a currency can be given. */
export const decimalsMax = 18;

export const currencyList = z
  .string()
  .regex(
    /^[A-Z0-9]{3,10}:(\d|1[0-8])(,[A-Z0-9]{3,10}:(\d|1[0-8]))*$/,
    `must be CODE:DECIMALS (0 to ${decimalsMax}), comma-separated`,
  )
  .transform((text, context) => {
    const entries = parseCurrencies(text);
    const currencies = new Map(entries);
    if (currencies.size === entries.length) return currencies;
    const repeated = entries.map(([code]) => code).filter((code, place, all) => all.indexOf(code) < place);
    context.addIssue({ code: 'custom', message: `names ${repeated.join(', ')} more than once` });
    return z.NEVER;
  });

export const portList = (byDefault: string) => {
  const form = 'must be ports from 1 to 65535, comma-separated';
  return z
    .string()
    .regex(/^[1-9]\d{0,4}(,[1-9]\d{0,4})*$/, form)
    .default(byDefault)
    .transform((text) => text.split(',').map(Number))
    .refine((ports) => ports.every((port) => port <= 65_535), form);
};

const certificateForm = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function areCertificates(text: string): boolean {
  const found = text.match(certificateForm) ?? [];
  try {
    return found.map((pem) => new X509Certificate(pem)).length > 0;
  } catch {
    return false;
  }
}

function parseMasterKeys(text: string): (readonly [version: number, key: Buffer])[] {
  return text.split(',').map((entry) => {
    const [version = '', key = ''] = entry.split(':');
    return [Number(version), Buffer.from(key, 'base64')] as const;
  });
}

function parseCurrencies(text: string): (readonly [code: string, decimals: number])[] {
  return text.split(',').map((entry) => {
    const [code = '', decimals = ''] = entry.split(':');
    return [code, Number(decimals)] as const;
  });
}
