import { stringify } from 'yaml';
import { anchorOf } from '../../src/ops/markdown.ts';
import { problems } from '../../src/ops/problems/table.ts';

/** In the rules for Prometheus itself; its operator has only one for all that it watches. */
const externalLabel = '{{ $externalLabels.operations }}';
/** Where the page is after `kubectl port-forward`, until links.yaml names another place. */
const usualOperations = 'http://127.0.0.1:3001';

/** @param operations the address of the operations port, in the links to the runbook. */
function groupsWith(operations: string) {
  const rules = problems.flatMap(({ name, severity, what, follows, toDo, alert }) => {
    if ('never' in alert) return [];
    const { expr, figure } = alert;
    return {
      alert: name,
      expr,
      ...(alert.for !== undefined && { for: alert.for }),
      labels: { severity },
      annotations: {
        summary: `${what}${figure === undefined ? '' : `: ${figure}`}.`,
        description: `${follows} ${toDo}`,
        runbook_url: `${operations}/docs/operations.md#${anchorOf(name)}`,
      },
    };
  });
  return { groups: [{ name: 'transfers', rules }] };
}

/** deploy/alerts.yml: the alerts as Prometheus itself takes them. */
export function prometheusRules(): string {
  return `# Prometheus alert rules, written by script/write-docs.ts from src/ops/problems. Each alert's name is a heading of
# docs/operations.md, which says what to do. Where that page is read, Prometheus's external label \`operations\` says
# (deploy/prometheus.yml).
#
# What is counted is looked at over 45 seconds beside five minutes: the five tell that it matters, the 45 that it goes
# on. A scrape and an evaluation later, each 15 s at the most, is a minute: then an alert is over. A floor keeps a single
# failure of a quiet service from counting as all of its traffic. What is read of the whole service counts for 45 seconds
# where an alert waits for a minute or longer (\`for\`), so that a reading that fails does not begin the wait anew. Made
# for scrapes and evaluations 15 s apart or less; a test runs each rule through both with promtool.
${stringify(groupsWith(externalLabel), { lineWidth: 0 })}`;
}

/** deploy/kubernetes/alerts.yaml: the alerts as Prometheus's operator takes them. */
export function prometheusRuleOfKubernetes(): string {
  return `# Written by script/write-docs.ts from src/ops/problems. kustomization.yaml puts the address of links.yaml into the links.
${stringify(
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'transfers' },
    spec: groupsWith(usualOperations),
  },
  { lineWidth: 0 },
)}`;
}
