/** An order as the API shows it; of its fields, those that a client can compare. */
export interface OrderData {
  transferId: string;
  bizId: string;
  sourceWalletId: string | null;
  targetWalletId: string | null;
  amount: string | null;
  currency: string | null;
  legs: readonly object[] | null;
  status: string;
  failure: { code: string; message: string; leg: number | null } | null;
  completedAt: string | null;
}

/** What an order moves or reserves, as its client means it; the world outside is `EXTERNAL`. */
export interface MeantLeg {
  sourceWalletId: string;
  targetWalletId: string;
  amount: string;
  currency: string;
  /** The leg that it moves back. */
  parentLeg?: number;
}

/** What a client asks for: the body of a command, and which order it means by it. */
export interface Command {
  /** The last part of its path. */
  name: string;
  body: { bizId?: string };
  means: { type: string; parentId?: string; legs: readonly MeantLeg[] };
}

/** One order that a client wanted, and whether it knows that it was taken. */
export interface Sent {
  workspaceId: string;
  command: Command;
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
  /** Of what makes an order. */
  command?: Command;
  /** Of a batch its lines, in order. */
  lines?: readonly Command[];
  /** Of a page by cursor the page before, which gave the cursor. */
  follows?: Told | undefined;
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
