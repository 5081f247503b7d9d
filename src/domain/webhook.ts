export const webhookTypes = ['transfer.completed', 'transfer.failed'] as const;
/** What an endpoint can be told. */
export type WebhookType = (typeof webhookTypes)[number];
