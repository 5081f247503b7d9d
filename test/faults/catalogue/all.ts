import { toFault, type Fault } from '../harness/fault.ts';
import { failPointFaults } from './fail-points.ts';
import { mongodbFaults } from './mongodb.ts';
import { orderFaults } from './orders.ts';
import { rebalancingFaults } from './rebalancing.ts';
import { redisFaults } from './redis.ts';
import { stoppingFaults } from './stopping.ts';
import { webFaults } from './webs.ts';
import { workerFaults } from './workers.ts';

export const faults: readonly Fault[] = [
  ...workerFaults,
  ...webFaults,
  ...stoppingFaults,
  ...orderFaults,
  ...rebalancingFaults,
  ...redisFaults,
  ...mongodbFaults,
  ...failPointFaults,
].map(toFault);
