import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './metrics-text.ts';

/** What was read from every process at one moment; labels include `instance`. */
export interface Scrape {
  atMs: number;
  samples: readonly Sample[];
}

interface Element {
  labels: Map<string, string>;
  value: number;
}
type Vector = Element[];
type Value = number | Vector;

/** A query being evaluated: its text, and what was scraped, oldest first. */
interface Evaluation {
  query: string;
  scrapes: readonly Scrape[];
}

/** Throws where the text is not PromQL, by Prometheus's own grammar. */
export function parseQuery(query: string): SyntaxNode {
  const tree = parser.parse(query);
  tree.iterate({
    enter({ type, from }) {
      if (type.isError) throw new Error(`not PromQL at character ${from}: ${query}`);
    },
  });
  const root = tree.topNode.firstChild;
  if (root === null) throw new Error('an empty query');
  return root;
}

/**
 * Evaluates the forms of PromQL that our rules use, at the last scrape; throws on any other. A range such as `[5m]` is all
 * that was scraped: a test's seconds stand for the rule's minutes, and rates are those of these seconds.
 * Source: Prometheus documentation, "Querying".
 */
export function evaluate(query: string, scrapes: readonly Scrape[]): Value {
  return valueOf(parseQuery(query), { query, scrapes });
}

const evaluators: Readonly<Record<string, (node: SyntaxNode, evaluation: Evaluation) => Value>> = {
  NumberDurationLiteral: (node, { query }) => Number(textOf(node, query)),
  VectorSelector: (node, { query, scrapes }) => select(node, query, scrapes.at(-1)),
  FunctionCall: call,
  AggregateExpr: aggregate,
  BinaryExpr: combine,
  ParenExpr: (node, evaluation) => valueOf(required(node.firstChild, evaluation.query), evaluation),
};

function valueOf(node: SyntaxNode, evaluation: Evaluation): Value {
  const evaluator = evaluators[node.name];
  if (evaluator === undefined) throw new Error(`${node.name} is not known here: ${evaluation.query}`);
  return evaluator(node, evaluation);
}

function vectorOf(node: SyntaxNode, evaluation: Evaluation): Vector {
  const value = valueOf(node, evaluation);
  if (typeof value === 'number') throw new Error(`a number where series are meant: ${evaluation.query}`);
  return value;
}

const textOf = (node: SyntaxNode, query: string): string => query.slice(node.from, node.to);
const unquoted = (text: string): string => JSON.parse(text) as string;

function required(node: SyntaxNode | null | undefined, query: string): SyntaxNode {
  if (!node) throw new Error(`not of a form known here: ${query}`);
  return node;
}

function select(selector: SyntaxNode, query: string, scrape: Scrape | undefined): Vector {
  const name = textOf(required(selector.getChild('Identifier'), query), query);
  const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const tests = matchers.map((matcher) => {
    const [label, operator, text] = [0, 1, 2].map((index) => {
      return textOf(required(childrenOf(matcher)[index], query), query);
    }) as [string, string, string];
    const wanted = new RegExp(`^(?:${unquoted(text)})$`);
    if (operator === '=~') return (labels: Map<string, string>) => wanted.test(labels.get(label) ?? '');
    if (operator === '=') return (labels: Map<string, string>) => (labels.get(label) ?? '') === unquoted(text);
    throw new Error(`${operator} is not known here: ${query}`);
  });
  return (scrape?.samples ?? [])
    .filter((sample) => sample.name === name && tests.every((test) => test(sample.labels)))
    .map(({ labels, value }) => ({ labels, value }));
}

function call(node: SyntaxNode, evaluation: Evaluation): Value {
  const name = textOf(required(node.getChild('FunctionIdentifier'), evaluation.query), evaluation.query);
  if (name === 'time') return Date.now() / 1_000;
  const [first] = childrenOf(required(node.getChild('FunctionCallBody'), evaluation.query));
  const argument = required(first, evaluation.query);
  if (name === 'rate') return rate(argument, evaluation);
  if (name === 'last_over_time') return lastOf(argument, evaluation);
  if (name === 'abs') {
    return vectorOf(argument, evaluation).map(({ labels, value }) => ({ labels, value: Math.abs(value) }));
  }
  if (name === 'vector') return [{ labels: new Map(), value: valueOf(argument, evaluation) as number }];
  if (name === 'absent') return vectorOf(argument, evaluation).length > 0 ? [] : [{ labels: new Map(), value: 1 }];
  throw new Error(`${name} is not known here: ${evaluation.query}`);
}

