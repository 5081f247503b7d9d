import { direct } from './direct.ts';
import type { OrderType } from './type.ts';

/** Takes money out to the world outside: its target is EXTERNAL. */
export const withdrawal: OrderType = { name: 'WITHDRAWAL', external: 'target', ...direct };
