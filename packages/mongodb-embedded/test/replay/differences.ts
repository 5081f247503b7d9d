import type { Json } from './extended-json.ts';
import type { Scenario, Step } from './run.ts';

/** One step of a recorded conversation that 4.4 answers otherwise than the 4.2 that was recorded. */
export interface VersionDifference {
  scenario: string;
  step: number;
  /** What 4.4 answers; false if it does not wait where 4.2 did. */
  answer: Json;
  source: string;
}

const labels = 'driver specification, "Retryable Writes"; MongoDB 4.4, src/mongo/db/error_labels.cpp';
const creation = 'manual 4.4, "Create Collections and Indexes In a Transaction"';
const projections = 'manual 4.4, "Project Fields to Return from Query"; src/mongo/db/query/projection_parser.cpp';
const one = { $numberInt: '1' };
const two = { $numberInt: '2' };
const withoutA = {
  ...{ _id: one, b: { c: one, d: two } },
  l: [
    { x: one, y: one },
    { x: two, y: two },
  ],
  z: null,
};
const interrupted = { ok: 0, code: 91, codeName: 'ShutdownInProgress' };

/** The whole list: every other answer is the recorded one. */
export const differences: VersionDifference[] = [
  {
    scenario: 'handshake: hello on this version',
    step: 0,
    answer: { ok: 1 },
    source: 'manual 4.4, "hello"; driver specification, "MongoDB Handshake"',
  },
  {
    scenario: 'find: projection mix',
    step: 1,
    answer: { ok: 0, code: 31_254, codeName: 'Location31254' },
    source: projections,
  },
  // The id may be named beside what is excluded.
  {
    scenario: 'find: projection mix',
    step: 2,
    answer: { cursor: { id: 0, ns: '$db.c', firstBatch: [withoutA] }, ok: 1 },
    source: projections,
  },
  {
    scenario: 'find: projection mix',
    step: 3,
    answer: { ok: 0, code: 31_253, codeName: 'Location31253' },
    source: projections,
  },
  {
    scenario: 'find: projection operators',
    step: 5,
    answer: { ok: 0, code: 168, codeName: 'InvalidPipelineOperator' },
    source: projections,
  },
  // commitTransaction and abortTransaction may be repeated by themselves.
  {
    scenario: 'failpoints: commit fails before it is run',
    step: 3,
    answer: { ...interrupted, errorLabels: ['RetryableWriteError'] },
    source: labels,
  },
  {
    scenario: 'failpoints: abort fails',
    step: 3,
    answer: { ...interrupted, errorLabels: ['RetryableWriteError'] },
    source: labels,
  },
  { scenario: 'transactions: forbidden first commands', step: 1, answer: { ok: 1 }, source: creation },
  // The insert makes the collection, so the steps after it find a document.
  { scenario: 'transactions: absent collection insert', step: 0, answer: { n: 1, ok: 1 }, source: creation },
  { scenario: 'transactions: absent collection insert', step: 1, answer: { ok: 1 }, source: creation },
  {
    scenario: 'transactions: absent collection insert',
    step: 2,
    answer: { n: 1, nModified: 1, ok: 1 },
    source: creation,
  },
  {
    scenario: 'transactions: absent collection insert',
    step: 3,
    answer: { lastErrorObject: { n: 1, updatedExisting: true }, value: { _id: { $numberInt: '1' } }, ok: 1 },
    source: creation,
  },
  {
    scenario: 'transactions: absent collection insert',
    step: 4,
    answer: {
      cursor: { id: 0, ns: '$db.$cmd.listCollections', firstBatch: [{ name: 'c', type: 'collection' }] },
      ok: 1,
    },
    source: creation,
  },
  {
    scenario: 'transactions: create of an existing collection beside a transaction',
    step: 3,
    answer: false,
    source: 'MongoDB, jstests/core/txns/create_collection_parallel.js',
  },
];

/** A recorded conversation as 4.4 holds it. */
export function asLater(scenario: Scenario): Scenario {
  const steps = scenario.steps.map((step, at): Step => {
    const found = differences.find((difference) => difference.scenario === scenario.name && difference.step === at);
    if (found === undefined) return step;
    return typeof found.answer === 'boolean' ? { ...step, pending: found.answer } : { ...step, reply: found.answer };
  });
  return { ...scenario, steps };
}
