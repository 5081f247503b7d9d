import { parseArgs } from 'node:util';
import { startEngine } from './engine.ts';

/**
 * Process entry: `node src/main.ts --port 0 [--host 127.0.0.1] [--file PATH] [--exit-with-parent]`.
 * Prints one line of JSON with `uri` and `port` when ready. SIGTERM and SIGINT close it cleanly, and so does the end
 * of its standard input if asked to. Exits with 1 and a line on stderr when it cannot start, and when the disk fails:
 * whoever starts it again finds what was acknowledged.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      file: { type: 'string' },
      'exit-with-parent': { type: 'boolean', default: false },
    },
  });
  const { port, host, file } = values;
  const engine = await startEngine({ port: Number(port), host, ...(file !== undefined && { file }) });
  void engine.failed.then((error) => {
    process.stderr.write(`embedded MongoDB ends: ${error.message}\n`);
    process.exit(1);
  });
  const stop = (): void => {
    void engine.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (values['exit-with-parent']) process.stdin.resume().once('close', stop).once('end', stop);
  process.stdout.write(`${JSON.stringify({ uri: engine.uri, port: engine.port })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`embedded MongoDB cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
