import { expect, it } from 'vitest';
import { runAdmin } from '../support/admin.ts';
import { operatorsPages, readPage } from './pages.ts';

it('the pages name commands of the administrator that there are, with options that they have', async () => {
  const texts = await Promise.all(operatorsPages.map(readPage));
  // In a sentence, or as a line of a block.
  const named = texts.flatMap((text) => [...text.matchAll(/(?:`|^ *|\$\()admin ([^`|>)\n]+)/gm)]);
  expect(named.length).toBeGreaterThan(20);
  for (const [, words = ''] of named) {
    const given = words.trim().split(/\s+/);
    const options = given.filter((word) => word.startsWith('--'));
    const command = given.slice(0, given.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) >>> 0);
    const { code, stdout } = await runAdmin([...command, '--help'], {});
    expect([words, code]).toEqual([words, 0]);
    expect(stdout.split('\n')[0]).toContain(command.join(' '));
    for (const option of options) expect(stdout, words).toContain(option);
  }
});
