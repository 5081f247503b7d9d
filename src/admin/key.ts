import { Option, type Command } from 'commander';
import { newSecret, sealSecret } from '../auth/secrets.ts';
import { isTestWorkspace, newIdOf } from '../domain/ids.ts';
import { scopes, type Scope } from '../domain/scopes.ts';
import type { AuditedChange } from '../storage/audit.ts';
import type { ApiKey, ApiKeyChange, KeyRate } from '../storage/keys/api-keys.ts';
import { CommandError, orFail, UsageError } from './failures.ts';
import { addBudgetVerb, budgetsOf } from './key-budget.ts';
import { findKey, findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseCidrs, parseOverlap, parseRate, parseScopes, parseUser } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface CreateKeyOptions {
  readonly workspace: string;
  readonly owner: string;
  readonly scope: readonly Scope[];
  readonly ip?: readonly string[];
}

export function addKeyCommands(program: Command): void {
  const noun = program.command('key').description('API keys: each bound to one workspace and one of its members');

  noun
    .command('create')
    .description('make a key; its secret is shown this once')
    .requiredOption('--workspace <id>', 'the workspace it reaches')
    .requiredOption('--owner <user>', 'the member it stands on', parseUser)
    .requiredOption('--scope <scope>', `${scopes.join(', ')}; repeat for several`, parseScopes)
    .option('--ip <cidr>', 'address or CIDR it may be used from; repeat for several (default: any)', parseCidrs)
    .action(
      withSession<CreateKeyOptions, KeyWithSecret>(createKey, {
        unseen: ({ apiKey }) =>
          `key ${apiKey} was made, but its secret could not be shown: give it another by key rotate --key ${apiKey}` +
          ` --overlap 0, or undo it by key disable --key ${apiKey}`,
      }),
    );

  noun
    .command('list')
    .description('list keys, oldest first; secrets are never shown')
    .option('--workspace <id>', 'of this workspace alone')
    .action(
      withSession<{ workspace?: string }>(async ({ workspace }, session) => {
        if (workspace !== undefined) await findWorkspace(session.collections, workspace);
        const keys = await session.collections.apiKeys.list(workspace);
        const budgets = await budgetsOf(keys, session);
        return keys.map((key) => ({ ...keyToPrinted(key), budgets: budgets.get(key.id) ?? [] }));
      }),
    );

  addChangeCommands(noun);
}

export async function createKey(
  options: CreateKeyOptions,
  { masterKeys, collections, audited, clock }: Session,
): Promise<KeyWithSecret> {
  const { workspace: workspaceId, owner: ownerId, scope: scopes, ip: ipWhitelist = [] } = options;
  await findWorkspace(collections, workspaceId);
  if (!(await collections.workspaces.isMember(workspaceId, ownerId))) {
    throw new CommandError(
      `${ownerId} is not a member of workspace ${workspaceId}; see: member add --workspace ${workspaceId} --user …`,
    );
  }
  const id = newIdOf('apiKey', isTestWorkspace(workspaceId), clock());
  const secret = newSecret();
  const subject = { key: id, owner: ownerId, scopes, ipWhitelist };
  const key = await audited({ action: 'key create', workspaceId, subject }, async () => {
    const sealed = sealSecret(secret, id, await masterKeys(), clock());
    const { createdAt } = sealed;
    const values = { id, workspaceId, ownerId, scopes, ipWhitelist };
    const made: ApiKey = { ...values, status: 'ENABLED', secrets: [sealed], createdAt, updatedAt: createdAt };
    await collections.apiKeys.insert(made);
    return made;
  });
  return keyWithSecret(key, secret);
}

/** The verbs that change a key. Each takes effect in every API process within a second. */
function addChangeCommands(noun: Command): void {
  const verb = (name: string, description: string): Command =>
    noun.command(name).description(description).requiredOption('--key <key>', 'its public identifier');

  const status = (name: string, description: string, to: ApiKey['status']): Command =>
    verb(name, description).action(
      withSession<{ key: string }>(({ key }, session) => changeKey(session, `key ${name}`, key, { status: to })),
    );
  status('enable', 'let a disabled key work again', 'ENABLED');
  status('disable', 'stop a key from working', 'DISABLED');

  verb('rotate', 'give a key a new secret, shown this once; the old one stays valid during the overlap')
    .addOption(
      new Option('--overlap <duration>', 'how long, such as 30m, 24h or 7d; 0 ends the old secret at once')
        .argParser(parseOverlap)
        .default(parseOverlap('24h'), '24h'),
    )
    .action(
      withSession<RotateOptions, KeyWithSecret & { previousValidUntil: Date | null }>(rotateKey, {
        unseen: ({ apiKey, previousValidUntil }) =>
          `key ${apiKey} has a new secret, which could not be shown: give it another by key rotate --key ${apiKey}` +
          (previousValidUntil === null
            ? ' --overlap 0; the one before has ended'
            : `; that ends the one before at once, which is valid until ${previousValidUntil.toISOString()} otherwise`),
        question: ({ key, overlap }) =>
          overlap === 0 ? `Rotate key ${key} without overlap? The secret in use ends at once.` : undefined,
      }),
    );

  verb('scopes', 'replace the scopes of a key')
    .requiredOption('--scope <scope>', `${scopes.join(', ')}; repeat for several`, parseScopes)
    .action(
      withSession<{ key: string; scope: readonly Scope[] }>(({ key, scope }, session) =>
        changeKey(session, 'key scopes', key, { scopes: scope }, { scopes: scope }),
      ),
    );

  verb('whitelist', 'replace the addresses that a key may be used from')
    .addOption(
      new Option('--ip <cidr>', 'address or CIDR; repeat for several').argParser(parseCidrs).conflicts('clear'),
    )
    .option('--clear', 'empty the list: the key may be used from anywhere')
    .action(
      withSession<WhitelistOptions>(
        ({ key, ip = [] }, session) =>
          changeKey(session, 'key whitelist', key, { ipWhitelist: ip }, { ipWhitelist: ip }),
        {
          check: ({ ip, clear }) => {
            if (ip === undefined && clear !== true) throw new UsageError('give --ip, or --clear to empty the list');
          },
        },
      ),
    );

  addBudgetVerb(verb('budget', 'set or remove a budget of a key: how much its orders may take in a currency'));
  addRateVerb(verb('rate', 'give a key a rate of its own; what is above it is answered 429'));
}

