/** The ids and the time in the examples of the API's description. */
export const exampleOf = {
  workspaceId: 'ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD',
  alice: 'wa_01M7Y8R1S5A8C3E6G9J2M4P7QR',
  bob: 'wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS',
  apiKey: 'ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q',
  transferId: 'tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV',
  batchId: 'ba_01M7Y9B7X2E6G9J2M5P7R0T4VW',
  postedAt: '2026-01-01T09:30:00.021Z',
} as const;
