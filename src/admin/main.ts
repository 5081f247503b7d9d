import { runCommand } from './run.ts';

process.exitCode = await runCommand(process.argv.slice(2), process);
