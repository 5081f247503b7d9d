import { UnrecoverableError } from 'bullmq';
import { z } from 'zod';
import { bucketCount } from '../domain/bucket.ts';

/** A bucket of which workspaces wait; which ones, Redis says apart, because a job's data is kept once. */
export interface PostingJobData {
  readonly bucket: number;
  /** The traced requests that woke it; absent if nothing is traced. */
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
const postingJob = z.object({
  bucket: z
    .int()
    .min(0)
    .max(bucketCount - 1),
  causes: z.array(text).max(listMax).optional(),
});
const webhookJob = z.object({ workspaceId: text, endpointId: text });

/**
 * What a job says is checked like a body, because whoever may write to Redis can add one.
 * @throws UnrecoverableError if it is no job of this service: it would be none the next time either.
 */
export function readPostingJob(data: unknown): PostingJobData {
  return valid(postingJob, data);
}

/** As {@link readPostingJob}, for a job of webhooks: an operator of MongoDB in place of an id would go into queries. */
export function readWebhookJob(data: unknown): EndpointToWake {
  return valid(webhookJob, data);
}

function valid<Data>(schema: z.ZodType<Data>, data: unknown): Data {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new UnrecoverableError(`not a job of this service: ${z.prettifyError(result.error)}`);
}
