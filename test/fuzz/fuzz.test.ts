import { testFuzz } from './test-fuzz.ts';

/** Most of the time is waiting, once all is sent, for the service to give up clients that neither read nor send. */
testFuzz(500);
