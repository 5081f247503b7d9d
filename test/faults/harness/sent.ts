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

/** What one answer of 200, or one webhook, told a client, and what it was the answer to. Nothing of it is believed. */
export interface Told {
  workspaceId: string;
  method: 'GET' | 'POST' | 'WEBHOOK';
  /** Of a webhook its type. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Of a create. */
  body?: TransferBody;
  /** Whether the answer says that it repeats an earlier one. */
  isReplay: boolean;
  /** When it was asked, and when it was told, by the harness's monotonic clock. */
  askedAtMs: number;
  toldAtMs: number;
  data: unknown;
}

/** What all clients of a run saw, shared by them. */
export interface LoadRecord {
  sent: Sent[];
  /** What no client may ever see. */
  breaches: string[];
  /** When and how each request ended: with a status, or `broken` with its connection; by the harness's monotonic clock. */
  requests: { startedAtMs: number; endedAtMs: number; result: string }[];
}
