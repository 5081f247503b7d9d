import { describe, expect, it } from 'vitest';
import { readWebSettings, readWorkerSettings, SettingsError } from '../src/config.ts';

const MASTER_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;

describe('settings', () => {
  it('have defaults for all but the master keys', () => {
    const settings = readWebSettings({ MASTER_KEYS });
    expect(settings).toMatchObject({ PORT: 3000, OPS_PORT: 3001, OPS_HOST: '127.0.0.1', TRUSTED_PROXIES: [] });
    expect(settings.MASTER_KEYS.get(1)).toEqual(Buffer.alloc(32, 7));
    expect(settings.CURRENCIES.get('USDT')).toBe(6);
    expect(readWorkerSettings({}).OPS_PORT).toBe(0);
  });

  it('count as not set where they are empty', () => {
    expect(readWebSettings({ MASTER_KEYS, PORT: '' }).PORT).toBe(3000);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['OPS_PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['CURRENCIES', 'btc:8'],
    ['QUEUE_PREFIX', 'a:b'],
  ])('refuse %s=%s in one message that names it and what was found', (name, value) => {
    const read = () => readWebSettings({ MASTER_KEYS, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name} is "${value}"`);
  });

  it.each([
    ['MASTER_KEYS', 'hunter2'],
    ['MONGODB_URI', 'postgres://user:hunter2@db'],
    ['REDIS_URL', 'http://:hunter2@redis'],
  ])('never repeat what %s holds', (name, value) => {
    const read = () => readWebSettings({ MASTER_KEYS, [name]: value });
    expect(read).toThrow(`${name} is wrong`);
    expect(read).not.toThrow('hunter2');
  });

  it('name every variable at fault at once', () => {
    const read = () => readWebSettings({ PORT: 'x', LOG_LEVEL: 'x' });
    for (const name of ['PORT', 'LOG_LEVEL', 'MASTER_KEYS is not set']) expect(read).toThrow(name);
  });
});
