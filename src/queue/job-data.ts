import { UnrecoverableError } from 'bullmq';
import { z } from 'zod';
import type { WorkspaceOrders } from '../domain/workspace-orders.ts';

/** What a job of posting carries: the orders of one batch of creates, or of one sweep, that are in one partition. */
export interface PostingJobData {
  readonly batches: readonly WorkspaceOrders[];
  /** The traced requests that made the orders; absent if nothing is traced. */
  readonly causes?: readonly string[] | undefined;
}

/** An endpoint whose events wait. A job says nothing else; what is to be sent is in MongoDB. */
export interface EndpointToWake {
  readonly workspaceId: string;
  readonly endpointId: string;
}

/** More than any job of this service has in a list. */
const listMax = 32_768;
/** Longer than any id, and than any name of a span. */
const textCharsMax = 256;

const text = z.string().max(textCharsMax);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(listMax);
const postingJob = z.object({
  batches: listOf(z.object({ workspaceId: text, orderIds: listOf(text) })),
  causes: listOf(text).optional(),
});
const webhookJob = z.object({ workspaceId: text, endpointId: text });

/**
 * What a job says is checked like a body. Whoever may write to Redis can add one, and what it names goes into queries: an
 * operator of MongoDB in place of an id would fail all orders that are read with it.
 * @throws UnrecoverableError if it is no job of this service: it would be none the next time either.
 */
export function readPostingJob(data: unknown): PostingJobData {
  return valid(postingJob, data);
}

/** As {@link readPostingJob}, for a job of webhooks. */
export function readWebhookJob(data: unknown): EndpointToWake {
  return valid(webhookJob, data);
}

/** The orders of a job that is only looked at; none if it is no job of this service. */
export function batchesOf(data: unknown): readonly WorkspaceOrders[] {
  return postingJob.safeParse(data).data?.batches ?? [];
}

function valid<Data>(schema: z.ZodType<Data>, data: unknown): Data {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new UnrecoverableError(`not a job of this service: ${z.prettifyError(result.error)}`);
}
