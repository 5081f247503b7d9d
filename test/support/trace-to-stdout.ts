import { SpanStatusCode } from '@opentelemetry/api';
import { NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';

// Loaded into a process of the service with --import, as an operator loads an SDK: each span becomes a line.
const processor: SpanProcessor = {
  onStart: () => undefined,
  onEnd(span) {
    const { traceId, spanId } = span.spanContext();
    const { name, attributes, links, status } = span;
    const parentId = span.parentSpanContext?.spanId;
    const linked = links.map((link) => link.context.traceId);
    const failed = status.code === SpanStatusCode.ERROR;
    process.stdout.write(`${JSON.stringify({ span: name, traceId, spanId, parentId, linked, failed, attributes })}\n`);
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
new NodeTracerProvider({ spanProcessors: [processor] }).register();
