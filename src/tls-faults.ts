/** Source: Node.js documentation, "X509 certificate error codes". One that is not valid yet will be. */
const certificateFaults: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** OpenSSL's own: both sides do not speak the same protocol, or one does not speak TLS at all. */
const handshakeFault = /^ERR_SSL_[A-Z0-9_]+$/;
const causesMax = 8;

/**
 * Why TLS did not come about, if trying again would not help.
 * @param error of an attempt to connect, which may be the cause of others. @returns undefined if it is another fault.
 */
export function tlsFaultOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth += 1) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (certificateFaults.has(code) || handshakeFault.test(code)) return `${code}: ${cause.message.trim()}`;
    cause = cause.cause;
  }
  return undefined;
}
