import type { Member } from './member.ts';
import type { Interceptor, Proxy, Verdict } from './proxy.ts';
import { within } from './until.ts';

export const caughtWithinMs = 15_000;

/** Holds one chunk, so that something can be done to a process at exactly that moment. */
export interface Trap {
  /** Resolves when the chunk is held. */
  caught: Promise<unknown>;
  /** Decides what becomes of it; nothing further is held. */
  release(verdict: Verdict): void;
}

/** Holds the first request that contains `text`: the server never saw it. */
export function trapRequest(proxy: Proxy, text: string): Trap {
  return trap(proxy, (hold) => ({ direction, bytes }) => {
    return direction === 'request' && bytes.includes(text) ? hold() : 'pass';
  });
}

/** Holds the reply to the first request that contains `text`: the server did it, and the process does not know. */
export function trapReply(proxy: Proxy, text: string): Trap {
  let awaited: number | undefined;
  return trap(proxy, (hold) => ({ direction, bytes, link }) => {
    if (direction === 'reply') return link === awaited ? hold() : 'pass';
    if (awaited === undefined && bytes.includes(text)) awaited = link;
    return 'pass';
  });
}

function trap(proxy: Proxy, interceptorOf: (hold: () => Promise<Verdict>) => Interceptor): Trap {
  const caught = Promise.withResolvers<undefined>();
  const released = Promise.withResolvers<Verdict>();
  let isSprung = false;
  const interceptor = interceptorOf(() => {
    isSprung = true;
    caught.resolve(undefined);
    return released.promise;
  });
  proxy.intercept((chunk) => (isSprung ? 'pass' : interceptor(chunk)));
  return {
    caught: caught.promise,
    release(verdict) {
      proxy.intercept(undefined);
      released.resolve(verdict);
    },
  };
}

interface AtCommit {
  setTrap?: typeof trapRequest;
  verdict?: Verdict;
  withinMs?: number;
}

/** Holds a commit of a process whose way to MongoDB leads through a proxy, does something, and lets go of it. */
export async function atCommit(
  member: Member | undefined,
  { setTrap = trapRequest, verdict = 'pass', withinMs = caughtWithinMs }: AtCommit = {},
  act?: () => Promise<void>,
): Promise<void> {
  if (member?.mongodbProxy === undefined) throw new Error('this process has no proxy before MongoDB');
  const held = setTrap(member.mongodbProxy, 'commitTransaction');
  try {
    await within(held.caught, withinMs, `a commit of ${member.name}`);
    await act?.();
  } finally {
    held.release(verdict);
  }
}

/** Holds everything until it is released: a server that accepts and never answers. */
export function hang(proxies: readonly Proxy[]): { release: () => void } {
  const released = Promise.withResolvers<Verdict>();
  for (const proxy of proxies) proxy.intercept(() => released.promise);
  return {
    release() {
      for (const proxy of proxies) proxy.intercept(undefined);
      released.resolve('pass');
    },
  };
}

/** Cuts the next replies in the middle, each with its connection; every `every`-th one, `count` of them. */
export function cutReplies(proxies: readonly Proxy[], { every, count }: { every: number; count: number }): void {
  let [seen, left] = [0, count];
  for (const proxy of proxies) {
    proxy.intercept(({ direction }) => {
      if (direction === 'request' || left === 0 || (seen += 1) % every !== 0) return 'pass';
      left -= 1;
      return 'cutInHalf';
    });
  }
}
