import { it } from 'vitest';
import { findsNothing } from './fuzz-process.ts';

const requests = 5_000;
const timeoutMs = 600_000;

it(`npm run test:fuzz finds nothing in ${requests} requests`, { timeout: timeoutMs }, () => findsNothing(requests));
