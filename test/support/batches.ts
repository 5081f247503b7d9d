import type { Answer } from './api-client.ts';
import { commandsPath, type OrderData } from './orders.ts';
import type { TestWorkspace } from './workspace.ts';

export const batchPath = `${commandsPath}/batch`;

interface RefusedLine {
  readonly code: string;
  readonly message: string;
  readonly reason: string;
  readonly field: string | null;
  readonly value: string | null;
}

export interface BatchAnswer {
  readonly batchId: string;
  readonly items: readonly (
    ({ readonly order: OrderData } & Partial<RefusedLine>) | ({ order?: never } & RefusedLine)
  )[];
}

/** Sends a batch. @param more whether it is atomic, and headers to send with it. */
export function sendBatch(
  workspace: Pick<TestWorkspace, 'client'>,
  transfers: readonly unknown[],
  more: { atomic?: boolean; headers?: Record<string, string> } = {},
): Promise<Answer<BatchAnswer>> {
  const { headers = {}, ...body } = more;
  return workspace.client.request('POST', batchPath, { body: { transfers, ...body }, headers });
}

/** What became of each line: its status, or why it was refused. */
export function outcomesOf({ envelope }: Answer<BatchAnswer>): (string | undefined)[] {
  return envelope?.data.items.map(({ order, reason }) => order?.status ?? reason) ?? [];
}
