/** What a key may do. */
export const scopes = [
  'wallet:read',
  'wallet:manage',
  'transfer:read',
  'transfer:create',
  'transfer:fund',
  'transfer:reverse',
  'transfer:hold',
  'webhook:manage',
] as const;
export type Scope = (typeof scopes)[number];
