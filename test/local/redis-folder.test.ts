import { expect, it } from 'vitest';
import { redisFolderFor } from '../../local/members.ts';

it('each MongoDB that is named has a Redis of its own, and a folder tells nothing of its address', () => {
  const uris = ['mongodb://u:secret@one/transfers', 'mongodb://u:secret@two/transfers'];
  const folders = uris.map(redisFolderFor);
  expect(new Set([redisFolderFor(), ...folders]).size).toBe(3);
  expect(uris.map(redisFolderFor)).toEqual(folders);
  expect(folders.join()).not.toContain('secret');
});
