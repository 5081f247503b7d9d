import { Command } from 'commander';
import type { Output, Streams } from './output.ts';

/** What a command uses of its process: the settings, and where it prints to. `process` is one; a test brings its own. */
export interface Host extends Streams {
  readonly env: NodeJS.ProcessEnv;
  /** Within which each server has to be reached; 10 s where it is not given. */
  readonly connectTimeoutMs?: number | undefined;
  /** After which no request is under way any more that a key began before it ended; 16 s where it is not given. */
  readonly requestsEndMs?: number | undefined;
}

/** The same for the command itself, which writes to no stream past the output. */
export interface CommandHost {
  readonly env: NodeJS.ProcessEnv;
  readonly connectTimeoutMs: number;
  readonly requestsEndMs: number;
  readonly output: Output;
}

/** A command that knows its host, as do its subcommands. Commander passes it to its action. */
export class HostedCommand extends Command {
  readonly host: CommandHost;

  constructor(host: CommandHost, name?: string) {
    super(name);
    this.host = host;
  }

  override createCommand(name?: string): HostedCommand {
    return new HostedCommand(this.host, name);
  }
}
