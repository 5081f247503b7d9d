import { endWithParent } from '../servers/endWithParent.ts';
import type { LoadOrder } from './loadOrder.ts';
import { sendOnTime } from './sendOnTime.ts';

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
