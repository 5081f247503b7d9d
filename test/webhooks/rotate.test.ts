import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { openDelivery, startReceiver } from './delivering.ts';

const database = testDatabase();

it('during the overlap of a rotation both secrets verify every event, afterwards the new one alone', async () => {
  const delivery = await openDelivery(database);
  const receiver = await startReceiver();
  onTestFinished(async () => {
    delivery.close();
    await receiver.close();
  });
  const { id, secret: first } = await delivery.endpoint(receiver.url);
  const verifiedBy = async (secrets: readonly string[]): Promise<string[]> => {
    receiver.received.length = 0;
    const events = await delivery.settle(20, [id]);
    await delivery.deliver(id);
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events);
    return secrets.filter((secret) =>
      receiver.received.every(({ body, headers }) => {
        try {
          return new Webhook(secret).verify(body, headers) !== undefined;
        } catch {
          return false;
        }
      }),
    );
  };
  const { secret: second } = await delivery.owner.rotate(await delivery.find(id));
  expect(await verifiedBy([first, second])).toEqual([first, second]);
  // One that an earlier rotation left over ends with the next one.
  const overlapMs = 1;
  const { secret: third, endpoint } = await delivery.owner.rotate(await delivery.find(id), overlapMs);
  expect(endpoint.secrets).toHaveLength(2);
  await waitFor(() => endpoint.secrets.some(({ expiresAt }) => expiresAt !== null && expiresAt < new Date()));
  expect(await verifiedBy([first, second, third])).toEqual([third]);
  const { secret: fourth } = await delivery.owner.rotate(await delivery.find(id), 0);
  expect(await verifiedBy([first, second, third, fourth])).toEqual([fourth]);
});
