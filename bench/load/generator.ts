import { endWithParent } from '../servers/end-with-parent.ts';
import type { LoadOrder } from './load-order.ts';
import { sendOnTime } from './send-on-time.ts';

/** Process entry: takes one order over the channel, sends its requests on time (saying so when it begins), answers with what came of them. */
process.on('message', (order: LoadOrder) => {
  void sendOnTime(order, () => process.send?.('sending')).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
endWithParent();
process.once('SIGTERM', () => process.exit(0));
process.send?.('ready');
