// Shows the API's description, and signs in the browser what is sent from it.

import { sign } from './sign.js';

const byId = (id) => document.getElementById(id);
let described = await (await fetch('/openapi.json')).json();

function warn(text) {
  byId('warning').textContent = text;
}

/** Signs a request that is about to be sent. */
async function signed(request) {
  // The path as the browser normalises it is the one that it sends, and so has to be signed.
  const { pathname } = new URL(request.url, location.origin);
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), crypto.randomUUID()];
  const parts = { method: request.method.toUpperCase(), path: pathname, timestamp, nonce, body: request.body ?? '' };
  const { message, signature } = await sign(parts, byId('secret').value.trim());
  byId('signed').textContent = message;
  Object.assign(request.headers, {
    'X-Api-Key': byId('key').value.trim(),
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': signature,
  });
  return request;
}

/** What keeps a request from being signed, and the field to mend it; undefined if nothing does. */
function hindrance() {
  if (!globalThis.crypto?.subtle)
    return { text: 'Browsers sign only on https or localhost: open this page there to send requests.' };
  const empty = ['key', 'secret'].map(byId).find((input) => input.value.trim() === '');
  return empty && { text: 'Enter key and secret first.', empty };
}

// Before Swagger UI hears of it: a request that cannot be signed is not begun, so that nothing is left in a failed state.
document.addEventListener(
  'click',
  (event) => {
    const found = event.target.closest?.('.execute') ? hindrance() : undefined;
    if (found === undefined) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    warn(found.text);
    found.empty?.focus();
  },
  true,
);
byId('credentials').addEventListener('input', () => warn(''));
byId('credentials').addEventListener('change', useOwnWallets);
byId('credentials').addEventListener('submit', (event) => event.preventDefault());
if (!globalThis.crypto?.subtle) warn(hindrance().text);

/**
 * Puts two wallets of the key's workspace in the place of the examples', the richest as the source, so that a body can be sent
 * as it is. Where the key may not list wallets, or there are not two, the examples stay.
 */
async function useOwnWallets() {
  if (hindrance() !== undefined) return;
  const url = '/api/v1/wallets?status=ACTIVE&currency=USD&size=100';
  const answer = await fetch(url, await signed({ url, method: 'GET', headers: {} }));
  const { data } = await answer.json();
  const [source, target] = (data?.items ?? []).toSorted((one, other) => other.available - one.available);
  if (target === undefined) return;
  const { sourceWalletId, targetWalletId } = described.components.schemas.CreateTransfer.examples[0];
  const own = { [sourceWalletId]: source.id, [targetWalletId]: target.id };
  const withOwn = (text) => text.replaceAll(/wa_\w{26}/g, (id) => own[id] ?? id);
  described = JSON.parse(withOwn(JSON.stringify(described)));
  page.specActions.updateJsonSpec(described);
  // What is being filled in keeps the rest of what was typed.
  for (const pathMethod of Object.keys(described.paths).map((path) => [path, 'post'])) {
    const value = page.oas3Selectors.requestBodyValue(...pathMethod);
    if (value) page.oas3Actions.setRequestBodyValue({ value: withOwn(value), pathMethod });
  }
}

const nothing = () => null;

/** Swagger UI shows an example and a table of headers for every status: of a failure what tells it from others is enough. */
const response =
  (Original, { React, getComponent }) =>
  (props) => {
    if (props.code === '200') return React.createElement(Original, props);
    const Markdown = getComponent('Markdown', true);
    const text = React.createElement(Markdown, { source: props.response.get('description') });
    const cells = [
      React.createElement('td', { key: 'status', className: 'response-col_status' }, props.code),
      React.createElement('td', { key: 'text', className: 'response-col_description', colSpan: 2 }, text),
    ];
    return React.createElement('tr', { className: 'response' }, cells);
  };

/** The code of an operation stands above its responses. */
const responses =
  (Original, { React }) =>
  (props) => {
    const samples = described.paths[props.path]?.[props.method]?.['x-codeSamples'] ?? [];
    const shown = samples.map(({ label, source }) =>
      React.createElement('details', { key: label, name: `code-${props.method}${props.path}` }, [
        React.createElement('summary', { key: 'label' }, label),
        React.createElement('pre', { key: 'code', tabIndex: 0 }, source),
      ]),
    );
    return React.createElement(React.Fragment, {}, [
      React.createElement('div', { key: 'code', className: 'samples' }, shown),
      React.createElement(Original, { key: 'responses', ...props }),
    ]);
  };

/** A request is signed for once: what Swagger UI offers to copy was sent already. */
const curl =
  (Original, { React }) =>
  (props) =>
    React.createElement('div', {}, [
      React.createElement(
        'p',
        { key: 'note', className: 'spent' },
        'Sent already: its nonce is used up. To send it again, sign again.',
      ),
      React.createElement(Original, { key: 'curl', ...props }),
    ]);

// The bundle's global.
const page = globalThis.SwaggerUIBundle({
  spec: described,
  domNode: byId('reference'),
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  requestInterceptor: signed,
  plugins: [
    // Its own way leaves the top of the operation above the window.
    { statePlugins: { layout: { actions: { scrollToElement: (element) => () => element.scrollIntoView() } } } },
    // Swagger UI's own form would ask for time, nonce and signature, which are made here.
    {
      wrapComponents: { authorizeBtn: () => nothing, authorizeOperationBtn: () => nothing, response, responses, curl },
    },
  ],
});

/** A link to each operation, by group. */
function listOperations() {
  const operations = Object.values(described.paths).flatMap((methods) => Object.values(methods));
  for (const { name } of described.tags) {
    const heading = document.createElement('p');
    heading.textContent = name;
    const links = operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ operationId, summary }) => {
        const link = document.createElement('a');
        link.href = `#/${name}/${operationId}`;
        link.textContent = summary;
        return link;
      });
    byId('operations').append(heading, ...links);
  }
}

listOperations();
byId('contents').open = matchMedia('(min-width: 801px)').matches;
addEventListener('hashchange', () => page.layoutActions.parseDeepLinkHash(location.hash));
