import { testLimits } from './test-limits.ts';

testLimits(Number(process.env['LIMIT_ORDERS'] ?? 100_000), Number(process.env['MODEL_SEED'] ?? 20_260_301));
