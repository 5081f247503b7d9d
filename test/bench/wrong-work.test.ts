import { Decimal128 } from 'mongodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { LoadResult } from '../../bench/load/load-order.ts';
import { checkAccepted, checkBooks } from '../../bench/measure/check-books.ts';
import { checkAnswers } from '../../bench/measure/requests.ts';
import { WrongWorkError } from '../../bench/measure/wrong-work.ts';
import { openStage } from '../../bench/servers/stage.ts';
import { redisUrl } from '../../local/redis.ts';
import { withDatabase } from '../support/database.ts';

const wallets = { funded: 3, unfunded: 0 };
const nothingMore = { completed: 0, failed: 0, pending: 0, unknown: 0 };

async function stageOfTest() {
  const stage = await openStage(
    {
      engine: { kind: 'given', name: 'of the test', durability: 'of the test' },
      redisUrl: redisUrl(inject('redisPort')),
      pids: {},
      mongodbUri: (database) => withDatabase(inject('mongodbUri'), database),
      close: () => Promise.resolve(),
    },
    wallets,
  );
  onTestFinished(async () => {
    await stage.world.db.dropDatabase();
    await stage.world.close();
  });
  return stage;
}

test('a lost, an unposted and a doubled order each end the run without figures', async () => {
  const stage = await stageOfTest();
  await expect(checkBooks(stage, nothingMore)).resolves.toBeUndefined();
  await expect(checkBooks(stage, { ...nothingMore, completed: 1 })).rejects.toThrow('3 orders are COMPLETED');
  await expect(checkBooks(stage, { ...nothingMore, completed: -1 })).rejects.toThrow(WrongWorkError);
  await expect(checkAccepted(stage, ['tr_1', 'tr_1'])).rejects.toThrow('answered with one order');
  await expect(checkAccepted(stage, ['tr_1'])).rejects.toThrow('tr_1 was answered for, and does not exist');
});

test('books that do not verify end the run without figures', async () => {
  const stage = await stageOfTest();
  const [_id = ''] = stage.world.walletIds;
  await stage.world.db
    .collection<{ _id: string }>('wallets')
    .updateOne({ _id }, { $set: { balance: Decimal128.fromString('1') } });
  await expect(checkBooks(stage, nothingMore)).rejects.toThrow('the books do not verify');
});

test('an answer before the end that it was to wait for ends the run without figures', () => {
  const right = { sent: 2, unanswered: 0, answeredTooSoon: 0, byStatus: { 200: 2 } } as unknown as LoadResult;
  expect(() => {
    checkAnswers([right]);
  }).not.toThrow();
  expect(() => {
    checkAnswers([right, { ...right, answeredTooSoon: 1 }]);
  }).toThrow(WrongWorkError);
});
