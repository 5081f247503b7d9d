import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../docs');

/** The pages whose commands an operator pastes. */
export const operatorsPages = ['operations.md', 'configuration.md', 'deployment.md', 'sharding.md'];

/** @param page its name in docs. */
export const readPage = (page: string): Promise<string> => readFile(join(docs, page), 'utf8');
