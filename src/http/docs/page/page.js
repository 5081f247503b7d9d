// Shows the API's description, and signs in the browser what is sent from it.

import { sign } from './sign.js';

const byId = (id) => document.getElementById(id);

/** Signs a request that is about to be sent. @throws Error it cannot be signed, so it is not sent; the page says why. */
async function signed(request) {
  if (request.loadSpec) return request;
  const hindrance = hindranceOf(byId('key').value, byId('secret').value);
  byId('warning').textContent = hindrance;
  if (hindrance !== '') throw new Error(hindrance);
  const [key, secret] = ['key', 'secret'].map((id) => byId(id).value.trim());
  // The path as the browser normalises it is the one that it sends, and so has to be signed.
  const { pathname } = new URL(request.url, location.origin);
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), crypto.randomUUID()];
  const parts = { method: request.method.toUpperCase(), path: pathname, timestamp, nonce, body: request.body ?? '' };
  const { message, signature } = await sign(parts, secret);
  byId('signed').textContent = message;
  Object.assign(request.headers, {
    'X-Api-Key': key,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': signature,
  });
  return request;
}

function hindranceOf(key, secret) {
  if (!globalThis.crypto?.subtle) return 'Browsers sign only on https or localhost: open this page there.';
  return key.trim() === '' || secret.trim() === '' ? 'Enter key and secret first.' : '';
}

const nothing = () => null;
byId('credentials').addEventListener('submit', (event) => event.preventDefault());
// The bundle's global. Its own form would ask for time, nonce and signature, which are made here.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: byId('reference'),
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  requestInterceptor: signed,
  plugins: [{ wrapComponents: { authorizeBtn: () => nothing, authorizeOperationBtn: () => nothing } }],
});
