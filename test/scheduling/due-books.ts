import type { Document } from 'mongodb';
import { pino } from 'pino';
import { createDueRounds, type DueSources, type DueWork } from '../../src/scheduling/due-rounds.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';

export interface Row extends Document {
  _id: string;
}

/** Books in which something may be due, and those who do it. Call it at a file's top. @param work what they do. */
export function dueBooks(work: (sources: DueSources) => DueWork) {
  const { client, db } = testDatabase();
  const collections = openCollections(db);
  const started: string[] = [];
  const wake = (): Promise<void> => Promise.resolve();
  return {
    db,
    collections,
    orders: db.collection<Row>('orders'),
    /** The orders that workers were to post since the books were opened. */
    started,
    /** Books anew, in which alice has 1,000. */
    open: async (): Promise<PostedBooks> => {
      await Promise.all(['wallets', 'orders', 'flows'].map((name) => db.collection(name).deleteMany({})));
      const books = await openPostedBooks(client, db);
      await books.transfer(books.external, books.alice, '1000');
      started.length = 0;
      return books;
    },
    /** A process that does what is due. @param now what its clock says. @returns a round of it. */
    process: (now = () => new Date(), queue: DueSources['queue'] = { wake }) => {
      const sources = { collections, isSharded: false, queue, clock: now, log: pino({ enabled: false }) };
      const { act, ...what } = work(sources);
      const noted: DueWork['act'] = async (...values) => {
        const toPost = await act(...values);
        started.push(...toPost.map(({ id }) => id));
        return toPost;
      };
      return createDueRounds({ ...what, act: noted }, sources);
    },
  };
}
