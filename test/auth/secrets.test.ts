import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newSecret, openSecret, sealSecret } from '../../src/auth/secrets.ts';

const first = new Map([[1, randomBytes(32)]]);
const both = new Map([...first, [2, randomBytes(32)] as const]);

describe('sealed secrets', () => {
  it('open again, and are sealed with the newest master key', () => {
    const secret = newSecret();
    const sealed = sealSecret(secret, 'ak_1', both);
    expect(sealed.masterKeyVersion).toBe(2);
    expect(openSecret(sealed, 'ak_1', both)).toBe(secret);
  });

  it('sealed with an older master key still open after a newer one came', () => {
    expect(openSecret(sealSecret('s', 'ak_1', first), 'ak_1', both)).toBe('s');
  });

  it('do not hold the secret in clear', () => {
    const secret = newSecret();
    expect(Buffer.from(sealSecret(secret, 'ak_1', both).sealed).includes(secret)).toBe(false);
  });

  it('do not open for another key, with another master key, or altered', () => {
    const sealed = sealSecret('s', 'ak_1', both);
    expect(() => openSecret(sealed, 'ak_2', both)).toThrow();
    expect(() => openSecret(sealed, 'ak_1', new Map([[2, randomBytes(32)]]))).toThrow();
    expect(() => openSecret(sealed, 'ak_1', first)).toThrow('MASTER_KEYS has no version 2');
    const altered = Buffer.from(sealed.sealed);
    altered[altered.length - 1]! ^= 1;
    expect(() => openSecret({ ...sealed, sealed: altered }, 'ak_1', both)).toThrow();
  });
});
