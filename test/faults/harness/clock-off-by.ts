import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;

/** The environment of a process whose clock is ahead of everybody else's by so much; behind, where it is negative. */
export function clockOffBy(offsetMs: number): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_OFFSET_MS: String(offsetMs) };
}
