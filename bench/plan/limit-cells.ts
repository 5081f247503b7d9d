import type { Cell } from '../cells.ts';
import { measureEmptyJobs } from '../limits/empty-jobs.ts';
import { measureInsertMany } from '../limits/insert-many.ts';
import { measureRequests } from '../measure/requests.ts';
import { signedOnly } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts, withStage } from './common.ts';
import { insertManyName, signedName } from './names.ts';
import { requestOptions } from './request-options.ts';

export function insertManyCell(options: BenchOptions): Cell {
  return {
    name: insertManyName,
    role: 'limit',
    unit: 'orders',
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), measureInsertMany),
  };
}

export function emptyJobsCell(options: BenchOptions): Cell {
  return {
    name: 'limit: empty BullMQ jobs',
    role: 'limit',
    unit: 'jobs',
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), measureEmptyJobs),
  };
}

export function signedCell(options: BenchOptions, kind: 'create' | 'read'): Cell {
  return {
    name: signedName(kind),
    role: 'limit',
    unit: 'requests',
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, signedOnly, { ...requestOptions(options, 'uniform', kind, run), orderIds: ['none'] }),
    ),
  };
}
