import { describeFaults } from './short-form.ts';

describeFaults('processes');
