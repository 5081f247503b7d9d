import { Output } from './output.ts';
import { describe, runCommand } from './run.ts';

// What no command awaits any more, such as the late failure of a connection.
process.on('uncaughtException', (error) => {
  new Output(process).complain(`error: ${describe(error)}\n`);
  process.exit(1);
});
process.exitCode = await runCommand(process.argv.slice(2), process);
