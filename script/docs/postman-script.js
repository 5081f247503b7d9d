// Postman runs this before each request: it signs what is about to be sent.
const hashing = require('crypto-js');

const resolved = (text) => pm.variables.replaceIn(text);
const sent = pm.request;
const body = sent.body && sent.body.mode === 'raw' ? resolved(sent.body.raw || '') : '';
// Variables are filled in here, or other bytes would be sent than were signed.
if (body !== '') sent.body.update({ ...sent.body.toJSON(), raw: body });
const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = resolved('{{$guid}}');
const path = resolved(sent.url.getPath());
const message = [sent.method, path, timestamp, nonce, hashing.SHA256(body).toString()].join('\n');
const signature = hashing.HmacSHA256(message, resolved('{{apiSecret}}').trim()).toString(hashing.enc.Base64);
sent.headers.upsert({ key: 'X-Api-Key', value: resolved('{{apiKey}}') });
sent.headers.upsert({ key: 'X-Timestamp', value: timestamp });
sent.headers.upsert({ key: 'X-Nonce', value: nonce });
sent.headers.upsert({ key: 'X-Signature', value: signature });
