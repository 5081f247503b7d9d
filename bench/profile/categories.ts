/** What V8 writes with `--cpu-prof`; only what is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Share of the busy time, 0 to 1, by what the time was spent in; the largest first. */
export interface TimeShare {
  readonly name: string;
  readonly share: number;
}

const idle = '(idle)';
const collector = '(garbage collector)';
const libraryPath = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const productPath = /\/(src\/[a-z]+|workers)\//;

/** The part of the program that a file belongs to: a library, a folder of the product, a module of Node. */
function partOf(url: string): string {
  const library = libraryPath.exec(url)?.[1];
  if (library !== undefined) return library;
  const folder = productPath.exec(url)?.[1];
  if (folder !== undefined) return folder;
  if (/^node:(internal\/crypto|crypto)/.test(url)) return 'node: crypto';
  if (/^node:(_http|internal\/http|http)/.test(url)) return 'node: http';
  if (/^node:(net|internal\/stream|stream|internal\/streams)/.test(url)) return 'node: sockets and streams';
  if (url.startsWith('node:')) return 'node: the rest';
  return 'the rest';
}

/**
 * Sums the time of a profile by part. What native code takes counts for the part that called it; only the garbage
 * collector stands by itself.
 * @param skippedSeconds left out at the start: loading and compiling.
 */
export function timeShares({ nodes, samples, timeDeltas }: CpuProfile, skippedSeconds: number): TimeShare[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const ownPart = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame?.functionName === collector) return 'garbage collector';
      if (frame !== undefined && frame.url !== '') return partOf(frame.url);
    }
    return 'the rest';
  };
  const micros = new Map<string, number>();
  let elapsed = 0;
  let busy = 0;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    elapsed += delta;
    if (elapsed < skippedSeconds * 1_000_000 || byId.get(id)?.callFrame.functionName === idle) return;
    const part = ownPart(id);
    micros.set(part, (micros.get(part) ?? 0) + delta);
    busy += delta;
  });
  return [...micros].map(([name, spent]) => ({ name, share: spent / busy })).toSorted((a, b) => b.share - a.share);
}
