const encoder = new TextEncoder();
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));

/** Signs a request in the browser; browsers offer their cryptography on https and localhost only. */
export async function sign({ method, path, timestamp, nonce, body }, secret) {
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', encoder.encode(body)));
  const message = [method, path, timestamp, nonce, bodyHash].join('\n');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return { message, signature: base64(await crypto.subtle.sign('HMAC', key, encoder.encode(message))) };
}
