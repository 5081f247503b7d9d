import {
  StillPendingError,
  TransferFailedError,
  type Client,
  type Order,
  type WaitOptions,
} from 'signed-wallet-client';

/** Waits for the order's end. Gives it as it was seen last: where it failed, and where it is PENDING after the wait, too. */
export async function orderAtEnd(client: Client, id: string, options: WaitOptions): Promise<Order> {
  try {
    return await client.transfer.completed(id, options);
  } catch (error) {
    if (error instanceof TransferFailedError || error instanceof StillPendingError) return error.order;
    throw error;
  }
}
