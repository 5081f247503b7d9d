import { MongoBinary } from 'mongodb-memory-server';

// Prints the path of a mongod, from mongodb-memory-server's cache or downloaded just now. It is a process of its own, so
// that a download which hangs can be ended with it.
process.stdout.write(`${JSON.stringify({ binary: await MongoBinary.getPath() })}\n`);
