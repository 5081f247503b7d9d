import { pino } from 'pino';
import { expect, test } from 'vitest';
import { watchSettings } from '../src/setting-watch.ts';
import { WrongSettingError, type WrongSetting } from '../src/config.ts';
import { waitFor } from './support/wait-for.ts';

const differs = new WrongSettingError('REDIS_URL', 'SettingWrong', ['differs']);
const away = new Error('away');

/** Answers of the comparisons one after the other, the last one again and again. */
function start(...answers: (boolean | Error)[]) {
  const told: (WrongSetting | undefined)[] = [];
  const given: (WrongSetting | undefined)[] = [];
  const compare = (wrong: WrongSetting | undefined) => {
    given.push(wrong);
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? false;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const watch = watchSettings(
    { settings: ['QUEUE_PREFIX', 'REDIS_URL'], runbook: 'SettingWrong', everyMs: 1, roundMaxMs: 10_000 },
    compare,
    (_, wrong) => told.push(wrong),
    pino({ level: 'silent' }),
  );
  return { ...watch, told, given };
}

test('settings are not right before a comparison could tell, and nobody is told of any', async () => {
  const watch = start(false, away, false);
  await waitFor(() => watch.given.length > 3);
  const notCompared = { setting: undefined, message: 'QUEUE_PREFIX and REDIS_URL: not compared yet' };
  expect(watch.wrongNow()).toMatchObject(notCompared);
  expect(watch.wrongAtStart()).toMatchObject(notCompared);
  await watch.close();
  expect(watch.told).toEqual([]);
});

test('what was found stays until a comparison tells otherwise; right settings may become wrong', async () => {
  const watch = start(differs, away, false, true, away, false, differs);
  await watch.untilRight(AbortSignal.timeout(10_000));
  await waitFor(() => watch.given.length > 7);
  await watch.close();
  expect(watch.given.slice(1, 8)).toEqual([differs, differs, differs, undefined, undefined, undefined, differs]);
  expect(watch.told.slice(0, 5)).toEqual([differs, differs, undefined, undefined, differs]);
  expect(watch.wrongNow()).toBe(differs);
  expect(watch.wrongAtStart()).toBeUndefined();
});

test('who waits until they are right may give up', async () => {
  const watch = start(differs);
  await expect(watch.untilRight(AbortSignal.timeout(10))).rejects.toThrow('aborted');
  await watch.close();
});
