import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const startIdBytes = 4;

/**
 * A name for this start of the process, in the orders that it posts, in leases and on the operator's page. Each start has
 * its own. In a container, host name and process id are the same at every start; under the same name, a restarted process
 * would hide that the transactions of the one before are still open.
 */
export function newInstanceId(): string {
  return `${hostname()}:${process.pid}:${randomBytes(startIdBytes).toString('hex')}`;
}
