import type { Writable } from 'node:stream';
import { Command } from 'commander';

/** What a command uses of its process: the settings, and where it prints to. `process` is one; a test brings its own. */
export interface Host {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** A command that knows its host, as do its subcommands. Commander passes it to its action. */
export class HostedCommand extends Command {
  readonly host: Host;

  constructor(host: Host, name?: string) {
    super(name);
    this.host = host;
  }

  override createCommand(name?: string): HostedCommand {
    return new HostedCommand(this.host, name);
  }
}
