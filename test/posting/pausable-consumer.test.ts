import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startPausableConsumer } from '../../src/posting/pausable-consumer.ts';
import { waitFor } from '../support/wait-for.ts';

const partition = 3;

function consumerThatRuns() {
  const state = { isPaused: false };
  const changes = new EventEmitter();
  const seen = { started: 0, closed: 0 };
  const consumer = startPausableConsumer(partition, {
    pauses: {
      isPaused: (asked) => asked === partition && state.isPaused,
      onPauses: (listener) => {
        changes.on('pauses', listener);
        return () => changes.off('pauses', listener);
      },
    },
    start: () => {
      seen.started += 1;
      return {
        close: () => {
          seen.closed += 1;
          return Promise.resolve();
        },
      };
    },
    log: pino({ level: 'silent' }),
  });
  const setPaused = (isPaused: boolean): void => {
    state.isPaused = isPaused;
    changes.emit('pauses');
  };
  return { consumer, seen, setPaused, listeners: () => changes.listenerCount('pauses') };
}

it('a consumer is there only while its partition is not paused, and again afterwards', async () => {
  const { consumer, seen, setPaused, listeners } = consumerThatRuns();
  await waitFor(() => Promise.resolve(seen.started === 1));
  setPaused(true);
  await waitFor(() => Promise.resolve(seen.closed === 1));
  setPaused(false);
  await waitFor(() => Promise.resolve(seen.started === 2));
  await consumer.close();
  expect(seen).toEqual({ started: 2, closed: 2 });
  expect(listeners()).toBe(0);
});
