import { sign } from 'signed-wallet-client';

/** A request as the client sent it, and its answer. */
export interface Exchange {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array;
  response: Response;
}

/** A fetch for the client that keeps what passes through it, for showing. */
export function recordingFetch(exchanges: Exchange[]): typeof fetch {
  return async (input, init = {}) => {
    const response = await fetch(input, init);
    exchanges.push({
      url: new URL(input),
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      body: (init.body as Uint8Array | undefined) ?? new Uint8Array(),
      response: response.clone(),
    });
    return response;
  };
}

/** One request with what was signed, and its answer, for reading. The secret is no part of it. */
export async function describeExchange(title: string, exchange: Exchange, apiSecret: string): Promise<string> {
  const { url, method, headers, body, response } = exchange;
  const { 'X-Timestamp': timestamp = '', 'X-Nonce': nonce = '' } = headers;
  const { canonicalMessage } = await sign({ method, path: url.pathname, timestamp, nonce, body }, apiSecret);
  return [
    `== ${title}`,
    `> ${method} ${url.pathname}${url.search}`,
    ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(body.length === 0 ? [] : ['>', `> ${new TextDecoder().decode(body)}`]),
    '',
    '  signed:',
    ...canonicalMessage.split('\n').map((line) => `    ${line}`),
    '',
    `< ${response.status} ${response.headers.get('content-type') ?? ''}`,
    ...indented(await response.text()).map((line) => `< ${line}`),
    '',
  ].join('\n');
}

function indented(text: string): string[] {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split('\n');
  } catch {
    return text.split('\n');
  }
}
