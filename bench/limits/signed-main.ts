import { readNaiveSettings } from '../naive/settings.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import { startSignedServer } from './signed-server.ts';

/** Process entry: a signed server with nothing behind it. Says its port. */
const { redisUrl, prefix } = readNaiveSettings();
const answer = { status: 'PENDING' };
const port = await startSignedServer(redisUrl, prefix, () => Promise.resolve(answer));
endWithParent();
process.once('SIGTERM', () => process.exit(0));
process.send?.({ port });
