import { z } from 'zod';
import { fileNames, secretNames } from '../../src/settings/config.ts';
import { settingsOfProcess } from '../../src/settings/settings.ts';

interface Declared {
  readonly description?: string;
  readonly default?: string | number | boolean;
}

interface Row extends Declared {
  readonly processes: string[];
  /** Defaults that differ between processes, each with its process. */
  readonly defaults: Map<string, string>;
}

/** docs/configuration.md, as the settings' schemas declare it. */
export function configurationPage(): string {
  const rows = new Map<string, Row>();
  for (const [processName, schema] of Object.entries(settingsOfProcess)) {
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    for (const [name, declared] of Object.entries(properties as Record<string, Declared>)) {
      const row: Row = rows.get(name) ?? { ...declared, processes: [], defaults: new Map() };
      row.processes.push(processName);
      row.defaults.set(processName, defaultOf(name, declared));
      rows.set(name, row);
    }
  }
  return page([...rows]);
}

function defaultOf(name: string, declared: Declared): string {
  if (declared.default !== undefined) return declared.default === '' ? 'empty' : `\`${declared.default}\``;
  // No other without a default is needed by a process.
  return name === 'MASTER_KEYS' ? '**must be set**' : 'none';
}

function page(rows: readonly (readonly [string, Row])[]): string {
  const lines = rows.map(([name, { description = '', processes, defaults }]) => {
    const distinct = new Set(defaults.values());
    const shown =
      distinct.size === 1 ? [...distinct] : [...defaults].map(([processName, value]) => `${value} (${processName})`);
    const used = processes.length === Object.keys(settingsOfProcess).length ? 'all' : processes.join(', ');
    return `| \`${name}\` | ${used} | ${shown.join(', ')} | ${description.replaceAll('|', '\\|')} |`;
  });
  const secrets = [...secretNames].map((name) => `\`${name}\``).join(', ');
  const alsoFiles = [...fileNames].filter((name) => !secretNames.has(name)).map((name) => `\`${name}\``);
  return `# Configuration

Every setting is an environment variable, checked when a process starts: wrong ones end it with one message, which names
each variable, what was found (never a secret) and what is allowed. An empty variable counts as not set. A variable that
is nearly a setting, such as \`BACKLOGMAX\`, has no effect: the message names it, or a warning in the log.

\`admin config check --process web\` shows what each setting is in its environment, without secrets, and where from, and
all that is wrong, before a process is started. It asks no server, and exits with 1 if anything is wrong. Run it in the
process's own environment: in its container, pod or dyno \`node src/admin/main.ts config check --process worker\`.

These hold secrets: ${secrets}.
Each of them, and ${alsoFiles.join(', ')}, may be given as a file instead, such as \`MASTER_KEYS_FILE=/run/secrets/master_keys\`; setting both is an error.

\`web\` is the process of the API (\`src/main.ts\`), \`worker\` that of \`workers/main.ts\`, \`admin\` the command line.

| setting | process | default | meaning |
| --- | --- | --- | --- |
${lines.join('\n')}

Written by \`script/node script/write-docs.ts\` from the schemas in \`src/settings/settings.ts\`; a test holds that it is current.

## What all processes share

A process that starts compares these with what the database has and what the others use. If one differs, it ends with code 1 and
one message, which names the setting. What runs is not compared again.

- \`MASTER_KEYS\`: it has every version that secrets are sealed with, and the same key under each number (the collection
  \`masterKeys\` has a known text sealed with each). During a [rotation](operations.md#keys) every process has to have both.
- \`REDIS_URL\` and \`QUEUE_PREFIX\`: with others, a process would wait for jobs that never come, and not know which nonces
  the others saw spent. To move, see [another Redis](operations.md#moving-to-another-redis).

**"the queues of another database"**: Redis keeps an id in \`PREFIX:queues\` (a cluster copies of it, \`PREFIX:queues-0\` to
\`-7\`), and this one was given for another MongoDB database. Two installations that share a Redis each need a \`QUEUE_PREFIX\`
of their own. Only if that database is gone for good, stop all processes and delete the key, on a cluster each copy:

<!-- not run: changes what belongs to another database -->

\`\`\`sh
redis-cli -u "$REDIS_URL" DEL transfers:queues
\`\`\`

## Currencies

The collection \`currencies\` has every currency with its decimals, the same for all processes, which follow it within a second. The
first process records those of ISO 4217, and USDT, USDC (6 decimals each) and BTC (8). Nothing is removed.

\`\`\`sh
admin currencies list
admin currencies add --currency GEM --decimals 3
admin currencies set --currency BTC --decimals 10
\`\`\`

Amounts that are stored keep their value. It is refused if a balance, or one with its credit limit, would then have more than 34
digits. Fewer decimals are refused as soon as there is a wallet of the currency.
`;
}
