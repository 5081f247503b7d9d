const encoder = new TextEncoder();

export interface SigningInput {
  /** In any case; it is signed in upper case. */
  readonly method: string;
  /** As sent; a query string behind it is not signed. */
  readonly path: string;
  /** Unix time in seconds, as the X-Timestamp header has it. */
  readonly timestamp: string;
  readonly nonce: string;
  /** Exactly the bytes sent; a text's are those of UTF-8. Empty for a request without a body. */
  readonly body?: string | Uint8Array;
}

export interface Signed {
  readonly canonicalMessage: string;
  /** The value of X-Signature. */
  readonly signature: string;
}

/** A CryptoKey, by a name that every runtime's types have. */
export type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Makes an API secret, or a webhook's, the key that signs. What it gives cannot be read out again. */
export function hmacKey(secret: string | Uint8Array): Promise<HmacKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign', 'verify']);
}

/**
 * Signs one request: Base64(HMAC-SHA256(method, path, timestamp, nonce, SHA-256 of the body, joined by a newline)).
 * @param secret the API secret's text, or what {@link hmacKey} made of it.
 */
export async function sign(input: SigningInput, secret: string | HmacKey): Promise<Signed> {
  const { method, path, timestamp, nonce, body = '' } = input;
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', bytesOf(body)));
  const canonicalMessage = [method.toUpperCase(), path.split('?', 1)[0], timestamp, nonce, bodyHash].join('\n');
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret;
  return {
    canonicalMessage,
    signature: base64(await crypto.subtle.sign('HMAC', key, encoder.encode(canonicalMessage))),
  };
}

/** A text in UTF-8; bytes as a copy of their own, which is what Web Crypto takes. */
function bytesOf(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === 'string' ? encoder.encode(value) : new Uint8Array(value);
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}
