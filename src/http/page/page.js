// Shows the API's description, and signs in the browser what is sent from it.

import { sign } from './sign.js';

const byId = (id) => document.getElementById(id);

/** Signs a request that is about to be sent. Swagger UI's own ones, such as that for the description, stay as they are. */
async function signed(request) {
  if (request.loadSpec) return request;
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

byId('credentials').addEventListener('submit', (event) => event.preventDefault());
if (!globalThis.crypto?.subtle) {
  byId('warning').textContent = 'Browsers sign only on https or localhost: open this page there to send requests.';
}
const nothing = () => null;
// The bundle's global.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: byId('reference'),
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  requestInterceptor: signed,
  // Swagger UI's own form would ask for time, nonce and signature, which are made here.
  plugins: [{ wrapComponents: { authorizeBtn: () => nothing, authorizeOperationBtn: () => nothing } }],
});
