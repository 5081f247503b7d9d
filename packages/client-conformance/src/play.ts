import type { ServerResponse } from 'node:http';
import type { Answer, Json, JsonObject, Refusal } from './case.ts';
import type { Received } from './received.ts';

const dripMs = 50;
/** What stands before the rest of an answer that does not come. */
const half = '{"version":"1.0",';

/** @param clockOffMs of the server, for the times that it tells. */
export function play(answer: Answer, request: Received, response: ServerResponse, clockOffMs: number): void {
  if ('refuse' in answer) refuse(response, answer.refuse, clockOffMs);
  else if ('raw' in answer) {
    const { status, headers = {}, body } = answer.raw;
    response.writeHead(status, headers).end(body);
  } else if ('breaks' in answer) breakOff(response, answer.breaks === 'within');
  else if ('hangs' in answer) {
    if (answer.hangs === 'within') response.writeHead(200, { 'Content-Type': 'application/json' }).write(half);
  } else if ('drips' in answer) drip(response);
  else if ('orders' in answer) succeed(response, ordersOf(request, answer.orders), clockOffMs);
  else succeed(response, answer.data, clockOffMs);
}

export function refuse(response: ServerResponse, refusal: Refusal, clockOffMs: number): void {
  const { status, code, message = 'NO', clockOffSeconds = 0, reason, field, value, requestId, retryAfter } = refusal;
  const headers = {
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
  };
  const timestamp = Date.now() + clockOffMs + clockOffSeconds * 1000;
  const error = { reason: reason ?? null, field: field ?? null, value: value ?? null, fields: [] };
  send(response, status, headers, { version: '1.0', timestamp, success: false, code, message, data: null, error });
}

function succeed(response: ServerResponse, data: Json, clockOffMs: number): void {
  const timestamp = Date.now() + clockOffMs;
  send(response, 200, {}, { version: '1.0', timestamp, success: true, code: '2000', message: 'SUCCESS', data });
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  envelope: JsonObject,
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(envelope));
}

/** The answer of a batch whose lines were all taken. */
function ordersOf({ body }: Received, members: JsonObject): JsonObject {
  const { transfers } = JSON.parse(body.toString('utf8')) as { transfers: JsonObject[] };
  return { batchId: 'ba_1', items: transfers.map((line) => ({ order: { ...line, ...members } })) };
}

function breakOff(response: ServerResponse, isWithin: boolean): void {
  if (!isWithin) {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write(half, () => {
    response.destroy();
  });
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write(half);
  const timer = setInterval(() => response.write(' '), dripMs);
  response.on('close', () => {
    clearInterval(timer);
  });
}
