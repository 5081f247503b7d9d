import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

interface DriverConnection {
  readonly socket: Socket;
  cleanup: (this: DriverConnection, error: Error) => void;
}

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  readonly Connection: { readonly prototype: DriverConnection };
};

/**
 * Ends commands that the driver would never end, whatever its limits of time. It may write one to a socket that is destroyed
 * already, while the event that says so is still to come. That write returns false, and the driver waits for a `drain` that
 * never comes. So it gets one once it has noted why the connection is closed, and fails the command as it fails others.
 * Source: the driver's `Connection.writeCommand`, from 7.5.0 to 7.9.0 at least; Node's documentation, "net", "Event: 'drain'".
 */
const { cleanup } = Connection.prototype;
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  this.socket.emit('drain');
};