/** The last value of each series within the range, whether or not the last scrape has it. */
function lastOf(matrix: SyntaxNode, { query, scrapes }: Evaluation): Vector {
  const selector = required(matrix.getChild('VectorSelector'), query);
  const [, seconds] = /\[(\d+)s\]$/.exec(textOf(matrix, query)) ?? [];
  if (seconds === undefined) throw new Error(`a range in seconds is meant: ${query}`);
  const from = (scrapes.at(-1)?.atMs ?? 0) - Number(seconds) * 1_000;
  const lately = scrapes.filter(({ atMs }) => atMs > from).flatMap((scrape) => select(selector, query, scrape));
  return [...new Map(lately.map((element) => [keyOf(element.labels), element])).values()];
}

/** Per second, between the first and the last scrape; what falls began anew from zero. */
function rate(matrix: SyntaxNode, { query, scrapes }: Evaluation): Vector {
  const selector = required(matrix.getChild('VectorSelector'), query);
  const series = new Map<string, { labels: Map<string, string>; points: { atMs: number; value: number }[] }>();
  for (const scrape of scrapes) {
    for (const { labels, value } of select(selector, query, scrape)) {
      const found = series.get(keyOf(labels)) ?? { labels, points: [] };
      series.set(keyOf(labels), found);
      found.points.push({ atMs: scrape.atMs, value });
    }
  }
  return [...series.values()].flatMap(({ labels, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const increase = points.slice(1).reduce((sum, { value }, index) => {
      const before = points[index]?.value ?? 0;
      return sum + (value < before ? value : value - before);
    }, 0);
    return [{ labels, value: increase / ((last.atMs - first.atMs) / 1_000) }];
  });
}

const aggregates: Readonly<Record<string, (values: number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
};

function aggregate(node: SyntaxNode, evaluation: Evaluation): Vector {
  const { query } = evaluation;
  const fold = aggregates[textOf(required(node.getChild('AggregateOp'), query), query)];
  const modifier = node.getChild('AggregateModifier');
  const [body] = childrenOf(required(node.getChild('FunctionCallBody'), query));
  if (fold === undefined || (modifier !== null && modifier.getChild('By') === null)) {
    throw new Error(`not an aggregation known here: ${query}`);
  }
  const kept = new Set(
    (modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []).map((label) => textOf(label, query)),
  );
  const grouped = groupBy(vectorOf(required(body, query), evaluation), (labels) => {
    return new Map([...labels].filter(([label]) => kept.has(label)));
  });
  return grouped.map(({ labels, elements }) => ({ labels, value: fold(elements.map(({ value }) => value)) }));
}

/** A comparison keeps what it holds for; arithmetic makes new values. Series meet others of the same labels. */
const operators: Readonly<Record<string, (left: number, right: number) => number | undefined>> = {
  '==': (left, right) => (left === right ? left : undefined),
  '>': (left, right) => (left > right ? left : undefined),
  '<': (left, right) => (left < right ? left : undefined),
  '/': (left, right) => left / right,
  '-': (left, right) => left - right,
};

function combine(node: SyntaxNode, evaluation: Evaluation): Vector {
  const { query } = evaluation;
  const [left, operator, right] = childrenOf(node).map((child) => required(child, query));
  if (operator?.name === 'And' || operator?.name === 'Or') return combineSets(node, evaluation);
  const apply = operators[textOf(required(operator, query), query)];
  if (apply === undefined) throw new Error(`an operator that is not known here: ${query}`);
  const others = valueOf(required(right, query), evaluation);
  return vectorOf(required(left, query), evaluation).flatMap(({ labels, value }) => {
    const other =
      typeof others === 'number' ? others : others.find((each) => keyOf(each.labels) === keyOf(labels))?.value;
    const result = other === undefined ? undefined : apply(value, other);
    return result === undefined ? [] : [{ labels, value: result }];
  });
}

/** `and` keeps what the other side has too, `or` adds what it has besides. */
function combineSets(node: SyntaxNode, evaluation: Evaluation): Vector {
  const [left, operator, right] = childrenOf(node).map((child) => required(child, evaluation.query));
  const [own, others] = [left, right].map((side) => vectorOf(required(side, evaluation.query), evaluation)) as [
    Vector,
    Vector,
  ];
  const isIn = (vector: Vector, labels: Map<string, string>) =>
    vector.some((each) => keyOf(each.labels) === keyOf(labels));
  if (operator?.name === 'And') return own.filter(({ labels }) => isIn(others, labels));
  return [...own, ...others.filter(({ labels }) => !isIn(own, labels))];
}

function groupBy(vector: Vector, labelsOf: (labels: Map<string, string>) => Map<string, string>) {
  const groups = new Map<string, { labels: Map<string, string>; elements: Vector }>();
  for (const element of vector) {
    const labels = labelsOf(element.labels);
    const group = groups.get(keyOf(labels)) ?? { labels, elements: [] };
    groups.set(keyOf(labels), group);
    group.elements.push(element);
  }
  return [...groups.values()];
}

const keyOf = (labels: Map<string, string>): string => JSON.stringify([...labels].sort());

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
