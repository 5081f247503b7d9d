import { testLimits } from './test-limits.ts';

testLimits(Number(process.env['LIMIT_ORDERS'] ?? 1_500), Number(process.env['MODEL_SEED'] ?? 20_260_301));
