/** Loaded before a process of the service: all of its clients are watched, and what they should not send is said. */
import { MongoClient } from 'mongodb';
import { complaintMark, watchWorkspaces } from './workspace-watch.ts';

const connect: (this: MongoClient) => Promise<MongoClient> = Reflect.get(MongoClient.prototype, 'connect');
const watched = new WeakSet<MongoClient>();

MongoClient.prototype.connect = function (this: MongoClient) {
  if (!watched.has(this)) {
    watched.add(this);
    watchWorkspaces(this, (command) => {
      process.stdout.write(`{${complaintMark},"command":${JSON.stringify(command)}}\n`);
    });
  }
  return connect.call(this);
};
