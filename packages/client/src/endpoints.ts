import type { RequestBasics } from './connection.ts';
import type { paths } from './openapi.ts';

export type Method = 'GET' | 'POST';

/** The paths of the API that have this method. */
export type PathOf<Of extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<Of>, object> ? Path : never;
}[keyof paths];

type OperationOf<Of extends Method, Path extends PathOf<Of>> = paths[Path][Lowercase<Of> & keyof paths[Path]];

/** What this endpoint takes: its path's variable parts, its query and its body. */
export type OptionsOf<Of extends Method, Path extends PathOf<Of>> = RequestBasics &
  (OperationOf<Of, Path> extends infer Operation extends { parameters: { path?: object; query?: object } }
    ? Pick<Operation['parameters'], 'path' | 'query'> & BodyIn<Operation>
    : never);

type BodyIn<Operation> = Operation extends { requestBody?: never }
  ? { readonly body?: never }
  : Operation extends { requestBody: { content: { 'application/json': infer Given } } }
    ? { readonly body: Given }
    : Operation extends { requestBody?: { content: { 'application/json': infer Given } } }
      ? { readonly body?: Given }
      : never;

/** What a success of this endpoint holds as `data`. */
export type DataOf<Of extends Method, Path extends PathOf<Of>> =
  OperationOf<Of, Path> extends { responses: { 200: { content: { 'application/json': { data: infer Data } } } } }
    ? Data
    : unknown;
