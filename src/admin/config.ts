import { Option, type Command } from 'commander';
import { describeMisspelt, judgeSettings, settingsOr } from '../settings/config.ts';
import { settingsOfProcess, type ProcessName } from '../settings/settings.ts';
import { shownSettings } from '../settings/shown.ts';
import type { HostedCommand } from './command.ts';
import { CommandError } from './failures.ts';

export function addConfigCommands(program: Command): void {
  const noun = program.command('config').description('the settings that the environment has');

  noun
    .command('check')
    .description('show what each setting is, without secrets, and all that is wrong; asks no server')
    .addOption(
      new Option('--process <process>', 'whose settings they are')
        .choices(Object.keys(settingsOfProcess))
        .default('web'),
    )
    .action((options: { readonly process: ProcessName }, command: HostedCommand) => {
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
      const { output, env } = command.host;
      const judged = judgeSettings(options.process, env);
      const { faults, misspelt } = judged;
      const settings = shownSettings(options.process, judged);
      output.print(json ? { process: options.process, settings, faults, misspelt } : settings, json);
      settingsOr(judged);
      // A process starts all the same, but with something else than was meant.
      if (misspelt.length > 0) throw new CommandError(misspelt.map(describeMisspelt).join('\n  '));
    });
}
