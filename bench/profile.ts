import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { timeShares, type CpuProfile } from './profile/categories.ts';
import { barChart } from './report/svg.ts';

/** Process entry: `node bench/profile.ts FILE.cpuprofile FILE.svg` draws where the time of a process goes. */
const [source, target] = process.argv.slice(2);
const skippedSeconds = 3;
const shareMin = 0.01;

if (source === undefined || target === undefined) {
  process.stderr.write('node bench/profile.ts FILE.cpuprofile FILE.svg\n');
  process.exitCode = 2;
} else {
  const profile = JSON.parse(await readFile(source, 'utf8')) as CpuProfile;
  const shares = timeShares(profile, skippedSeconds).filter(({ share }) => share >= shareMin);
  const bars = shares.map(({ name, share }) => ({ label: name, value: share, text: `${(share * 100).toFixed(1)} %` }));
  process.stdout.write(bars.map(({ label, text }) => `${text.padStart(7)}  ${label}\n`).join(''));
  await writeFile(target, barChart(`CPU time of the ${basename(source, '.cpuprofile')} process`, bars));
}
