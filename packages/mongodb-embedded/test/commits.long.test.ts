import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreFailed } from '../src/storage/commits.ts';
import { logBytesMax } from '../src/storage/redo-log.ts';
import { openStore, type Store } from '../src/storage/store.ts';

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
  const files = await readdir(folder);
  for (const name of files.filter((file) => file.startsWith('data'))) {
    await cp(join(folder, name), join(copy, name), { recursive: true });
  }
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

const failing = (store: Store, record: number): (() => void) => {
  return () => {
    store.commit(() => {
      put(store, record);
      throw new Error('in the middle');
    });
  };
};

describe('a commit that fails', () => {
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
});

describe('a disk that fails', () => {
  const commit = (store: Store, record: number, bytes?: number): void => {
    store.commit(() => {
      put(store, record, bytes);
    });
  };
  const expectFailed = (store: Store): void => {
    expect(store.hasFailed()).toBe(true);
    expect(() => records(store)).toThrow('statement has been finalized');
    expect(() => {
      commit(store, 9);
    }).toThrow(StoreFailed);
  };

  it.each([
    ['writevSync', [1]],
    // All of it was written, and may as well be on the disk: nobody was told either way.
    ['fdatasyncSync', [1, 2]],
  ])('in %s ends the store, and a start finds what was acknowledged', async (call, found) => {
    const store = open();
    commit(store, 1);
    disk.failing.add(call);
    expect(() => {
      commit(store, 2);
    }).toThrow(new StoreFailed(`the data file failed: no ${call} on this disk`));
    disk.failing.clear();
    expectFailed(store);
    expect(records(await afterCrash())).toEqual(found);
  });

  it.each([
    ['before', [1]],
    ['after', [1, 2]],
  ])("in SQLite's own commit ends the store, %s it was written", async (when, found) => {
    const store = open();
    commit(store, 1);
    const statement = store.statement('COMMIT');
    const run = statement.run.bind(statement);
    statement.run = () => {
      if (when === 'after') run();
      throw new Error('no COMMIT on this disk');
    };
    expect(() => {
      commit(store, 2, logBytesMax + 1);
    }).toThrow('the data file failed: no COMMIT on this disk');
    expectFailed(store);
    expect(records(await afterCrash())).toEqual(found);
  });

  it.each(['asked', 'committed to'])('so that SQLite rolls back by itself is found out when %s', async (how) => {
    const store = open();
    commit(store, 1);
    store.statement('ROLLBACK').run();
    if (how === 'asked') expect(store.hasFailed()).toBe(true);
    else {
      expect(() => {
        commit(store, 2);
      }).toThrow('SQLite has rolled back by itself');
    }
    expectFailed(store);
    expect(records(await afterCrash())).toEqual([1]);
  });

  it('under a statement of a commit ends the store', async () => {
    const store = open();
    commit(store, 1);
    expect(() => {
      store.commit(() => {
        put(store, 2);
        // What SQLite refuses for any other reason is told in the same way.
        store.putEntry(1, Buffer.from('key 2'), 2);
      });
    }).toThrow(StoreFailed);
    expectFailed(store);
    expect(records(await afterCrash())).toEqual([1]);
  });

  it('when the log is read to undo a commit ends the store: nothing wrong is ever answered', () => {
    const store = open();
    commit(store, 1);
    disk.failing.add('readSync');
    expect(failing(store, 2)).toThrow('no readSync on this disk');
    expectFailed(store);
    disk.failing.clear();
    expect(records(open())).toEqual([1]);
  });

  it('at the start leaves the file to the next start', () => {
    const store = open();
    commit(store, 1);
    store.statement('ROLLBACK').run();
    expect(store.hasFailed()).toBe(true);
    disk.failing.add('readSync');
    expect(() => open()).toThrow('no readSync on this disk');
    disk.failing.clear();
    expect(records(open())).toEqual([1]);
  });

  it('is none where all is well', () => {
    const store = open();
    for (const file of [store, open(':memory:')]) {
      expect(file.hasFailed()).toBe(false);
      commit(file, 1);
      expect(file.hasFailed()).toBe(false);
      commit(file, 2, logBytesMax + 1);
      expect(file.hasFailed()).toBe(false);
    }
  });
});

describe('the log of another file', () => {
  it('is not carried out', async () => {
    const store = open();
    for (const record of [1, 2]) {
      store.commit(() => {
        put(store, record);
      });
    }
    await mkdir(join(folder, 'other'));
    await cp(join(folder, 'data-redo'), join(folder, 'other/data-redo'));
    const other = open(join(folder, 'other/data'));
    expect(records(other)).toEqual([]);
    other.commit(() => {
      put(other, 3);
    });
    await cp(join(folder, 'other'), join(folder, 'other-crash'), { recursive: true });
    expect(records(open(join(folder, 'other-crash/data')))).toEqual([3]);
  });

  it('is not looked for: a link leads to the log of the file itself', async () => {
    const store = open();
    store.commit(() => {
      put(store, 1);
    });
    await cp(folder, `${folder}-crash`, { recursive: true });
    onTestFinished(() => rm(`${folder}-crash`, { recursive: true }));
    await symlink(join(`${folder}-crash`, 'data'), join(folder, 'link'));
    expect(records(open(join(folder, 'link')))).toEqual([1]);
  });
});
