import { Redis } from 'ioredis';
import type { CommandStartedEvent } from 'mongodb';
import { watchConnectingClients } from './connecting-clients.ts';

/** A command to MongoDB or Redis, from the call that sent it to its answer. */
export interface RoundTrip {
  readonly server: 'mongodb' | 'redis';
  /** With the collection, such as `insert orders`; of a script the name that it was defined with. */
  readonly name: string;
  /** What it says, as text. */
  readonly text: string;
  /** Its place among all commands sent and answers received. */
  readonly sent: number;
  /** In milliseconds, as `performance.now()`. */
  readonly sentAtMs: number;
  /** As `sent`, of its answer or its failure; Infinity until then. */
  answered: number;
  /** As `sentAtMs`; Infinity until then. */
  answeredAtMs: number;
}

interface RedisCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly promise: Promise<unknown>;
}

interface Sender {
  scriptsSet: Readonly<Record<string, { readonly sha: string }>>;
  sendCommand(command: RedisCommand, ...more: unknown[]): unknown;
}

/** Watches what this process sends to MongoDB, by clients that connect from now on, and to Redis, by all, until `close`. */
export function watchRoundTrips() {
  const all: RoundTrip[] = [];
  const held: (() => void)[] = [];
  let isHeld: (trip: RoundTrip) => boolean = () => false;
  let [place, isClosed] = [0, false];
  const next = (): number => (place += 1);
  const begin = (server: RoundTrip['server'], name: string, text: string): RoundTrip => {
    const trip: RoundTrip = {
      server,
      name,
      text,
      sent: next(),
      sentAtMs: performance.now(),
      answered: Infinity,
      answeredAtMs: Infinity,
    };
    if (!isClosed) all.push(trip);
    return trip;
  };
  const end = (trip: RoundTrip | undefined): void => {
    if (trip === undefined) return;
    trip.answered = next();
    trip.answeredAtMs = performance.now();
  };

  const endConnecting = watchConnectingClients((client) => {
    client.options.monitorCommands = true;
    const underWay = new Map<number, RoundTrip>();
    client.on('commandStarted', ({ requestId, commandName, command }: CommandStartedEvent) => {
      const of: unknown = command[commandName];
      const name = typeof of === 'string' ? `${commandName} ${of}` : commandName;
      underWay.set(requestId, begin('mongodb', name, JSON.stringify(command)));
    });
    const answered = ({ requestId }: { readonly requestId: number }): void => {
      end(underWay.get(requestId));
      underWay.delete(requestId);
    };
    client.on('commandSucceeded', answered);
    client.on('commandFailed', answered);
    return true;
  });

  const sender = Redis.prototype as unknown as Sender;
  const sendCommand: Sender['sendCommand'] = Reflect.get(sender, 'sendCommand');
  const known = new WeakSet<RedisCommand>();
  sender.sendCommand = function (this: Sender, command, ...more) {
    // One that waits for the connection is sent twice.
    if (known.has(command)) return sendCommand.call(this, command, ...more);
    known.add(command);
    const { name, args } = command;
    const isOf = ([, { sha }]: [string, { readonly sha: string }]): boolean => sha === args[0];
    const script = name === 'evalsha' ? Object.entries(this.scriptsSet).find(isOf)?.[0] : undefined;
    // BullMQ adds its version to its scripts' names.
    const trip = begin('redis', script?.split(':')[0] ?? name, args.join(' '));
    const answered = (): void => {
      end(trip);
    };
    command.promise.then(answered, answered);
    if (!isHeld(trip)) return sendCommand.call(this, command, ...more);
    held.push(() => void sendCommand.call(this, command, ...more));
    return command.promise;
  };
  const release = (): void => {
    isHeld = () => false;
    for (const send of held.splice(0)) send();
  };
  return {
    /** The commands so far, in the order in which they were sent. */
    all: all as readonly RoundTrip[],
    /** Keeps back commands to Redis until they are released, so that whoever waits for one of them gets no further. */
    hold(isOne: (trip: RoundTrip) => boolean): void {
      isHeld = isOne;
    },
    release,
    close() {
      isClosed = true;
      release();
      endConnecting();
      sender.sendCommand = sendCommand;
    },
  };
}
