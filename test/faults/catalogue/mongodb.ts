import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { cutReplies, hang } from '../harness/traps.ts';

const acknowledgedWithinMs = 20_000;

export const mongodbFaults: readonly Fault[] = [
  {
    name: 'mongodb-killed',
    what: 'kill -9 of MongoDB, started again with its data',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    async inject({ stack, choices, mark }) {
      await delay(choices.whole(0, 500));
      await stack.mongodb.kill();
      await delay(choices.whole(100, 2_000));
      await stack.mongodb.restart();
      await mark();
    },
  },
  {
    name: 'mongodb-hanging',
    what: 'MongoDB accepts and never answers a worker and an API process for some seconds',
    breaks: ['mongodb proxies'],
    async inject({ stack, choices, mark }) {
      const hanging = hang(proxiesOf(stack));
      await delay(choices.whole(2_000, 6_000));
      hanging.release();
      await mark();
    },
  },
  {
    name: 'mongodb-replies-cut',
    what: 'connections to MongoDB are cut in the middle of a reply',
    breaks: ['mongodb proxies'],
    reliesOn: ['a web'],
    async inject({ stack, load, choices, mark }) {
      for (let round = choices.whole(2, 4); round > 0; round -= 1) {
        cutReplies(proxiesOf(stack), { every: choices.whole(2, 7), count: choices.whole(3, 12) });
        await load.untilAcknowledged(choices.whole(5, 20), acknowledgedWithinMs);
        for (const proxy of proxiesOf(stack)) proxy.cutAll();
      }
      await mark();
    },
  },
];

function proxiesOf({ webs, workers }: Stack): Proxy[] {
  return [...webs, ...workers].flatMap(({ mongodbProxy }) => mongodbProxy ?? []);
}
