import { CommandError, shown } from '../errors.ts';
import type { Execution } from '../query/execute.ts';
import type { IndexScan, Plan } from '../query/plan.ts';
import { countingPipeline } from '../semantics/counting.ts';
import { asDocument, isDocument, type Document } from '../semantics/values.ts';
import type { Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { checkedNamespace, numberField } from './fields.ts';
import { leadingQuery, query } from './reads.ts';

/**
 * explain of find, count, distinct, aggregate (its leading stages), update, delete and findAndModify: the plan, and
 * unless the verbosity is `queryPlanner` what carrying out the query touches. Nothing is written.
 * Source: manual, "Explain Results".
 */
export function explain(context: Context): Reply {
  const inner = asDocument(context.command['explain']);
  const [name = ''] = Object.keys(inner ?? {});
  if (inner === undefined) throw new CommandError(14, "BSON field 'explain' is the wrong type, expected type 'object'");
  const ns = checkedNamespace(context.database, shown(inner[name]));
  const { filter, sort, rest = [] } = queryOf(name, inner);
  const asked = { ...context, command: inner };
  const execution = query(asked, ns, filter, sort);
  const isCounted = execution.isCovered && (name === 'count' || countingPipeline(rest) !== undefined);
  const queryPlanner = {
    ...{ plannerVersion: 1, namespace: ns, indexFilterSet: false, parsedQuery: filter },
    winningPlan: isCounted ? describeCount(execution.plan) : describePlan(execution.plan, sort),
    rejectedPlans: [],
  };
  const isPlanOnly = context.command['verbosity'] === 'queryPlanner';
  const [next = {}] = rest;
  const limit = name === 'aggregate' ? numberField({ ...asked, command: next }, '$limit') : numberField(asked, 'limit');
  const skip = numberField(asked, 'skip') ?? 0;
  return { queryPlanner, ...(isPlanOnly ? {} : { executionStats: measure(execution, isCounted, skip, limit) }), ok: 1 };
}

/** `rest` is what a pipeline goes on with. */
function queryOf(name: string, inner: Document): { filter: Document; sort: Document; rest?: Document[] } {
  const filterOf = (value: Document[string]): Document => asDocument(value) ?? {};
  switch (name) {
    case 'find':
      return { filter: filterOf(inner['filter']), sort: filterOf(inner['sort']) };
    case 'count':
    case 'distinct':
    case 'findAndModify':
    case 'findandmodify':
      return { filter: filterOf(inner['query']), sort: filterOf(inner['sort']) };
    case 'aggregate':
      return leadingQuery(Array.isArray(inner['pipeline']) ? inner['pipeline'].filter(isDocument) : []);
    case 'update':
    case 'delete': {
      const list = inner[`${name}s`];
      return { filter: filterOf(asDocument(Array.isArray(list) ? list[0] : undefined)?.['q']), sort: {} };
    }
    default:
      throw new CommandError(59, `Explain failed due to unknown command: ${name}`);
  }
}

function measure(execution: Execution, isCounted: boolean, skip: number, limit: number | undefined): object {
  const start = performance.now();
  const { rows, statistics } = execution;
  let found = 0;
  const wanted = limit === undefined || limit === 0 ? Infinity : skip + Math.abs(limit);
  if (isCounted) found = execution.count(wanted);
  else for (const row of rows) if (row.record > 0 && ++found >= wanted) break;
  return {
    ...{ executionSuccess: true, nReturned: Math.max(0, found - skip) },
    executionTimeMillis: Math.round(performance.now() - start),
    ...{ totalKeysExamined: statistics.keys, totalDocsExamined: statistics.documents },
  };
}

/** Entries are counted without a look at their documents. */
function describeCount({ scans }: Plan): object {
  const [scan] = scans;
  if (scan === undefined) return { stage: 'EOF' };
  return scan.index.natural ? describeScan(scan) : { ...describeEntries(scan), stage: 'COUNT_SCAN' };
}

function describePlan({ scans, servesSort }: Plan, sort: Document): object {
  const isSorted = Object.keys(sort).length > 0;
  const stages = scans.map(describeScan);
  const [only = { stage: 'EOF' }] = stages;
  if (stages.length <= 1)
    return isSorted && !servesSort ? { stage: 'SORT', sortPattern: sort, inputStage: only } : only;
  if (isSorted && servesSort) return { stage: 'SORT_MERGE', sortPattern: sort, inputStages: stages };
  const or = { stage: 'OR', inputStages: stages };
  return isSorted ? { stage: 'SORT', sortPattern: sort, inputStage: or } : or;
}

function describeScan(scan: IndexScan): object {
  if (scan.index.natural) return { stage: 'COLLSCAN', direction: directionOf(scan) };
  return { stage: 'FETCH', inputStage: describeEntries(scan) };
}

function describeEntries(scan: IndexScan): object {
  const { index, intervals } = scan;
  return {
    ...{ stage: 'IXSCAN', keyPattern: index.spec['key'], indexName: index.name, direction: directionOf(scan) },
    ...{ isMultiKey: index.arrayPaths.size > 0, isUnique: index.unique, isPartial: index.partial !== undefined },
    intervals: intervals.length,
  };
}

function directionOf({ backward }: IndexScan): string {
  return backward ? 'backward' : 'forward';
}
