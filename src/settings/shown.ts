import { z } from 'zod';
import { fileNames, type Judged } from './config.ts';
import { shownMongodbAddress } from './mongodb-address.ts';
import { shownRedisAddress } from './redis-address.ts';
import { settingsOfProcess, type ProcessName, type SettingName } from './settings.ts';

interface Declared {
  readonly default?: string | number | boolean;
}

const thatItIsSet = '(set)';
const versions = (text: string): string =>
  `(versions ${[...text.matchAll(/(?:^|,)(\d+):/g)].map(([, each]) => each).join(', ')})`;

/** How what may be secret or long is shown; where nothing is said of it here, only that it is set. All others are as they are. */
const shownAs: Readonly<Partial<Record<SettingName, (text: string) => string>>> = {
  MONGODB_URI: shownMongodbAddress,
  REDIS_URL: shownRedisAddress,
  MASTER_KEYS: versions,
};

/**
 * What each setting of a process is, without any secret: of an address its servers, its database and how they are reached, of keys their versions.
 * A value that cannot be read is only said to be set.
 */
export function shownSettings(processName: ProcessName, { texts }: Pick<Judged<ProcessName>, 'texts'>) {
  const { properties = {} } = z.toJSONSchema(settingsOfProcess[processName], { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Declared>).map(([name, { default: usual }]) => {
    const setTo = texts.get(name);
    if (setTo === undefined)
      return { setting: name, value: usual === undefined ? null : String(usual), from: 'default' as const };
    return { setting: name, value: shown(name as SettingName, setTo.text), from: setTo.source };
  });
}

function shown(name: SettingName, text: string): string {
  if (!fileNames.has(name)) return text;
  try {
    return shownAs[name]?.(text) ?? thatItIsSet;
  } catch {
    // An address that cannot be read.
    return thatItIsSet;
  }
}
