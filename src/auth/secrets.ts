import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { systemClock } from '../clock.ts';
import type { SealedSecret } from '../storage/keys/api-keys.ts';

const algorithm = 'aes-256-gcm';
const initialisationVectorBytes = 12;
const tagBytes = 16;
const secretBytes = 32;

/** Master keys by version, 32 bytes each. */
export type MasterKeys = ReadonlyMap<number, Buffer>;

/** A new API secret: 32 random bytes as text. It is shown once, when it is made. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Encrypts an API secret with the newest master key, bound to the key it belongs to. */
export function sealSecret(secret: string, keyId: string, masterKeys: MasterKeys, now = systemClock()): SealedSecret {
  const masterKeyVersion = Math.max(...masterKeys.keys());
  const iv = randomBytes(initialisationVectorBytes);
  const cipher = createCipheriv(algorithm, masterKey(masterKeys, masterKeyVersion), iv).setAAD(Buffer.from(keyId));
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { masterKeyVersion, sealed, createdAt: now, expiresAt: null };
}

/** @throws Error the master key of that version is not configured, or the sealed bytes are not this key's. */
export function openSecret(
  { masterKeyVersion, sealed }: Pick<SealedSecret, 'masterKeyVersion' | 'sealed'>,
  keyId: string,
  masterKeys: MasterKeys,
): string {
  const bytes = Buffer.from(sealed);
  const iv = bytes.subarray(0, initialisationVectorBytes);
  const ciphertext = bytes.subarray(initialisationVectorBytes, -tagBytes);
  const decipher = createDecipheriv(algorithm, masterKey(masterKeys, masterKeyVersion), iv)
    .setAAD(Buffer.from(keyId))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

/** Whether one of the master keys sealed this, bound to that name. */
export function opens(
  sealed: Pick<SealedSecret, 'masterKeyVersion' | 'sealed'>,
  boundTo: string,
  masterKeys: MasterKeys,
): boolean {
  try {
    openSecret(sealed, boundTo, masterKeys);
    return true;
  } catch {
    return false;
  }
}

function masterKey(masterKeys: MasterKeys, version: number): Buffer {
  const key = masterKeys.get(version);
  if (key === undefined) throw new Error(`MASTER_KEYS has no version ${version}`);
  return key;
}
