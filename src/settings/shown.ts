import { z } from 'zod';
import { fileNames, type Judged, type SettingSource } from './config.ts';
import { shownMongodbAddress } from './mongodb-address.ts';
import { nodesOf, parseRedisAddress } from './redis-address.ts';
import { settingsOfProcess, type ProcessName, type SettingName } from './settings.ts';

/** A setting as anybody may see it. */
export interface ShownSetting {
  readonly setting: string;
  /** Null if it is not set and has no default. */
  readonly value: string | null;
  readonly from: SettingSource;
}

interface Declared {
  readonly default?: string | number | boolean;
}

type Show = (text: string) => string;

const thatItIsSet: Show = () => '(set)';
const servers: Show = (uri) => shownMongodbAddress(uri);
const nodes: Show = (text) => {
  const address = parseRedisAddress(text);
  if (address === undefined) return thatItIsSet(text);
  const hosts = nodesOf(address).map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const database = address.kind === 'server' ? new URL(address.url).pathname : '';
  return `redis${address.isTls ? 's' : ''}${address.kind === 'cluster' ? '+cluster' : ''}://${hosts.join(',')}${database}`;
};
const versions: Show = (text) =>
  `(versions ${[...text.matchAll(/(?:^|,)(\d+):/g)].map(([, each]) => each).join(', ')})`;

/** How what may be secret or long is shown; where nothing is said of it here, only that it is set. All others are as they are. */
const shownAs: Readonly<Partial<Record<SettingName, Show>>> = {
  MONGODB_URI: servers,
  REDIS_URL: nodes,
  MASTER_KEYS: versions,
};

/**
 * What each setting of a process is, without any secret: of an address its servers, its database and how they are reached, of keys their versions.
 * A value that cannot be read is only said to be set.
 */
export function shownSettings(processName: ProcessName, { texts }: Pick<Judged<ProcessName>, 'texts'>): ShownSetting[] {
  const { properties = {} } = z.toJSONSchema(settingsOfProcess[processName], { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Declared>).map(([name, { default: usual }]) => {
    const setTo = texts.get(name);
    if (setTo === undefined)
      return { setting: name, value: usual === undefined ? null : String(usual), from: 'default' };
    return { setting: name, value: shown(name as SettingName, setTo.text), from: setTo.source };
  });
}

function shown(name: SettingName, text: string): string {
  if (!fileNames.has(name)) return text;
  try {
    return (shownAs[name] ?? thatItIsSet)(text);
  } catch {
    // An address that cannot be read.
    return thatItIsSet(text);
  }
}
