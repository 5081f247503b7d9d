/**
 * A condition that a field is one of these values. Where they are all the same it is that value itself: a sharded
 * collection refuses to change one document where the shard key is not given so. Source: MongoDB manual 4.2, "updateOne",
 * "Sharded Collections".
 */
export function anyOf(values: readonly string[]): string | { readonly $in: string[] } {
  const distinct = [...new Set(values)];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { $in: distinct };
}

/**
 * Of a command that names ids beside workspaces: both are found by the ids alone. Left to itself, the server would try every
 * index that begins with the workspace against it. For updates since MongoDB 4.2. Source: MongoDB manual, "update", `hint`.
 */
export const byId = { hint: '_id_' } as const;
