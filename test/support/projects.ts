import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** What starts processes of the service and its servers. */
const startsProcesses = /^(local|bench)\//;
const asksForServers = /\binject\(|'node:child_process'/;
const imported = /\bfrom '(\.{1,2}\/[^']+)'/g;

/**
 * The test files that need no server and start no process: neither they nor what they import does, or asks for the run's.
 * A new file falls into its project by what it imports.
 * @returns paths from the root.
 */
export function unitTests(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !file.endsWith('.long.test.ts'));
  return files.filter((file) => !needsServers(file, new Set()));
}

function needsServers(file: string, seen: Set<string>): boolean {
  if (startsProcesses.test(file)) return true;
  if (seen.has(file) || !file.startsWith('test/')) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  if (asksForServers.test(text)) return true;
  return [...text.matchAll(imported)].some(([, path = '']) => needsServers(join(dirname(file), path), seen));
}
