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
export const masterKeys = namedValues(
  /^\d+:[A-Za-z0-9+/]{43}=(,\d+:[A-Za-z0-9+/]{43}=)*$/,
  'must be VERSION:BASE64 of 32 bytes, comma-separated',
  (version, key) => [Number(version), Buffer.from(key, 'base64')],
  'version ',
);

/** The most decimals that a currency can be given. */
export const decimalsMax = 18;

export const currencyList = namedValues(
  /^[A-Z0-9]{3,10}:(\d|1[0-8])(,[A-Z0-9]{3,10}:(\d|1[0-8]))*$/,
  `must be CODE:DECIMALS (0 to ${decimalsMax}), comma-separated`,
  (code, decimals) => [code, Number(decimals)],
);

/** NAME:VALUE, comma-separated, as a map. A name that comes twice is refused. */
function namedValues<Name, Value>(
  form: RegExp,
  error: string,
  parse: (name: string, value: string) => readonly [Name, Value],
  nameIs = '',
) {
  return z
    .string({ error })
    .regex(form, error)
    .transform((text, context) => {
      const entries = text.split(',').map((entry) => {
        const [name = '', value = ''] = entry.split(':');
        return parse(name, value);
      });
      const values = new Map(entries);
      if (values.size === entries.length) return values;
      const names = entries.map(([name]) => name);
      const repeated = names.filter((name, place) => names.indexOf(name) < place);
      context.addIssue({ code: 'custom', message: `names ${nameIs}${repeated.join(', ')} more than once` });
      return z.NEVER;
    });
}

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
