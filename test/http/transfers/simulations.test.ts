import { expect, it } from 'vitest';
import { newIdOf } from '../../../src/domain/ids.ts';
import { createSimulations } from '../../../src/http/transfers/simulations.ts';

it('a batch of which several lines are to be UNAVAILABLE is so once', async () => {
  const workspaceId = newIdOf('workspace', true, new Date(0));
  const seen = new Set<string>();
  const simulations = createSimulations((name) => Promise.resolve(seen.size < seen.add(name).size));
  const line = (bizId: string) => ({ type: 'TRANSFER', bizId, metadata: { simulate: 'UNAVAILABLE' } });
  const send = () => simulations.refuse(workspaceId, [line('one'), line('two')]);
  await expect(send()).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  await send();
});