interface WhitelistOptions {
  readonly key: string;
  readonly ip?: readonly string[];
  readonly clear?: boolean;
}

interface RateOptions {
  readonly key: string;
  readonly perSecond?: number;
  readonly burst?: number;
  readonly clear?: boolean;
}

function addRateVerb(verb: Command): void {
  verb
    .addOption(new Option('--per-second <n>', 'requests a second, always').argParser(parseRate).conflicts('clear'))
    .addOption(
      new Option('--burst <n>', 'requests within one second now and then').argParser(parseRate).conflicts('clear'),
    )
    .option('--clear', 'the setting KEY_RATE_PER_SECOND holds for it again')
    .action(
      withSession<RateOptions>(
        (options, session) => {
          const rate = rateOf(options);
          const values = { perSecond: rate?.perSecond ?? null, burst: rate?.burst ?? null };
          return changeKey(session, 'key rate', options.key, { rate }, values);
        },
        { check: (options) => void rateOf(options) },
      ),
    );
}

/** @returns null if the rate of every key is to apply. @throws UsageError the options give no rate. */
function rateOf({ perSecond, burst, clear }: RateOptions): KeyRate | null {
  if (clear === true) return null;
  if (perSecond === undefined || burst === undefined) {
    throw new UsageError('give both --per-second and --burst, or --clear for the rate of every key');
  }
  if (burst < perSecond) throw new UsageError(`--burst ${burst} is below --per-second ${perSecond}`);
  return { perSecond, burst };
}

interface RotateOptions {
  readonly key: string;
  /** In milliseconds. */
  readonly overlap: number;
}

async function rotateKey({ key: id, overlap: overlapMs }: RotateOptions, session: Session) {
  const key = await findKey(session.collections, id);
  const secret = newSecret();
  const previousValidUntil = overlapMs === 0 ? null : new Date(session.clock().getTime() + overlapMs);
  // At most two secrets: one that an earlier rotation left valid ends now.
  const previous = key.secrets
    .filter(({ expiresAt }) => expiresAt === null && previousValidUntil !== null)
    .map((current) => ({ ...current, expiresAt: previousValidUntil }));
  const subject = { key: key.id, previousValidUntil: previousValidUntil?.toISOString() ?? null };
  const changed = await session.audited({ action: 'key rotate', workspaceId: key.workspaceId, subject }, async () => {
    const current = sealSecret(secret, key.id, await session.masterKeys(), session.clock());
    return changeAsRead(session, key, { secrets: [current, ...previous] });
  });
  return { ...keyWithSecret(changed, secret), previousValidUntil };
}

/** @throws CommandError someone else changed the key since it was read, and a secret that they added must not be lost. */
async function changeAsRead({ collections }: Session, key: ApiKey, change: ApiKeyChange): Promise<ApiKey> {
  const changed = await collections.apiKeys.change(key.id, change, key.updatedAt);
  return orFail(changed, `key ${key.id} was changed by someone else meanwhile; try again`);
}

async function changeKey(
  { collections, audited }: Session,
  action: string,
  id: string,
  change: ApiKeyChange,
  values: AuditedChange['subject'] = {},
): Promise<Printed> {
  const { workspaceId } = await findKey(collections, id);
  const changed = await audited({ action, workspaceId, subject: { key: id, ...values } }, async () =>
    orFail(await collections.apiKeys.change(id, change), `there is no key ${id} any more`),
  );
  return keyToPrinted(changed);
}

type KeyWithSecret = Printed & Readonly<Record<'apiKey' | 'apiSecret', string>>;

/** A key as it is printed this once, with its secret beside its name. */
function keyWithSecret(key: ApiKey, secret: string): KeyWithSecret {
  return { apiKey: key.id, apiSecret: secret, ...keyToPrinted(key) };
}

/** A key as it is printed: never with a secret, sealed or not. */
function keyToPrinted(key: ApiKey): Printed {
  return {
    apiKey: key.id,
    workspaceId: key.workspaceId,
    owner: key.ownerId,
    scopes: key.scopes,
    status: key.status,
    ipWhitelist: key.ipWhitelist,
    ratePerSecond: key.rate?.perSecond ?? null,
    rateBurst: key.rate?.burst ?? null,
    createdAt: key.createdAt,
    updatedAt: key.updatedAt,
  };
}
