import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const startIdBytes = 4;

/**
 * Names this process wherever it is spoken of: in the orders that it posts, in leases, on the operator's page. No other
 * start of it has the name: in a container each has the same host name and process id, and one that took over the name of
 * the one before would hide that its transactions are still open.
 */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(startIdBytes).toString('hex')}`;
