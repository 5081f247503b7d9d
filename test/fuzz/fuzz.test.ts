import { it } from 'vitest';
import { findsNothing } from './fuzz-process.ts';

/** Most of it is waiting, once all is sent, for the service to give up clients that neither read nor send. */
const timeoutMs = 600_000;
const requests = 500;

it(`npm run test:fuzz finds nothing in ${requests} requests`, { timeout: timeoutMs }, () => findsNothing(requests));
