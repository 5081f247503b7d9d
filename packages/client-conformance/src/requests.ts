import type { ExpectedRequest, Json, NamedCase, RepeatedRequest } from './case.ts';
import { difference, shown, type Names } from './compare.ts';
import { isWithinWindow, type Received } from './received.ts';

type Expected = ExpectedRequest | RepeatedRequest;

/** A timer may fire a little early. */
const earlyMs = 20;

/** How the requests of a case differ from what came. */
export function requestDifferences(one: NamedCase, received: readonly Received[], names: Names): string[] {
  const expected = (one.requests ?? []).flatMap((request) => Array.from({ length: request.count ?? 1 }, () => request));
  if (expected.length !== received.length) {
    const came = received.map(({ method, target }) => `${method} ${target}`);
    return [`expected ${expected.length} requests, got ${received.length}: ${shown(came)}`];
  }
  return one.anyOrder === true ? inAnyOrder(expected, received, names) : inOrder(expected, received, names);
}

function inOrder(expected: readonly Expected[], received: readonly Received[], names: Names): string[] {
  return expected.flatMap((request, index) => {
    const came = received[index] as Received;
    const where = `request ${index + 1}`;
    const found = oneDifference(where, request, came, { received, names });
    return [...(found === undefined ? [] : [found]), ...timeDifferences(where, request, came, received[index - 1])];
  });
}

function timeDifferences(
  where: string,
  { afterMs, clockOffSeconds }: Expected,
  came: Received,
  before: Received | undefined,
): string[] {
  const answeredAtMs = before?.answeredAtMs ?? -Infinity;
  const isEarly = afterMs !== undefined && came.cameAtMs - answeredAtMs < afterMs - earlyMs;
  const isOff = clockOffSeconds !== undefined && !isWithinWindow(came, clockOffSeconds * 1000);
  return [
    ...(isEarly ? [`${where}: came less than ${afterMs} ms after the answer before it`] : []),
    ...(isOff ? [`${where}: X-Timestamp is not that of a clock ${clockOffSeconds} s off`] : []),
  ];
}

function inAnyOrder(expected: readonly Expected[], received: readonly Received[], names: Names): string[] {
  const left = [...received];
  return expected.flatMap((request, index) => {
    const place = left.findIndex((came) => {
      const tried = new Map(names);
      if (oneDifference('', request, came, { received, names: tried }) !== undefined) return false;
      for (const [name, text] of tried) names.set(name, text);
      return true;
    });
    if (place === -1) return [`request ${index + 1}: none came as ${shown(request)}`];
    left.splice(place, 1);
    return [];
  });
}

function oneDifference(
  where: string,
  request: Expected,
  came: Received,
  { received, names }: { received: readonly Received[]; names: Names },
): string | undefined {
  if ('sameAs' in request) {
    const first = received[request.sameAs] as Received;
    const isSame = first.method === came.method && first.target === came.target && first.body.equals(came.body);
    return isSame ? undefined : `${where}: expected ${asText(first)} again, got ${asText(came)}`;
  }
  const { method, path, query = {}, headers = {}, bodyBytesMax = Infinity } = request;
  const exact = { isSubset: false };
  const whole = { method, path, query } as Json;
  const wholeCame = { method: came.method, path: came.path, query: queryOf(came.query) };
  const ofHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value ?? { $absent: true }]),
  );
  return (
    difference(where, whole, wholeCame, names, exact) ??
    difference(`${where}: headers`, ofHeaders, came.headers, names, { isSubset: true }) ??
    difference(`${where}: body`, request.body ?? { $absent: true }, bodyOf(came), names, exact) ??
    (came.body.length > bodyBytesMax ? `${where}: the body has ${came.body.length} bytes` : undefined)
  );
}

function asText({ method, target, body }: Received): string {
  return `${method} ${target} ${shown(body.toString('utf8'))}`;
}

/** A name that comes twice is two values, joined by a comma: no case expects one. */
function queryOf(query: string): Record<string, string> {
  const given = new URLSearchParams(query);
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name).join(',')]));
}

function bodyOf({ body }: Received): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return `no JSON: ${body.toString('utf8')}`;
  }
}
