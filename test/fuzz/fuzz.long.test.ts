import { testFuzz } from './test-fuzz.ts';

testFuzz(5_000);
