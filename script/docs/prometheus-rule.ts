import { readFile } from 'node:fs/promises';

const rules = new URL('../../deploy/alerts.yml', import.meta.url);
/** In the rules for Prometheus itself; its operator has only one for all that it watches. */
const externalLabel = '{{ $externalLabels.operations }}';
/** Where the page is after `kubectl port-forward`, until links.yaml names another place. */
const usualOperations = 'http://127.0.0.1:3001';

/** deploy/kubernetes/alerts.yaml: the alerts as Prometheus's operator takes them. */
export async function prometheusRule(): Promise<string> {
  const text = (await readFile(rules, 'utf8')).replaceAll(externalLabel, usualOperations);
  const groups = text.slice(text.indexOf('\ngroups:') + 1);
  return `# Written by script/write-docs.ts from deploy/alerts.yml. kustomization.yaml puts the address of links.yaml into the links.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: transfers }
spec:
${groups.replaceAll(/^(?=.)/gm, '  ')}`;
}
