import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { watchRoundTrips } from '../servers/watch-round-trips.ts';
import type { TracedCommand } from './round-trips.ts';

// Loaded into processes with --import: each command to MongoDB and Redis becomes a line of BENCH_COMMANDS, a folder, in a file that is
// named by the process. They are written when the process ends, so that writing them delays nothing.
const folder = process.env['BENCH_COMMANDS'];
if (folder !== undefined && folder !== '') {
  const { all } = watchRoundTrips();
  process.once('exit', () => {
    const lines = all.map(({ server, name, sentAtMs, answeredAtMs }) => {
      const [sentMs, answeredMs] = [sentAtMs, answeredAtMs].map((ms) => performance.timeOrigin + ms) as [
        number,
        number,
      ];
      return JSON.stringify({ server, name, sentMs, answeredMs } satisfies Omit<TracedCommand, 'process'>);
    });
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, String(process.pid)), lines.map((line) => `${line}\n`).join(''));
  });
}
