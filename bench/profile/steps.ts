/** A span of one of the product's processes. */
export interface SpanLine {
  readonly name: string;
  /** Its trace, and those of what else caused it. */
  readonly traceIds: readonly string[];
  /** Unix time in milliseconds, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Where an order's time went, in milliseconds. */
export interface OrderSteps {
  /** From the request's headers to the order's being recorded. */
  readonly recorded: number;
  /** From then until a worker had its job; less than nothing where the job was faster than the answer. */
  readonly taken: number;
  /** From then until its group began: it is read, and waits for room and for its wallets. */
  readonly begun: number;
  /** Of the group: the transaction, from its begin to the end of its commit. */
  readonly posted: number;
  readonly total: number;
}

const [requestSpan, jobSpan, groupSpan] = ['/api/v1/transfer/command/create', 'post job', 'post group'];

/**
 * Of the last orders, so many, those whose request and job were traced; the fastest first. Its group is the last that ended within the
 * job.
 */
export function stepsOf(spans: readonly SpanLine[], countMax: number): OrderSteps[] {
  const jobs = new Map<string, SpanLine>();
  for (const span of spans) if (span.name === jobSpan) for (const id of span.traceIds) jobs.set(id, span);
  const groups = spans.filter(({ name }) => name === groupSpan).sort((a, b) => a.endMs - b.endMs);
  return spans
    .filter(({ name }) => name.includes(requestSpan))
    .sort((a, b) => a.startMs - b.startMs)
    .slice(-countMax)
    .flatMap(({ traceIds: [id = ''], startMs, endMs }) => {
      const job = jobs.get(id);
      const group = job && groups.findLast((each) => each.endMs <= job.endMs && each.startMs >= job.startMs);
      if (job === undefined || group === undefined) return [];
      return [
        {
          recorded: endMs - startMs,
          taken: job.startMs - endMs,
          begun: group.startMs - job.startMs,
          posted: group.endMs - group.startMs,
          total: job.endMs - startMs,
        },
      ];
    })
    .sort((a, b) => a.total - b.total);
}
