import { expect, it } from 'vitest';
import { describeError } from '../src/log.ts';

it('of an error the log says what it is and where it came from, and nothing that hangs on it besides', () => {
  const cause = new Error('connection refused');
  const error = Object.assign(new Error('no primary', { cause }), {
    code: 11600,
    reason: { servers: ['pages'] },
    op: {},
  });
  const described = describeError(error);
  expect(Object.keys(described)).toEqual(['type', 'message', 'code', 'stack']);
  expect(described).toMatchObject({ type: 'Error', message: 'no primary: connection refused', code: 11600 });
  expect(described['stack']).toContain('caused by: Error: connection refused');
  expect(describeError(new Error('plain'))).not.toHaveProperty('code');
});
