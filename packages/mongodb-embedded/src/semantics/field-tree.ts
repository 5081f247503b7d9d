import { asDocument, type Document, type Value } from './values.ts';

/** Field paths as a tree; a leaf means the whole field. */
export type FieldTree = ReadonlyMap<string, FieldTree | 'whole'>;

/** Builds the tree of dotted paths; a path wins over those below it. */
export function fieldTree(paths: string[]): FieldTree {
  const byFirst = new Map<string, string[] | 'whole'>();
  for (const path of paths) {
    const dot = path.indexOf('.');
    const first = dot < 0 ? path : path.slice(0, dot);
    const known = byFirst.get(first);
    if (dot < 0) byFirst.set(first, 'whole');
    else if (known !== 'whole') byFirst.set(first, [...(known ?? []), path.slice(dot + 1)]);
  }
  return new Map([...byFirst].map(([first, rest]) => [first, rest === 'whole' ? 'whole' : fieldTree(rest)]));
}

/** Only the fields of the tree, in the document's order; in arrays, values that are no documents fall away. */
export function include(document: Document, tree: FieldTree): Document {
  const result: Document = {};
  for (const [field, value] of Object.entries(document)) {
    const branch = tree.get(field);
    if (branch === undefined) continue;
    const kept = branch === 'whole' ? value : includeInside(value, branch);
    if (kept !== undefined || value === undefined) result[field] = kept;
  }
  return result;
}

/** All fields but those of the tree. */
export function exclude(document: Document, tree: FieldTree): Document {
  const result: Document = {};
  for (const [field, value] of Object.entries(document)) {
    const branch = tree.get(field);
    if (branch !== 'whole') result[field] = branch === undefined ? value : excludeInside(value, branch);
  }
  return result;
}

function includeInside(value: Value, tree: FieldTree): Value {
  if (Array.isArray(value)) return value.map((element) => includeInside(element, tree)).filter((v) => v !== undefined);
  const document = asDocument(value);
  return document === undefined ? undefined : include(document, tree);
}

function excludeInside(value: Value, tree: FieldTree): Value {
  if (Array.isArray(value)) return value.map((element) => excludeInside(element, tree));
  const document = asDocument(value);
  return document === undefined ? value : exclude(document, tree);
}
