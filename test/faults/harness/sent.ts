/** An order as the API shows it; of its fields, those that a client can compare. */
export interface OrderData {
  transferId: string;
  bizId: string;
  sourceWalletId: string;
  targetWalletId: string;
  amount: string;
  currency: string;
  status: string;
  failure: { code: string; message: string } | null;
  completedAt: string | null;
}

/** The body of a create. */
export interface TransferBody {
  bizId?: string;
  sourceWalletId: string;
  targetWalletId: string;
  amount: string;
  currency: string;
}

/** One transfer that a client wanted, and whether it knows that it was taken. */
export interface Sent {
  body: TransferBody;
  /** What the first 200 said. */
  acknowledged: OrderData | undefined;
}
