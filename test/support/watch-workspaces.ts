/** Loaded before a process of the service: all of its clients are watched, and what they should not send is said. */
import { complaintMark, watchConnecting } from './workspace-watch.ts';

watchConnecting(() => (command) => {
  process.stdout.write(`{${complaintMark},"command":${JSON.stringify(command)}}\n`);
});
