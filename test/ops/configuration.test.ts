import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configurationPath, renderConfiguration } from '../../script/configuration.ts';

describe('docs/configuration.md', () => {
  it('is what the schemas of the settings say; script/node script/configuration.ts writes it anew', async () => {
    expect(await readFile(configurationPath, 'utf8')).toBe(await renderConfiguration());
  });
});
