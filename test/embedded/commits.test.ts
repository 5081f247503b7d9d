import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logBytesMax } from '../../embedded/mongodb/storage/redo-log.ts';
import { openStore } from '../../embedded/mongodb/storage/store.ts';
import type { Store } from '../../embedded/mongodb/storage/store.ts';

const disk = vi.hoisted(() => ({ failing: new Set<string>() }));
vi.mock(import('node:fs'), async (importOriginal) => {
  const original = await importOriginal();
  const unless = <Call extends (...args: never[]) => unknown>(name: string, call: Call): Call =>
    ((...args) => {
      if (disk.failing.has(name)) throw new Error(`no ${name} on this disk`);
      return call(...args);
    }) as Call;
  return {
    ...original,
    writevSync: unless('writevSync', original.writevSync),
    fdatasyncSync: unless('fdatasyncSync', original.fdatasyncSync),
    readSync: unless('readSync', original.readSync),
  };
});

let folder: string;
const opened: Store[] = [];
let copies = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commits-'));
});
afterEach(async () => {
  disk.failing.clear();
  for (const store of opened.splice(0)) {
    try {
      store.close();
    } catch {
      // A test has broken it.
    }
  }
  await rm(folder, { recursive: true });
});

const open = (file = join(folder, 'data')): Store => {
  const store = openStore(file);
  opened.push(store);
  return store;
};
/** What a start after kill -9 at this moment finds: a copy of the files while they are in use. */
const afterCrash = async (): Promise<Store> => {
  const copy = `${folder}/crash-${(copies += 1)}`;
  const files = ['data', 'data-wal', 'data-redo'];
  for (const name of files) await cp(join(folder, name), join(copy, name), { recursive: true });
  return open(join(copy, 'data'));
};
const put = (store: Store, record: number, bytes = 10): void => {
  store.putRecord(record, Buffer.alloc(bytes, record));
  store.putEntry(1, Buffer.from(`key ${record}`), record);
};
const records = (store: Store): number[] =>
  store.records({ record: 0, limit: 1e9, backward: false, rowsMax: -1 }).map(({ record }) => record);
const entryCount = (store: Store): number =>
  store.countEntries({ index: 1, lower: Buffer.from('a'), upper: Buffer.from('z'), countMax: Infinity });

describe('a commit in a file', () => {
  it('is there after a crash, with the catalog and the sessions beside it', async () => {
    const store = open();
    store.commit(() => {
      store.change("INSERT INTO catalog (ns, definition) VALUES (?, x'')")('d.c');
      put(store, 1);
    });
    store.commit(() => {
      put(store, 2);
      store.deleteRecord(1);
      store.deleteEntry(1, Buffer.from('key 1'), 1);
      store.change('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)')(
        Buffer.from('s'),
        '12345678901234567890',
        1,
        5,
      );
    });
    const after = await afterCrash();
    expect(records(after)).toEqual([2]);
    expect(entryCount(after)).toBe(1);
    expect(after.statement('SELECT id, ns FROM catalog').all()).toEqual([{ id: 1, ns: 'd.c' }]);
    expect(after.statement('SELECT number FROM session').get()).toEqual({ number: '12345678901234567890' });
  });

  it('is done again once alone, however often the start is cut short', async () => {
    const store = open();
    store.commit(() => {
      put(store, 1);
    });
    for (const round of [1, 2, 3]) {
      const after = await afterCrash();
      expect([round, records(after), entryCount(after)]).toEqual([round, [1], 1]);
      after.commit(() => {
        put(after, 2);
      });
      expect(records(after)).toEqual([1, 2]);
    }
  });

  it('survives any number of rounds of the log, which never grows beyond its limit', async () => {
    const store = open();
    const bytes = logBytesMax / 5;
    for (let record = 1; record <= 23; record++) {
      store.commit(() => {
        put(store, record, bytes);
      });
      expect((await stat(join(folder, 'data-redo'))).size).toBeLessThanOrEqual(logBytesMax);
      if (record % 6 === 0) expect(records(await afterCrash())).toHaveLength(record);
    }
    expect(entryCount(await afterCrash())).toBe(23);
  });

  it('may be larger than the log', async () => {
    const store = open();
    for (const record of [1, 2, 3]) {
      store.commit(() => {
        put(store, record, record === 2 ? logBytesMax + 1 : 10);
      });
      expect(records(await afterCrash())).toHaveLength(record);
    }
  });

  it('is there after an orderly end', () => {
    const store = open();
    store.commit(() => {
      put(store, 1);
    });
    store.close();
    expect(records(open())).toEqual([1]);
  });
});

describe('a commit that fails', () => {
  const failing = (store: Store, record: number): (() => void) => {
    return () => {
      store.commit(() => {
        put(store, record);
        throw new Error('in the middle');
      });
    };
  };

  it.each(['a file', 'memory'])('leaves all before it as it was, in %s', (where) => {
    const store = where === 'memory' ? open(':memory:') : open();
    store.commit(() => {
      put(store, 1);
    });
    for (const record of [2, 3]) expect(failing(store, record)).toThrow('in the middle');
    expect([records(store), entryCount(store)]).toEqual([[1], 1]);
    store.commit(() => {
      put(store, 2);
    });
    expect([records(store), entryCount(store)]).toEqual([[1, 2], 2]);
  });

  it.each(['writevSync', 'fdatasyncSync'])(
    'is undone where the log fails (%s), and the next one is durable',
    async (call) => {
      const store = open();
      const commit = (record: number): void => {
        store.commit(() => {
          put(store, record);
        });
      };
      commit(1);
      disk.failing.add(call);
      expect(() => {
        commit(2);
      }).toThrow(`no ${call} on this disk`);
      expect(records(store)).toEqual([1]);
      disk.failing.clear();
      commit(3);
      expect(records(store)).toEqual([1, 3]);
      expect(records(await afterCrash())).toEqual([1, 3]);
    },
  );

  it('stays undone when the commit after it finds no room in the log', async () => {
    const store = open();
    disk.failing.add('fdatasyncSync');
    expect(() => {
      store.commit(() => {
        put(store, 1);
      });
    }).toThrow();
    disk.failing.clear();
    store.commit(() => {
      put(store, 2, logBytesMax + 1);
    });
    expect(records(await afterCrash())).toEqual([2]);
  });

  it('closes the database where the log can no longer be read: nothing wrong is ever answered', () => {
    const store = open();
    store.commit(() => {
      put(store, 1);
    });
    disk.failing.add('readSync');
    expect(failing(store, 2)).toThrow('no readSync on this disk');
    expect(() => records(store)).toThrow();
    expect(failing(store, 3)).toThrow();
    disk.failing.clear();
    expect(records(open())).toEqual([1]);
  });
});
