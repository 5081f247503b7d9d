// Writes the generated pages of docs/, the alerts and the client's types: script/node script/write-docs.ts
import { writeFile } from 'node:fs/promises';
import { generatedPages } from './docs/pages.ts';

for (const [path, text] of await generatedPages()) {
  await writeFile(new URL(`../${path}`, import.meta.url), text);
  process.stdout.write(`wrote ${path}\n`);
}
