import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogs } from '../../local/logs.ts';

const steering = '\u009b2J\u001b[31m\u202egnp.';

it('no text of a tenant or a receiver, and none of a server, controls the terminal that shows the logs', () => {
  let shown = '';
  const out = new Writable({
    write: (chunk: Buffer, _, done) => {
      shown += chunk.toString();
      done();
    },
  });
  const logs = createLogs(Object.assign(out, { isTTY: false }) as unknown as NodeJS.WriteStream);
  const entry = {
    level: 40,
    time: 0,
    msg: steering,
    reason: steering,
    err: { type: 'Error', message: steering, stack: `${steering}\n    at` },
  };
  logs.line('web', JSON.stringify(entry));
  logs.line('redis', steering);
  logs.line('web', `{${steering}`);
  logs.say(steering);
  expect(shown.match(/gnp\./g)!.length).toBeGreaterThanOrEqual(6);
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(shown.split('\n').filter((line) => line !== '' && !/^(web|redis|stack) +\| /.test(line))).toEqual([]);
});
