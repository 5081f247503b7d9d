import { MongoClient } from 'mongodb';

/**
 * Shows this process's MongoDB clients as they connect, from now on: for counting and for tests.
 * @param watch asked each time that a client connects, until it says that it watches that one.
 * @returns ends that; what is watched stays so.
 */
export function watchConnectingClients(watch: (client: MongoClient) => boolean): () => void {
  const connect: (this: MongoClient) => Promise<MongoClient> = Reflect.get(MongoClient.prototype, 'connect');
  const watched = new WeakSet<MongoClient>();
  MongoClient.prototype.connect = function (this: MongoClient) {
    if (!watched.has(this) && watch(this)) watched.add(this);
    return connect.call(this);
  };
  return () => {
    MongoClient.prototype.connect = connect;
  };
}
