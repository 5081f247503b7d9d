import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';

interface SpanOptions {
  /** `server`: a request; `consumer`: a job; `internal`: work within one of these. */
  readonly kind: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** The spans that caused it, in other processes: the first is its parent, the others are linked. */
  readonly causes?: readonly string[];
}

/** Made once: it uses the SDK as soon as one is loaded. */
const tracer = trace.getTracer('signed-wallet-transfers');

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;

/**
 * Runs `body` in a span. Unless the operator loads an OpenTelemetry SDK into the process, it only runs `body`.
 * Source: OpenTelemetry API, "Tracing".
 */
export function inSpan<T>(name: string, options: SpanOptions, body: () => Promise<T>): Promise<T> {
  const { kind, attributes = {}, causes = [] } = options;
  const [parent, ...others] = causes.map(readCause);
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((linked) => ({ context: linked }));
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes, links }, parent ?? context.active(), (span) =>
    span.isRecording() ? endedAfter(span, body) : body(),
  );
}

async function endedAfter<T>(span: Span, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    // The message may hold what a client sent; its kind is enough to find the log line.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** The span under way, as text for another process (`traceparent` of W3C Trace Context); undefined where none is traced. */
export function currentCause(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

function readCause(traceparent: string) {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}
