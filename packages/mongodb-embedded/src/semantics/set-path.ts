import { isDocument, type Document, type Value } from './values.ts';

/** A copy of a document with the value at a path set, or taken away when undefined; scalars on the way give way. */
export function setAt(document: Document, parts: string[], value: Value): Document {
  const [part = '', ...rest] = parts;
  const current = document[part];
  const next = rest.length === 0 ? value : setAt(isDocument(current) ? current : {}, rest, value);
  if (next !== undefined) return { ...document, [part]: next };
  const { [part]: _gone, ...others } = document;
  return others;
}
