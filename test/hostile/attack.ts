import type { Credentials } from '../../bench/load/requests.ts';

/** A running service, as an attacker sees it; all of it on loopback. */
export interface Target {
  readonly webPort: number;
  /** The operations ports, of the web process and of a worker. */
  readonly webOpsPort: number;
  readonly workerOpsPort: number;
  /** The id of the client's key. It is no secret: anybody may have seen it. */
  readonly keyId: string;
  /** A workspace of the attacker's own, with a key of all scopes. The client's is another. */
  readonly attacker: { readonly key: Credentials; readonly walletIds: readonly string[] };
}

export interface Strength {
  readonly seconds: number;
  /** Of the rate that the attack states: 1 in the program, less in a test. */
  readonly share: number;
}

export interface RunningAttack {
  /** Resolves when everything was sent. */
  readonly sent: Promise<void>;
  /** Sent to the service or, where it is the one that sends, answered to it; so far. */
  readonly bytes: () => number;
  /** What the service still owes, each in a sentence; empty once it has dealt with everything. */
  readonly owed: () => readonly string[];
  /** What else tells of the harm, in a sentence. */
  readonly seen?: () => string;
  /** Lets go of every connection and server. */
  readonly stop: () => void | Promise<void>;
}

/** To add one, write a file in `attacks/` and name it in `attacks.ts`. */
export interface Attack {
  /** As `--attack` takes it. */
  readonly name: string;
  /** What is done, and at which rate, in a phrase. */
  readonly what: string;
  /** The process that pays: its memory and CPU are measured. */
  readonly against: 'web' | 'worker';
  /** What the service is started with, beside the usual. */
  readonly env?: Readonly<Record<string, string>>;
  /** The most CPU, in milliseconds, that each MiB of it may take; left out where its bytes are not what it costs. */
  readonly cpuMsPerMibMax?: number;
  /** Has the process do once what it does only under this attack, so that what it keeps of that is there before. */
  readonly warmUp?: (target: Target) => Promise<void>;
  readonly start: (target: Target, strength: Strength) => RunningAttack | Promise<RunningAttack>;
}

export const host = '127.0.0.1';

/** Acts `count` times, evenly over the seconds. What fell behind is caught up with: a slow service does not slow its attacker. */
export async function evenly(count: number, seconds: number, act: () => void): Promise<void> {
  const startedAt = performance.now();
  for (let done = 0; done < count;) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / 1000 / seconds) * count));
    for (; done < due; done += 1) act();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
