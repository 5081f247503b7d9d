import { testJournals } from './test-journals.ts';

testJournals(Number(process.env['JOURNALS'] ?? 100_000), Number(process.env['MODEL_SEED'] ?? 20_260_101));
