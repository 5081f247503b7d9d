import { describeFaults } from './short-form.ts';

describeFaults('servers');
