import { direct } from './direct.ts';
import type { OrderType } from './type.ts';

/** Brings money in from the world outside: its source is EXTERNAL. */
export const deposit: OrderType = { name: 'DEPOSIT', external: 'source', ...direct };
