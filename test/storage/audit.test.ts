import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { openAuditEvents, type AuditQuery } from '../../src/storage/audit.ts';
import { schema } from '../../src/storage/schema/schema.ts';
import { openWatchedBooks } from '../reading/watched-books.ts';

const { plain, client, db, examinedBy } = openWatchedBooks();
const auditEvents = openAuditEvents(db);

const [mine, other] = [newId('workspace'), newId('workspace')];
const by = (actor: string | null, claimedActor: string | null = null) => ({ actor, claimedActor, address: null });
const ids: string[] = [];

beforeAll(async () => {
  for (let round = 0; round < 3; round += 1) {
    for (const [who, workspaceId, action] of [
      [by('ann'), mine, 'key rotate'],
      [by('bob', 'ann'), other, 'key rotate'],
      [by('bob'), mine, 'member add'],
      [by(null, 'cleo'), null, 'queue pause'],
    ] as const) {
      const id = await auditEvents.begin(who, { action, workspaceId, subject: { round } });
      if (round > 0) await auditEvents.end(id, round === 1 ? 'FAILED' : 'DONE', { made: id });
      ids.unshift(id);
    }
  }
});

const listed = async (query: AuditQuery, size = 100) => (await auditEvents.list(query, size)).items;

describe('audit events', () => {
  it('are told newest first with what came of them', async () => {
    const events = await listed({});
    expect(events.map(({ id }) => id)).toEqual(ids);
    expect(events[0]).toMatchObject({ outcome: 'DONE', claimedActor: 'cleo', subject: { round: 2, made: ids[0] } });
    expect(events[4]).toMatchObject({ outcome: 'FAILED', endedAt: expect.any(Date) as Date });
    expect(events[8]).toMatchObject({ outcome: 'STARTED', endedAt: null, subject: { round: 0 } });
  });

  it('have one outcome, which stays', async () => {
    await expect(auditEvents.end(ids[0] ?? '', 'FAILED')).rejects.toMatchObject({ code: 11_000 });
    expect((await listed({}, 1))[0]).toMatchObject({ outcome: 'DONE' });
  });

  it('come in pages that follow each other', async () => {
    const first = await auditEvents.list({}, 5);
    expect(first).toMatchObject({ hasMore: true });
    const second = await auditEvents.list({ before: first.items.at(-1)?.id }, 8);
    expect(second).toMatchObject({ hasMore: false });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  });

  it('are read within a time', async () => {
    const [first, last] = (await listed({ workspaceId: mine })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const from = first?.createdAt;
    expect(await listed({ from, to: last?.createdAt, action: 'nothing' })).toEqual([]);
    expect((await listed({ from })).length).toBe(ids.length);
    expect(await listed({ to: from })).toEqual([]);
  });

  it.each<[string, AuditQuery, number, string[]]>([
    ['of a workspace', { workspaceId: mine }, 6, ['events_of_workspace']],
    ['of an actor', { actor: 'ann' }, 6, ['events_of_actor', 'events_of_claimed_actor']],
    ['of an action', { action: 'key rotate' }, 6, ['events_of_action']],
    ['of a time', { from: new Date(0) }, 12, ['_id_']],
  ])('%s are found by an index in their order', async (_, query, count, indexes) => {
    const [found] = await examinedBy(async () => {
      expect(await listed(query)).toHaveLength(count);
    });
    expect(found!.stages).not.toMatch(/COLLSCAN|\bSORT\b/);
    expect(found!.indexes).toEqual(expect.arrayContaining(indexes));
  });
});

describe('events about one thing', () => {
  const workspaceId = newId('workspace');
  const foreign = 2_000;

  it.each([
    ['walletId', { walletId: 'wa_1' }, ['events_of_wallet']],
    ['key', { key: 'ak_1' }, ['events_of_key']],
    ['transferId', { transferId: 'tr_1' }, ['events_of_order', 'events_of_orders']],
    ['transferId', { transferIds: ['tr_0', 'tr_1'] }, ['events_of_order', 'events_of_orders']],
  ] as const)('of the name %s are found among many of others, as %j', async (name, subject, indexes) => {
    const id = { walletId: 'wa_1', key: 'ak_1', transferId: 'tr_1' }[name];
    await plain.collection('auditEvents').deleteMany({ workspaceId });
    const others = Array.from({ length: foreign }, (_, index) => {
      const each = `other-${index}`;
      const subjects = [{ walletId: each }, { key: each }, { transferId: each }, { transferIds: [each] }];
      return { _id: newId('audit') as never, workspaceId, action: 'a b', subject: subjects[index % 4]! };
    });
    await plain.collection('auditEvents').insertMany(others.slice(foreign / 2));
    const mineFirst = await auditEvents.begin(by('ann'), { action: 'a b', workspaceId, subject });
    const mineLast = await auditEvents.begin(by('ann'), { action: 'a c', workspaceId, subject });
    await auditEvents.end(mineLast, 'DONE');
    await plain.collection('auditEvents').insertMany(others.slice(0, foreign / 2));
    await auditEvents.begin(by('ann'), { action: 'a b', workspaceId: other, subject });

    const about = () => auditEvents.about(workspaceId, { name, id }, 20);
    const found = await about();
    expect(found.map((event) => [event.id, event.outcome])).toEqual([
      [mineLast, 'DONE'],
      [mineFirst, 'STARTED'],
    ]);
    expect(await auditEvents.about(workspaceId, { name, id }, 1)).toEqual(found.slice(0, 1));

    const [cost] = await examinedBy(about);
    expect(cost!.stages).not.toMatch(/COLLSCAN|\bSORT\b/);
    expect(cost!.indexes).toEqual(expect.arrayContaining([...indexes]));
    expect(cost!.documents).toBe(2);
  });
});

describe('the collection is appended to only', () => {
  it('by the role in the documentation, which lets every other one be changed', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');
    expect(page).toContain("may('auditEvents', ['find', 'insert', 'listIndexes'])");
    const [, changing = ''] = /const changing =([^;]*);/.exec(page) ?? [];
    const others = [...Object.keys(schema), 'schemaVersions'].filter((name) => name !== 'auditEvents');
    expect((changing.match(/\w+/g) ?? []).toSorted()).toEqual(others.toSorted());
  });

  it('by what is sent to it', async () => {
    const sent: string[] = [];
    client.on('commandStarted', ({ commandName }) => sent.push(commandName));
    const id = await auditEvents.begin(by('ann'), { action: 'a b', workspaceId: null, subject: {} });
    await auditEvents.end(id, 'DONE');
    await auditEvents.list({ actor: 'ann' }, 1);
    expect(sent).toEqual(['insert', 'insert', 'find', 'find']);
  });

  it('by the code: one file names it, which can insert and find', async () => {
    const root = join(import.meta.dirname, '../..');
    const files = await Promise.all(
      ['src', 'workers'].map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
    );
    const texts = await Promise.all(
      files
        .flat()
        .filter(({ name }) => name.endsWith('.ts'))
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          return { path: relative(root, path), text: await readFile(path, 'utf8') };
        }),
    );
    const pathsWith = (form: RegExp) => texts.filter(({ text }) => form.test(text)).map(({ path }) => path);
    // As a value: a type may name what it picks of the collections.
    expect(pathsWith(/[([:,=] ?['"`]auditEvents['"`](?! \|)/)).toEqual(['src/storage/audit.ts']);
    // A name that is not written out is one of the schema, whose contents nobody touches.
    expect(pathsWith(/\.collection(<\w+>)?\((?!')/)).toEqual(['src/storage/schema/schema.ts']);
    const writes = /\.(?:update|replace|delete|remove|findOneAnd|bulkWrite|drop|rename|insertMany)\w*\(/;
    expect(pathsWith(writes)).not.toContain('src/storage/audit.ts');
  });
});
