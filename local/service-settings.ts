import { isPortFree } from './free-port.ts';

const PORT_MAX = 65_535;

export interface ServiceSettings {
  host: string;
  port: number;
  opsHost: string;
  opsPort: number;
}

/** Thrown for a setting that does not work; its message names it. */
class SettingError extends Error {}

/**
 * Where the web process is to listen, by its own settings. The local stack is for trying out, so the API too listens on
 * loopback unless HOST says otherwise.
 */
export function readServiceSettings(env: NodeJS.ProcessEnv): ServiceSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return {
    host: given['HOST'] ?? '127.0.0.1',
    port: portOf(env, 'PORT', 3000),
    opsHost: given['OPS_HOST'] ?? '127.0.0.1',
    opsPort: portOf(env, 'OPS_PORT', 3001),
  };
}

/** Reads the setting of a port; 0 is any free port. Throws SettingError if it is no port. */
export function portOf(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > PORT_MAX)
    throw new SettingError(`${name} is "${text}"; it takes 0 to ${PORT_MAX}.`);
  return port;
}

/** Throws SettingError if a port is taken, before anything is started in vain. */
export async function expectFreePorts({ host, port, opsHost, opsPort }: ServiceSettings): Promise<void> {
  if (port !== 0 && port === opsPort) throw new SettingError(`PORT and OPS_PORT are both ${port}.`);
  await expectFree('PORT', port, host, 'the API');
  await expectFree('OPS_PORT', opsPort, opsHost, 'health and metrics');
}

async function expectFree(setting: string, port: number, host: string, purpose: string): Promise<void> {
  if (port === 0 || (await isPortFree(port, host))) return;
  const example = `${setting}=${port + 10} script/start`;
  throw new SettingError(
    `Port ${port} on ${host}, meant for ${purpose}, is taken. Set ${setting} to another one, such as: ${example}`,
  );
}
