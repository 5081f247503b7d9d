import { it, onTestFinished } from 'vitest';
import { node20 } from '../support/node-20.ts';
import { expectRequired, expectVectorsSigned, installPacked } from './packed-project.ts';

it('on Node 20 the packed client can be required, and signs every vector rightly', async () => {
  const [node, { project, remove }] = await Promise.all([node20(), installPacked()]);
  onTestFinished(remove);
  await expectRequired(project, node);
  await expectVectorsSigned(project, node, '20');
});
