import { MongoBinary } from 'mongodb-memory-server';

// Entry point of its own, so that a download which hangs can be ended with its process: prints the path of a
// mongod, from mongodb-memory-server's cache or downloaded just now.
process.stdout.write(`${JSON.stringify({ binary: await MongoBinary.getPath() })}\n`);
