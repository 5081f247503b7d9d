import type { Command } from 'commander';
import { scopes } from '../domain/scopes.ts';
import { localApiUrl } from '../settings/config.ts';
import { createKey } from './key.ts';
import { addMember } from './member.ts';
import { parseCurrencies, parseName } from './parameters.ts';
import { withSession, type Session } from './session.ts';
import { checkCurrency, createWallet } from './wallet.ts';
import { createWorkspace } from './workspace.ts';

interface SandboxOptions {
  readonly name: string;
  readonly currency: readonly string[];
}

/** What a program has to know, by the names of its variables. */
type Sandbox = Readonly<Record<string, string>>;

const owner = 'sandbox';

export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('test workspaces, ready for a program that calls the API')
    .command('create')
    .description('make a test workspace with a member, a key of all scopes, and two empty wallets of each currency')
    .requiredOption('--name <name>', 'its name, for people', parseName)
    .requiredOption('--currency <code>', 'of two of its wallets; repeat for several', parseCurrencies)
    .addHelpText('after', '\nPrints lines for a shell: eval "$(admin sandbox create --name N --currency C)"')
    .action(
      withSession<SandboxOptions, Sandbox>(createSandbox, {
        text: (made) =>
          Object.entries(made)
            .map(([name, value]) => `export ${name}='${value}'\n`)
            .join(''),
        unseen: ({ WORKSPACE_ID: id }) =>
          `sandbox ${id} was made, but its secret could not be shown: undo it by workspace delete --workspace ${id}`,
      }),
    );
}

async function createSandbox({ name, currency: codes }: SandboxOptions, session: Session): Promise<Sandbox> {
  for (const code of codes) checkCurrency(code, session);
  const { id: workspace } = await createWorkspace(name, true, session);
  await addMember({ workspace, user: owner }, session);
  const { apiKey, apiSecret } = await createKey({ workspace, owner, scope: scopes }, session);
  const wallets: Record<string, string> = {};
  for (const currency of codes)
    for (const number of [1, 2]) {
      const wallet = await createWallet({ workspace, currency, name: `${currency} ${number}` }, session);
      wallets[`WALLET_${currency}_${number}`] = wallet.id;
    }
  const url = localApiUrl(session.host.env, session.settings.MONGODB_URI);
  const key = { WORKSPACE_ID: workspace, API_KEY: apiKey, API_SECRET: apiSecret };
  return { ...(url !== undefined && { BASE_URL: url }), ...key, ...wallets };
}
