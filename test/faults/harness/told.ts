import type { TransferBody } from './sent.ts';

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
