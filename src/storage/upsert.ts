import { MongoServerError } from 'mongodb';
import { errorCodes } from './error-codes.ts';

/**
 * Runs an upsert by `_id`, from as many processes at once as may be. Two that both find nothing both insert, and the
 * second one meets the first one's key: run again, it finds the document. Source: MongoDB manual, "Upsert with Duplicate
 * Values".
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
