/**
 * A condition that a field has one of these values. If all are the same, it is that value itself, because a sharded
 * collection refuses to change a single document unless the filter has the shard key's exact value.
 * Source: MongoDB manual 4.4, "updateOne", "Sharded Collections".
 */
export function anyOf(values: readonly string[]): string | { readonly $in: string[] } {
  const distinct = [...new Set(values)];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { $in: distinct };
}

/**
 * For a command that names ids and workspaces: the ids alone find its documents. Without the hint the server would also try
 * every index that begins with the workspace. Source: MongoDB manual, "update", `hint`.
 */
export const byId = { hint: '_id_' } as const;
