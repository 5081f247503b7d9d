import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockFile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}

// npm ci refuses a lock file that leaves out a package of some platform, and npm install leaves one out wherever
// its registry does not have it.
it('locks the optional packages of every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

// Whoever has an action's repository can move its tags.
it('names each action of the workflows by its commit, and says which release that is', () => {
  const folder = '.github/workflows';
  const used = readdirSync(folder).flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/\buses: (.*)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
