import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { siteOf } from '../address.ts';
import type { createAccess } from './access.ts';

/** What one address (of IPv6, one /64 network) may send for long, and what it may be ahead of that. A page takes 30 KiB. */
const bytesPerSecond = 256 * 1024;
const burstBytes = 1024 * 1024;
/** A request counts as no fewer bytes, because answering it costs more than reading it. */
const requestBytesMin = 1024;
/** Addresses remembered at once. */
const sitesMax = 10_000;

const tooMuch = 'Too much came to this port from this address; see Retry-After.\n';

type TrafficAccess = Pick<ReturnType<typeof createAccess>, 'hasToken' | 'isKnown'>;

/**
 * Bounds what one address can have this process read at its operations port, whatever it sends, because the process has its
 * own work to do on the same event loop. Beyond the bound its requests are answered 429, and its new connections are closed
 * before anything is read from them. What others send is not affected. Whoever shares an address with the operator must not
 * be able to lock the operator out: a request with the right token passes, and where one came from lately, connections stay.
 * @param now in milliseconds, from any beginning.
 */
export function createTraffic(access: TrafficAccess, now: () => number = () => performance.now()) {
  /** When all that was sent is paid for, at the rate. */
  const paidAt = new LRUCache<string, number>({ max: sitesMax, ttl: 2 * (burstBytes / bytesPerSecond) * 1_000 });
  const counted = new WeakMap<Socket, number>();
  const aheadMs = (site: string): number => Math.max(0, (paidAt.get(site) ?? 0) - now());
  const isOver = (site: string): boolean => (aheadMs(site) / 1_000) * bytesPerSecond > burstBytes;

  function count(socket: Socket, site: string, bytesMin: number): void {
    const bytes = Math.max(bytesMin, socket.bytesRead - (counted.get(socket) ?? 0));
    counted.set(socket, socket.bytesRead);
    paidAt.set(site, now() + aheadMs(site) + (bytes / bytesPerSecond) * 1_000);
  }

  return {
    /** Counts what a new connection will send. @returns whether it may stay open. */
    mayConnect(socket: Socket): boolean {
      const site = siteOf(socket.remoteAddress ?? '');
      socket.once('close', () => {
        count(socket, site, 0);
      });
      return !isOver(site) || access.isKnown(site);
    },
    /** Counts a request, and refuses it beyond the bound. */
    refuseBeyond: ((req, res, next) => {
      const site = siteOf(req.socket.remoteAddress ?? '');
      count(req.socket, site, requestBytesMin);
      if (isOver(site) && !access.hasToken(req))
        res.status(429).set({ 'Retry-After': '1', Connection: 'close' }).type('text/plain').send(tooMuch);
      else next();
    }) satisfies RequestHandler,
  };
}
