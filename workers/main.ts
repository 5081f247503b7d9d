import { readWorkerSettings } from '../src/config.ts';
import { runProcess } from '../src/lifecycle.ts';
import { startWorker } from './worker.ts';

runProcess('worker', readWorkerSettings, startWorker);
