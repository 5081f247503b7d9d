import { readWebSettings } from './settings/config.ts';
import { runProcess } from './lifecycle.ts';
import { startWeb } from './web.ts';

runProcess('web', readWebSettings, startWeb);
