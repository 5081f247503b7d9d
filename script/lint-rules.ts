// The linter's rules that are this project's own; .oxlintrc.jsonc says where they hold.

/** Of a node of the syntax tree, what the rules look at. */
interface Node {
  readonly name?: string;
  readonly object?: Node;
  readonly property?: Node;
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
}

type Visitor = Readonly<Record<string, (node: Node) => void>>;
type Report = (node: Node) => void;

/** A rule that says the same wherever it finds something. */
function rule(message: string, visitor: (report: Report) => Visitor) {
  return {
    create: (context: { report: (problem: { node: Node; message: string }) => void }): Visitor =>
      visitor((node) => {
        context.report({ node, message });
      }),
  };
}

const isMember = (node: Node | undefined, object: string, property: string): boolean =>
  node?.object?.name === object && node.property?.name === property;

export default {
  meta: { name: 'project' },
  rules: {
    'settings-in-config': rule('Settings are read in src/settings/config.ts alone.', (report) => ({
      MemberExpression(node) {
        if (isMember(node, 'process', 'env')) report(node);
      },
    })),
    'ask-a-clock': rule('Ask a Clock (src/clock.ts) what time it is, because this machine may not know.', (report) => ({
      CallExpression(node) {
        if (isMember(node.callee, 'Date', 'now')) report(node);
      },
      NewExpression(node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0) report(node);
      },
    })),
    'say-the-time': rule('Say what time it is, by a Clock (src/clock.ts).', (report) => ({
      CallExpression(node) {
        const takesTime = node.callee?.name === 'newId' || node.callee?.name === 'newOrder';
        if (takesTime && node.arguments?.length === 1) report(node);
      },
    })),
  },
};
