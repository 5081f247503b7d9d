import { Redis } from 'ioredis';

/** A connection for a consumer, with those that the library makes of it. */
export function openWedgeable(url: string) {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const connections = [connection];
  const duplicate = connection.duplicate.bind(connection);
  connection.duplicate = (...values) => {
    const another = duplicate(...values);
    connections.push(another);
    return another;
  };
  return {
    connection,
    /**
     * Has the library wait for jobs without end, on a connection that it takes for one that is being opened. Resolves once
     * it waits.
     */
    wedge: async (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      for (const each of connections.slice(1)) {
        each.bzpopmin = () => {
          resolve(undefined);
          return Promise.withResolvers<never>().promise;
        };
        Object.defineProperty(each, 'status', { value: 'connecting' });
      }
      await promise;
    },
    /** Breaks all of them. */
    disconnect: (): void => {
      for (const each of connections) each.disconnect();
    },
  };
}
