/** What a key may do. */
export const scopes = ['wallet:read', 'transfer:read', 'transfer:create', 'webhook:manage'] as const;
export type Scope = (typeof scopes)[number];
