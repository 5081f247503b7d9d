import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { SpanLine } from './steps.ts';

// Loaded into the product's processes with --import: each span becomes a line of BENCH_SPANS, a folder. They are written when the
// process ends, so that writing them delays nothing.
const folder = process.env['BENCH_SPANS'];
if (folder !== undefined && folder !== '') {
  const lines: SpanLine[] = [];
  const toMs = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1_000 + nanoseconds / 1_000_000;
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      const traceIds = [span.spanContext().traceId, ...span.links.map(({ context }) => context.traceId)];
      lines.push({ name: span.name, traceIds, startMs: toMs(span.startTime), endMs: toMs(span.endTime) });
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  process.once('exit', () => {
    if (lines.length === 0) return;
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `${process.pid}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
}
