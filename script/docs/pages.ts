import { format, resolveConfig } from 'prettier';
import { alertsOfKubernetes, inhibitRules, prometheusRules } from './alert-rules.ts';
import { clientTypes } from './client-types.ts';
import { configurationPage } from './configuration-page.ts';
import { apiPage } from './endpoints-table.ts';
import { errorsPage } from './errors-page.ts';
import { postmanCollection } from './postman-collection.ts';
import { pythonTypes } from './python-types.ts';
import { runbook } from './runbook.ts';
import { signingVectors } from './signing-vectors.ts';

const root = new URL('../../', import.meta.url);

/** The generated pages of docs/, the alerts and the clients' types, formatted as the rest, by their path. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const config = await resolveConfig(new URL('package.json', root));
  const pages = [
    ['docs/api.md', apiPage(), 'markdown'],
    ['docs/configuration.md', configurationPage(), 'markdown'],
    ['docs/errors.md', errorsPage(), 'markdown'],
    ['docs/signing-vectors.json', JSON.stringify(signingVectors()), 'json'],
    ['docs/postman-collection.json', JSON.stringify(postmanCollection()), 'json'],
    ['docs/operations.md', await runbook(), 'markdown'],
    ['deploy/alerts.yml', prometheusRules(), 'yaml'],
    ['deploy/alertmanager.yml', inhibitRules(), 'yaml'],
    ['deploy/kubernetes/alerts.yaml', alertsOfKubernetes(), 'yaml'],
    ['packages/client/src/openapi.ts', await clientTypes(), 'typescript'],
  ] as const;
  const formatted = pages.map(
    async ([path, text, parser]) => [path, await format(text, { ...config, parser })] as const,
  );
  const python = 'packages/client-python/src/signed_wallet_client/_resources.py';
  return new Map([...(await Promise.all(formatted)), [python, pythonTypes()]]);
}
