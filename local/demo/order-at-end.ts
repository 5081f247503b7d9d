import {
  StillPendingError,
  TransferFailedError,
  type Client,
  type Order,
  type WaitOptions,
} from 'signed-wallet-client';

/** Waits for the order's end. Returns the order as it was last seen, also if it failed or is still PENDING. */
export async function orderAtEnd(client: Client, id: string, options: WaitOptions): Promise<Order> {
  try {
    return await client.transfer.completed(id, options);
  } catch (error) {
    if (error instanceof TransferFailedError || error instanceof StillPendingError) return error.order;
    throw error;
  }
}
