import { readWorkerSettings } from '../src/settings/config.ts';
import { runProcess } from '../src/lifecycle.ts';
import { startWorker } from './worker.ts';

runProcess('worker', readWorkerSettings, startWorker);
