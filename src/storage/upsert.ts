import { MongoServerError } from 'mongodb';
import { errorCodes } from './error-codes.ts';

/**
 * Runs an upsert by `_id` that several processes may run at once. If two find no document, both insert one, and the second
 * meets the first one's key. Run again, it finds the document.
 * Source: MongoDB manual, "Upsert with Duplicate Values".
 * @throws whatever else `run` throws.
 */
export async function upsert<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== errorCodes.DuplicateKey) throw error;
    return run();
  }
}
