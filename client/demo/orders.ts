import type { Answer } from '../client.ts';

export const CREATE_PATH = '/api/v1/transfer/command/create';

export interface NewOrder {
  sourceWalletId: string;
  targetWalletId: string;
  amount: string;
  currency: string;
  bizId?: string;
}

export interface CompletedData {
  transferId: string;
  completed: boolean;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  failure: { code: string; message: string } | null;
}

/** Where an order's state is asked for. */
export function completedPath(bizId: string): string {
  return `/api/v1/transfer/query/orders/${bizId}/completed`;
}

/** The data of a successful answer. Throws, naming the service's own code, for any other. */
export function dataOf<Data>({ status, envelope, text }: Answer<Data>): Data {
  if (envelope?.success) return envelope.data;
  throw new Error(`HTTP ${status}: ${envelope ? `${envelope.code} ${envelope.message}` : text.slice(0, 200)}`);
}
