// Shows the API's description and lets each endpoint be tried, signing in the browser.

import { sign } from './sign.js';

const byId = (id) => document.getElementById(id);

/** An element with properties and children; text is never read as markup. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A part of the description, or what it refers to. */
function resolved(part) {
  if (part.$ref === undefined) return part;
  return part.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((found, name) => found[name], api);
}

async function send(method, template, inputs, body, output) {
  let path = template;
  const query = new URLSearchParams();
  const headers = { 'X-Api-Key': byId('key').value.trim() };
  if (byId('locale').value !== '') headers['X-LOCALE'] = byId('locale').value;
  for (const { parameter, input } of inputs) {
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (input.value === '') continue;
    else if (parameter.in === 'query') query.set(parameter.name, input.value);
    else headers[parameter.name] = input.value;
  }
  if (body !== '') headers['Content-Type'] = 'application/json';
  // What the browser makes of a path is what it sends, and so what has to be signed.
  const url = new URL(path, location.origin);
  url.search = query.toString();
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), crypto.randomUUID()];
  const parts = { method, path: url.pathname, timestamp, nonce, body };
  const { message, signature } = await sign(parts, byId('secret').value.trim());
  Object.assign(headers, { 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': signature });
  const options = { method, headers, ...(body === '' ? {} : { body }) };
  const response = await fetch(url, options);
  const text = await response.text();
  output.textContent = [
    'Signed:',
    message,
    '',
    `${method} ${url.pathname}${url.search}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', body]),
    '',
    `HTTP ${response.status}`,
    pretty(text),
  ].join('\n');
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function inputFor(parameter) {
  const { schema } = parameter;
  if (!schema.enum) return element('input', { placeholder: String(schema.default ?? ''), spellcheck: false });
  return element('select', {}, new Option('', ''), ...schema.enum.map((value) => new Option(value, value)));
}

function showOperation(path, method, operation) {
  const parameters = operation.parameters.map(resolved).filter(({ name }) => name !== 'X-LOCALE');
  const inputs = parameters.map((parameter) => ({ parameter, input: inputFor(parameter) }));
  const content = operation.requestBody?.content['application/json'];
  const body =
    content &&
    element('textarea', {
      value: JSON.stringify(resolved(content.schema).examples[0], undefined, 2),
      spellcheck: false,
    });
  const output = element('pre', { hidden: true });
  const button = element('button', { type: 'button', textContent: 'Send' });
  button.addEventListener('click', async () => {
    output.hidden = false;
    try {
      await send(method.toUpperCase(), path, inputs, body ? body.value : '', output);
    } catch (error) {
      output.textContent = String(error);
    }
  });
  const answers = Object.entries(operation.responses).map(([status, answer]) => showAnswer(status, resolved(answer)));
  return element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { className: 'method', textContent: method.toUpperCase() }),
      element('code', { textContent: path }),
      ` ${operation.summary}`,
    ),
    element('p', { textContent: operation.description }),
    ...inputs.map(({ parameter, input }) =>
      element(
        'p',
        {},
        element('label', {}, element('code', { textContent: parameter.name }), ' ', input),
        parameter.description ?? '',
      ),
    ),
    ...(body ? [body] : []),
    button,
    output,
    element('h4', { textContent: 'Answers' }),
    ...answers,
  );
}

function showAnswer(status, answer) {
  const { schema, examples } = answer.content['application/json'];
  const shown = examples ? Object.values(examples)[0].value : resolved(schema).examples[0];
  return element(
    'details',
    {},
    element('summary', { textContent: `${status} ${examples ? Object.keys(examples).join(', ') : ''}` }),
    element('p', { className: 'text', textContent: answer.description }),
    element('pre', { textContent: JSON.stringify(shown, undefined, 2) }),
  );
}

if (!globalThis.crypto?.subtle) {
  byId('warning').textContent = 'Browsers sign only on https or localhost: open this page there to send requests.';
}
const api = await (await fetch('/openapi.json')).json();
byId('description').textContent = api.info.description;
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    byId('operations').append(showOperation(path, method, operation));
  }
}
