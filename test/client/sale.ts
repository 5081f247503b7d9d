import type { TestWorkspace } from '../support/workspace.ts';

// The sale of the clients' pages, and what is back of each of its legs after the refund.

/** @returns the wallets of the buyer, the seller, the fees and the taxes. */
export const saleWallets = (workspace: TestWorkspace): Promise<string[]> =>
  Promise.all(['200', undefined, undefined, undefined].map((balance) => workspace.wallet(balance)));

/** Each with what it moved and what was moved back. */
export const legsOfSale = ['100.00 USD 25.00', '3.00 USD 0.00', '8.00 USD 2.00'];
