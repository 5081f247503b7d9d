import openapiTypescript, { astToString } from 'openapi-typescript';
import { factory, SyntaxKind } from 'typescript';
import { apiDescription } from './api-description.ts';

/** Any text, which does not swallow the known ones beside it in a union: an editor goes on naming those. */
const laterValue = factory.createIntersectionTypeNode([
  factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
  factory.createTypeLiteralNode([]),
]);

/** Stands for every type of order or event that is not known: beside a plain `string`, a compiler would narrow nothing. */
const laterTypeName = 'LaterType';
const laterType = `export declare enum ${laterTypeName} {\n  Any = 'a type of a later service',\n}\n\n`;

/** The types of the client package, from the OpenAPI document. */
export async function clientTypes(): Promise<string> {
  // The library reads a document as it is written, where nothing is undefined.
  const document = JSON.stringify(apiDescription());
  const note = '// Written by `script/node script/write-docs.ts` from the OpenAPI document.\n\n';
  const types = await openapiTypescript(document, {
    // What a request leaves out has its default: it may be left out.
    defaultNonNullable: false,
    transform: (_, { path }) => {
      if (path === '#/components/schemas/LaterOrder/type') return factory.createTypeReferenceNode(laterTypeName);
      return path === '#/components/schemas/LaterValue' ? laterValue : undefined;
    },
  });
  return note + laterType + astToString(types);
}
