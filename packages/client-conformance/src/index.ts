export { readCases } from './read-cases.ts';
export { runSuite } from './suite.ts';
export type { SuiteOptions, SuiteReport } from './suite.ts';
export type { CaseReport } from './run-case.ts';
export type { NamedCase } from './case.ts';
