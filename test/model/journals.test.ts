import { testJournals } from './test-journals.ts';

testJournals(300, 59_000);
