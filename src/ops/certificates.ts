import { isIP } from 'node:net';
import { connect } from 'node:tls';
import pTimeout from 'p-timeout';
import { startRounds, type Rounds } from '../waiting/rounds.ts';

/** Where a server takes TLS. */
export interface TlsAddress {
  readonly host: string;
  readonly port: number;
}

/** Twice a minute, so that a replaced certificate is noticed within a minute. */
const seenEveryMs = 30_000;
const connectMaxMs = 5_000;
const addressesMax = 32;

/**
 * Watches until when the certificates of the servers behind this process are valid. It opens connections of its own, because
 * those in use know only the certificate that was shown when they began. Nothing is sent, so nothing is verified.
 * @param servers by name; a server without TLS has no address.
 * @param onSeen called with the time when the first of a server's certificates expires; undefined if none could be seen.
 */
export function watchCertificates(
  servers: Readonly<Record<string, () => readonly TlsAddress[]>>,
  onSeen: (server: string, expiresAt: Date | undefined) => void,
): Rounds {
  return startRounds({
    everyMs: seenEveryMs,
    roundMaxMs: 2 * connectMaxMs,
    round: async () => {
      await Promise.all(
        Object.entries(servers).map(async ([server, addresses]) => {
          const expiries = await Promise.allSettled(addresses().slice(0, addressesMax).map(expiryAt));
          const times = expiries.flatMap((expiry) => (expiry.status === 'fulfilled' ? expiry.value.getTime() : []));
          onSeen(server, times.length === 0 ? undefined : new Date(Math.min(...times)));
        }),
      );
    },
  });
}

/** @throws Error no certificate was shown in time. */
async function expiryAt({ host, port }: TlsAddress): Promise<Date> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const named = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port, ...named, rejectUnauthorized: false }, () => {
    resolve(new Date(socket.getPeerCertificate().valid_to));
  });
  socket.on('error', reject);
  try {
    return await pTimeout(promise, { milliseconds: connectMaxMs });
  } finally {
    socket.destroy();
  }
}
