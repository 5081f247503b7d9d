import openapiTypescript, { astToString } from 'openapi-typescript';
import { apiDescription } from './api-description.ts';

/** The types of the client package, from the OpenAPI document. */
export async function clientTypes(): Promise<string> {
  // The library reads a document as it is written, where nothing is undefined.
  const document = JSON.stringify(apiDescription());
  const note = '// Written by `script/node script/write-docs.ts` from the OpenAPI document.\n\n';
  // What a request leaves out has its default: it may be left out.
  return note + astToString(await openapiTypescript(document, { defaultNonNullable: false }));
}
