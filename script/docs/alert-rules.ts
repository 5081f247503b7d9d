import { stringify } from 'yaml';
import { anchorOf } from '../../src/ops/docs.ts';
import { problems } from '../../src/ops/problems/table.ts';

/** In the rules for Prometheus itself; its operator has only one for all that it watches. */
const externalLabel = '{{ $externalLabels.operations }}';
/** Where the page is after `kubectl port-forward`, until links.yaml names another place. */
const usualOperations = 'http://127.0.0.1:3001';
/** Two installations that one Alertmanager hears of explain nothing of each other. */
const installation = ['operations', 'namespace'];

const folds = problems.flatMap(({ name, explains = [] }) => (explains.length === 0 ? [] : { cause: name, explains }));

/** @param operations the address of the operations port, in the links to the runbook. */
function rulesWith(operations: string, isKubernetes: boolean) {
  return problems.flatMap(({ name, severity, what, follows, toDo, alert }) => {
    const { expr, figure, isOfKubernetes = false } = alert;
    if (isOfKubernetes && !isKubernetes) return [];
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
${stringify({ groups: [{ name: 'transfers', rules: rulesWith(externalLabel, false) }] }, { lineWidth: 0 })}`;
}

/** deploy/alertmanager.yml: which alerts are silent while another one explains them. */
export function inhibitRules(): string {
  const inhibit_rules = folds.map(({ cause, explains }) => ({
    source_matchers: [`alertname="${cause}"`],
    target_matchers: [`alertname=~"${explains.join('|')}"`],
    equal: installation,
  }));
  return `# For your Alertmanager's configuration, written by script/write-docs.ts from src/ops/problems: while an alert fires that
# explains others, those wake nobody. Where to send the alerts is yours to say.
${stringify({ inhibit_rules }, { lineWidth: 0 })}`;
}

/** deploy/kubernetes/alerts.yaml: both as Prometheus's operator takes them. */
export function alertsOfKubernetes(): string {
  const rules = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'transfers' },
    spec: { groups: [{ name: 'transfers', rules: rulesWith(usualOperations, true) }] },
  };
  const matching = (value: string, matchType: '=' | '=~') => [{ name: 'alertname', value, matchType }];
  const inhibition = {
    apiVersion: 'monitoring.coreos.com/v1alpha1',
    kind: 'AlertmanagerConfig',
    metadata: { name: 'transfers' },
    spec: {
      inhibitRules: folds.map(({ cause, explains }) => ({
        sourceMatch: matching(cause, '='),
        targetMatch: matching(explains.join('|'), '=~'),
        equal: installation,
      })),
    },
  };
  return `# Written by script/write-docs.ts from src/ops/problems. kustomization.yaml puts the address of links.yaml into the links.
${[rules, inhibition].map((document) => stringify(document, { lineWidth: 0 })).join('---\n')}`;
}
