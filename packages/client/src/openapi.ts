// Written by `script/node script/write-docs.ts` from the OpenAPI document.

export interface paths {
  '/api/v1/wallets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List wallets of the workspace
     * @description Needs the scope `wallet:read`.
     */
    get: operations['listWallets'];
    put?: never;
    /**
     * Make a wallet; with a `creditLimit` above zero the key needs `transfer:fund` too
     * @description Needs the scope `wallet:manage`.
     */
    post: operations['createWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get wallet details
     * @description Needs the scope `wallet:read`.
     */
    get: operations['getWallet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/balance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get wallet balance
     * @description Needs the scope `wallet:read`.
     */
    get: operations['getBalance'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/statement': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get wallet statement
     * @description Needs the scopes `wallet:read` and `transfer:read`.
     */
    get: operations['getStatement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/limit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set how far the balance of a wallet may be below zero
     * @description Needs the scopes `wallet:manage` and `transfer:fund`.
     */
    post: operations['limitWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/freeze': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop a wallet from paying and being paid; orders that wait for it will fail
     * @description Needs the scope `wallet:manage`.
     */
    post: operations['freezeWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/unfreeze': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a frozen wallet active again
     * @description Needs the scope `wallet:manage`.
     */
    post: operations['unfreezeWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close an empty wallet for good; its flows stay
     * @description Needs the scope `wallet:manage`.
     */
    post: operations['closeWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/flows': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List wallet flows
     * @description Needs the scope `wallet:read`.
     */
    get: operations['listFlows'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/query/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List orders
     * @description Needs the scope `transfer:read`.
     */
    get: operations['listOrders'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/query/orders/wallet/{walletId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List orders of a wallet
     * @description Needs the scope `transfer:read`.
     */
    get: operations['listOrdersOfWallet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/query/orders/{bizId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one order
     * @description Needs the scope `transfer:read`.
     */
    get: operations['getOrder'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/query/orders/{bizId}/completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check whether an order is completed
     * @description Needs the scope `transfer:read`.
     */
    get: operations['getCompletion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a transfer order between wallets of the workspace
     * @description Needs the scope `transfer:create`.
     */
    post: operations['createTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/deposit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Bring money in from the world outside
     * @description Needs the scope `transfer:fund`.
     */
    post: operations['deposit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/withdraw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take money out to the world outside
     * @description Needs the scope `transfer:fund`.
     */
    post: operations['withdraw'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/reverse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move back all or part of what a transfer or a capture moved
     * @description Needs the scope `transfer:reverse`.
     */
    post: operations['reverseTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/hold': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reserve an amount on a wallet, to be captured later
     * @description Needs the scope `transfer:hold`.
     */
    post: operations['holdAmount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/capture': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move all or part of what a hold reserves
     * @description Needs the scope `transfer:hold`.
     */
    post: operations['captureHold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give back all or part of what a hold reserves
     * @description Needs the scope `transfer:hold`.
     */
    post: operations['releaseHold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create many transfer orders, each for itself or all together
     * @description Needs the scope `transfer:create`.
     */
    post: operations['createTransfers'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell how a transfer order would end if it were posted now; nothing is stored
     * @description Needs the scopes `transfer:create` and `wallet:read`.
     */
    post: operations['previewTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an order that is SCHEDULED, for good
     * @description Needs the scope `transfer:create`.
     */
    post: operations['cancelTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/key': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the API key that signs the request
     * @description Any scope will do.
     */
    get: operations['getKey'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks of the workspace, oldest first
     * @description Needs the scope `webhook:manage`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Have events sent to a URL; at most 10 a workspace. The secret is shown this once
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook, and whether its events arrive
     * @description Needs the scope `webhook:manage`.
     */
    get: operations['getWebhook'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send events to it again
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['enableWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send it nothing
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['disableWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give it a new secret, shown this once; for 24 h messages are signed with both
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Forget it, and its deliveries
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['deleteWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send it an event that tells of nothing; at most 10 a minute for all webhooks together
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send one event again, or all since a time; at most of the last 30 days, and one replay at a time
     * @description Needs the scope `webhook:manage`.
     */
    post: operations['replayWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what became of events, those of the newest orders first; the last 1,000, of 30 days
     * @description Needs the scope `webhook:manage`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'transfer.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sent once an order is COMPLETED
     * @description Verify the signature before anything else. The same event may come more than once, and in any order.
     */
    post: operations['transferCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'transfer.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sent once an order is FAILED
     * @description Verify the signature before anything else. The same event may come more than once, and in any order.
     */
    post: operations['transferFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'transfer.cancelled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sent once an order is CANCELLED
     * @description Verify the signature before anything else. The same event may come more than once, and in any order.
     */
    post: operations['transferCancelled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sent where its owner asks for it, to try the receiver
     * @description Verify the signature before anything else. The same event may come more than once, and in any order.
     */
    post: operations['webhookTest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * @description A page of a list.
     * @example {
     *       "items": [
     *         {
     *           "id": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *           "name": "Alice",
     *           "reference": "user-7",
     *           "metadata": {
     *             "plan": "basic"
     *           },
     *           "currency": "USD",
     *           "status": "ACTIVE",
     *           "balance": "98.90",
     *           "held": "20.00",
     *           "creditLimit": "0.00",
     *           "available": "78.90",
     *           "createdAt": "2026-01-01T09:00:00.000Z",
     *           "updatedAt": "2026-01-01T09:30:00.021Z"
     *         }
     *       ],
     *       "page": 0,
     *       "size": 20,
     *       "total": 1,
     *       "totalPages": 1,
     *       "nextCursor": null
     *     }
     */
    WalletPage: {
      /** @description Newest first. */
      items: components['schemas']['Wallet'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    /**
     * @description A wallet of the workspace.
     * @example {
     *       "id": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "name": "Alice",
     *       "reference": "user-7",
     *       "metadata": {
     *         "plan": "basic"
     *       },
     *       "currency": "USD",
     *       "status": "ACTIVE",
     *       "balance": "98.90",
     *       "held": "20.00",
     *       "creditLimit": "0.00",
     *       "available": "78.90",
     *       "createdAt": "2026-01-01T09:00:00.000Z",
     *       "updatedAt": "2026-01-01T09:30:00.021Z"
     *     }
     */
    Wallet: {
      /** @description The wallet. */
      id: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /** @description As given when it was made; may be empty. */
      name: string;
      /** @description Your own, unique in the workspace; null if none was given. */
      reference: string | null;
      /** @description As given when it was made. */
      metadata: {
        [key: string]: string;
      };
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /**
       * @description Only an ACTIVE wallet takes part in transfers.
       * @enum {string}
       */
      status: 'ACTIVE' | 'FROZEN' | 'CLOSED';
      /** @description The wallet’s balance, with the decimals of its currency; with more where it was stored with more. */
      balance: string;
      /** @description How much of the balance is reserved by holds. */
      held: string;
      /** @description How far the balance may be below zero. */
      creditLimit: string;
      /** @description What it may spend: `balance` less `held`, plus its credit limit. */
      available: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it changed last.
       */
      updatedAt: string;
    };
    /**
     * @description The envelope around `WalletPage`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "items": [
     *           {
     *             "id": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *             "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *             "name": "Alice",
     *             "reference": "user-7",
     *             "metadata": {
     *               "plan": "basic"
     *             },
     *             "currency": "USD",
     *             "status": "ACTIVE",
     *             "balance": "98.90",
     *             "held": "20.00",
     *             "creditLimit": "0.00",
     *             "available": "78.90",
     *             "createdAt": "2026-01-01T09:00:00.000Z",
     *             "updatedAt": "2026-01-01T09:30:00.021Z"
     *           }
     *         ],
     *         "page": 0,
     *         "size": 20,
     *         "total": 1,
     *         "totalPages": 1,
     *         "nextCursor": null
     *       }
     *     }
     */
    WalletPageAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['WalletPage'];
    };
    /**
     * @description The envelope around `Wallet`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "id": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "name": "Alice",
     *         "reference": "user-7",
     *         "metadata": {
     *           "plan": "basic"
     *         },
     *         "currency": "USD",
     *         "status": "ACTIVE",
     *         "balance": "98.90",
     *         "held": "20.00",
     *         "creditLimit": "0.00",
     *         "available": "78.90",
     *         "createdAt": "2026-01-01T09:00:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z"
     *       }
     *     }
     */
    WalletAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Wallet'];
    };
    /**
     * @description A wallet’s balance.
     * @example {
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "currency": "USD",
     *       "balance": "98.90",
     *       "held": "20.00",
     *       "available": "78.90",
     *       "sequence": 2,
     *       "asOf": "2026-01-01T09:31:00.000Z"
     *     }
     */
    Balance: {
      /** @description The wallet. */
      walletId: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The wallet’s balance, with the decimals of its currency; with more where it was stored with more. */
      balance: string;
      /** @description How much of the balance is reserved by holds; null with `at`. */
      held: string | null;
      /** @description What it may spend: `balance` less `held`, plus its credit limit; null with `at`. */
      available: string | null;
      /** @description Number of the wallet’s last flow; 0 where it has none. */
      sequence: number;
      /**
       * Format: date-time
       * @description When it was read; with `at`, that moment.
       */
      asOf: string;
      /**
       * Format: date-time
       * @description Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into the books: what lies after this moment may still grow.
       */
      settledUntil?: string;
    };
    /**
     * @description The envelope around `Balance`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "currency": "USD",
     *         "balance": "98.90",
     *         "held": "20.00",
     *         "available": "78.90",
     *         "sequence": 2,
     *         "asOf": "2026-01-01T09:31:00.000Z"
     *       }
     *     }
     */
    BalanceAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Balance'];
    };
    /**
     * @description What moved on a wallet in a range of time.
     * @example {
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "currency": "USD",
     *       "from": "2026-01-01T00:00:00.000Z",
     *       "to": "2026-01-02T00:00:00.000Z",
     *       "openingBalance": "0.00",
     *       "closingBalance": "98.90",
     *       "debits": "1.10",
     *       "credits": "100.00",
     *       "count": 2,
     *       "settledUntil": "2026-01-02T00:10:00.000Z",
     *       "items": [
     *         {
     *           "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *           "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "sequence": 2,
     *           "direction": "DEBIT",
     *           "amount": "1.10",
     *           "currency": "USD",
     *           "balanceBefore": "100.00",
     *           "balanceAfter": "98.90",
     *           "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *           "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "createdAt": "2026-01-01T09:30:00.021Z",
     *           "type": "TRANSFER",
     *           "bizId": "invoice-42",
     *           "reference": null,
     *           "description": null
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    Statement: {
      /** @description The wallet. */
      walletId: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /**
       * Format: date-time
       * @description Where it begins, inclusive.
       */
      from: string;
      /**
       * Format: date-time
       * @description Where it ends, exclusive.
       */
      to: string;
      /** @description The balance before the first flow of the range. */
      openingBalance: string;
      /** @description The balance after the last flow of the range. */
      closingBalance: string;
      /** @description The sum of the debits of the whole range, on every page. */
      debits: string;
      /** @description The sum of the credits of the whole range, on every page. */
      credits: string;
      /** @description How many flows the whole range has. */
      count: number;
      /**
       * Format: date-time
       * @description Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into the books: what lies after this moment may still grow.
       */
      settledUntil: string;
      /** @description Oldest first. */
      items: components['schemas']['StatementEntry'][];
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    /**
     * @description A flow, and the order behind it.
     * @example {
     *       "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "sequence": 2,
     *       "direction": "DEBIT",
     *       "amount": "1.10",
     *       "currency": "USD",
     *       "balanceBefore": "100.00",
     *       "balanceAfter": "98.90",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "createdAt": "2026-01-01T09:30:00.021Z",
     *       "type": "TRANSFER",
     *       "bizId": "invoice-42",
     *       "reference": null,
     *       "description": null
     *     }
     */
    StatementEntry: {
      id: string;
      /** @description The wallet. */
      walletId: string;
      /** @description Runs 1, 2, 3 … for each wallet, without a gap. */
      sequence: number;
      /**
       * @description DEBIT takes from the wallet, CREDIT adds to it.
       * @enum {string}
       */
      direction: 'DEBIT' | 'CREDIT';
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The `balanceAfter` of the flow before. */
      balanceBefore: string;
      balanceAfter: string;
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The other wallet, or `EXTERNAL`. */
      counterpartyWalletId: string;
      /**
       * Format: date-time
       * @description When it was posted.
       */
      createdAt: string;
      /**
       * @description The type of its order.
       * @enum {string}
       */
      type: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'REVERSAL' | 'HOLD' | 'CAPTURE' | 'RELEASE';
      /** @description The bizId of its order. */
      bizId: string;
      /** @description The reference of its order. */
      reference: string | null;
      /** @description The description of its order. */
      description: string | null;
    };
    /**
     * @description The envelope around `Statement`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "currency": "USD",
     *         "from": "2026-01-01T00:00:00.000Z",
     *         "to": "2026-01-02T00:00:00.000Z",
     *         "openingBalance": "0.00",
     *         "closingBalance": "98.90",
     *         "debits": "1.10",
     *         "credits": "100.00",
     *         "count": 2,
     *         "settledUntil": "2026-01-02T00:10:00.000Z",
     *         "items": [
     *           {
     *             "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *             "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *             "sequence": 2,
     *             "direction": "DEBIT",
     *             "amount": "1.10",
     *             "currency": "USD",
     *             "balanceBefore": "100.00",
     *             "balanceAfter": "98.90",
     *             "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *             "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *             "createdAt": "2026-01-01T09:30:00.021Z",
     *             "type": "TRANSFER",
     *             "bizId": "invoice-42",
     *             "reference": null,
     *             "description": null
     *           }
     *         ],
     *         "nextCursor": null
     *       }
     *     }
     */
    StatementAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Statement'];
    };
    /**
     * @description The wallet to make.
     * @example {
     *       "currency": "USD",
     *       "name": "Alice",
     *       "reference": "user-7",
     *       "metadata": {
     *         "plan": "basic"
     *       }
     *     }
     */
    CreateWallet: {
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /** @description For people; no control characters. The currency, if it is left out. */
      name?: string;
      /** @description Your own, unique in the workspace: repeating the request with it is safe. It is never freed. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
      /** @description How far the balance may be below zero: a plain decimal, or `0`, with no more decimals than the currency has. */
      creditLimit?: string;
    };
    /**
     * @description The credit limit to set.
     * @example {
     *       "creditLimit": "50.00"
     *     }
     */
    LimitWallet: {
      /** @description How far the balance may be below zero: a plain decimal, or `0`, with no more decimals than the currency has. */
      creditLimit: string;
    };
    /**
     * @description No fields: the body may be left out.
     * @example {}
     */
    NoFields: Record<string, never>;
    /**
     * @description A page of a list.
     * @example {
     *       "items": [
     *         {
     *           "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *           "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "sequence": 2,
     *           "direction": "DEBIT",
     *           "amount": "1.10",
     *           "currency": "USD",
     *           "balanceBefore": "100.00",
     *           "balanceAfter": "98.90",
     *           "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *           "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "createdAt": "2026-01-01T09:30:00.021Z"
     *         }
     *       ],
     *       "page": 0,
     *       "size": 20,
     *       "total": 1,
     *       "totalPages": 1,
     *       "nextCursor": null
     *     }
     */
    FlowPage: {
      /** @description Newest first. */
      items: components['schemas']['Flow'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    /**
     * @description What a completed order moved on one wallet.
     * @example {
     *       "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "sequence": 2,
     *       "direction": "DEBIT",
     *       "amount": "1.10",
     *       "currency": "USD",
     *       "balanceBefore": "100.00",
     *       "balanceAfter": "98.90",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "createdAt": "2026-01-01T09:30:00.021Z"
     *     }
     */
    Flow: {
      id: string;
      /** @description The wallet. */
      walletId: string;
      /** @description Runs 1, 2, 3 … for each wallet, without a gap. */
      sequence: number;
      /**
       * @description DEBIT takes from the wallet, CREDIT adds to it.
       * @enum {string}
       */
      direction: 'DEBIT' | 'CREDIT';
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The `balanceAfter` of the flow before. */
      balanceBefore: string;
      balanceAfter: string;
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The other wallet, or `EXTERNAL`. */
      counterpartyWalletId: string;
      /**
       * Format: date-time
       * @description When it was posted.
       */
      createdAt: string;
    };
    /**
     * @description The envelope around `FlowPage`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "items": [
     *           {
     *             "id": "fl_wa_01M7Y8R1S5A8C3E6G9J2M4P7QR.000000000002",
     *             "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *             "sequence": 2,
     *             "direction": "DEBIT",
     *             "amount": "1.10",
     *             "currency": "USD",
     *             "balanceBefore": "100.00",
     *             "balanceAfter": "98.90",
     *             "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *             "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *             "createdAt": "2026-01-01T09:30:00.021Z"
     *           }
     *         ],
     *         "page": 0,
     *         "size": 20,
     *         "total": 1,
     *         "totalPages": 1,
     *         "nextCursor": null
     *       }
     *     }
     */
    FlowPageAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['FlowPage'];
    };
    /**
     * @description A page of a list.
     * @example {
     *       "items": [
     *         {
     *           "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *           "bizId": "invoice-42",
     *           "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *           "type": "TRANSFER",
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "amount": "1.10",
     *           "currency": "USD",
     *           "status": "COMPLETED",
     *           "failure": null,
     *           "parentId": null,
     *           "description": null,
     *           "reference": "INV-2026-42",
     *           "metadata": {
     *             "customer": "7"
     *           },
     *           "executeAt": null,
     *           "batchId": null,
     *           "reversedAmount": "0.00",
     *           "hold": null,
     *           "createdAt": "2026-01-01T09:30:00.000Z",
     *           "updatedAt": "2026-01-01T09:30:00.021Z",
     *           "completedAt": "2026-01-01T09:30:00.021Z"
     *         }
     *       ],
     *       "page": 0,
     *       "size": 20,
     *       "total": 1,
     *       "totalPages": 1,
     *       "nextCursor": null
     *     }
     */
    OrderPage: {
      /** @description Newest first. */
      items: components['schemas']['Order'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    /**
     * @description An order of any type.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "invoice-42",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "type": "TRANSFER",
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "1.10",
     *       "currency": "USD",
     *       "status": "COMPLETED",
     *       "failure": null,
     *       "parentId": null,
     *       "description": null,
     *       "reference": "INV-2026-42",
     *       "metadata": {
     *         "customer": "7"
     *       },
     *       "executeAt": null,
     *       "batchId": null,
     *       "reversedAmount": "0.00",
     *       "hold": null,
     *       "createdAt": "2026-01-01T09:30:00.000Z",
     *       "updatedAt": "2026-01-01T09:30:00.021Z",
     *       "completedAt": "2026-01-01T09:30:00.021Z"
     *     }
     */
    Order: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What the order does when it is posted.
       * @enum {string}
       */
      type: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'REVERSAL' | 'HOLD' | 'CAPTURE' | 'RELEASE';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /**
       * @description PENDING, then COMPLETED or FAILED for good. With `executeAt` it is SCHEDULED first, and may end CANCELLED.
       * @enum {string}
       */
      status: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description Why the order is FAILED; null otherwise. */
      failure: {
        /** @enum {string} */
        code: 'TR4223' | 'WA4221' | 'TR4224' | 'TR4225' | 'TR4226' | 'TR4229';
        /** @enum {string} */
        message:
          | 'INSUFFICIENT_BALANCE'
          | 'WALLET_NOT_ACTIVE'
          | 'BALANCE_LIMIT'
          | 'HOLD_CLOSED'
          | 'EXCEEDS_REMAINING'
          | 'BATCH_FAILED';
      } | null;
      /** @description The transferId of the order that it refers to; null if to none. */
      parentId: string | null;
      /** @description As given when it was made. */
      description: string | null;
      /** @description As given when it was made. */
      reference: string | null;
      /** @description As given when it was made. */
      metadata: {
        [key: string]: string;
      };
      /** @description When it is to be posted, if that was asked for; null otherwise. */
      executeAt: string | null;
      /** @description The batch that it came in; null if in none. */
      batchId: string | null;
      /** @description Of a TRANSFER or CAPTURE: how much of it reversals have moved back; null otherwise. */
      reversedAmount: string | null;
      /** @description Of a HOLD: how far it is; null otherwise. */
      hold: {
        /** @description HELD while something remains. Then CAPTURED if any of it was captured; else EXPIRED if the last of it was released by its expiry, or RELEASED. Null unless the order is COMPLETED. */
        state: ('HELD' | 'CAPTURED' | 'RELEASED' | 'EXPIRED') | null;
        /** @description With the decimals of the currency; with more where it was stored with more. */
        captured: string;
        /** @description With the decimals of the currency; with more where it was stored with more. */
        released: string;
        /** @description What is still reserved. */
        remaining: string;
        /**
         * Format: date-time
         * @description When what remains is released.
         */
        expiresAt: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /**
     * @description The envelope around `OrderPage`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "items": [
     *           {
     *             "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *             "bizId": "invoice-42",
     *             "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *             "type": "TRANSFER",
     *             "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *             "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *             "amount": "1.10",
     *             "currency": "USD",
     *             "status": "COMPLETED",
     *             "failure": null,
     *             "parentId": null,
     *             "description": null,
     *             "reference": "INV-2026-42",
     *             "metadata": {
     *               "customer": "7"
     *             },
     *             "executeAt": null,
     *             "batchId": null,
     *             "reversedAmount": "0.00",
     *             "hold": null,
     *             "createdAt": "2026-01-01T09:30:00.000Z",
     *             "updatedAt": "2026-01-01T09:30:00.021Z",
     *             "completedAt": "2026-01-01T09:30:00.021Z"
     *           }
     *         ],
     *         "page": 0,
     *         "size": 20,
     *         "total": 1,
     *         "totalPages": 1,
     *         "nextCursor": null
     *       }
     *     }
     */
    OrderPageAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['OrderPage'];
    };
    /**
     * @description The envelope around `Order`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *         "bizId": "invoice-42",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "type": "TRANSFER",
     *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *         "amount": "1.10",
     *         "currency": "USD",
     *         "status": "COMPLETED",
     *         "failure": null,
     *         "parentId": null,
     *         "description": null,
     *         "reference": "INV-2026-42",
     *         "metadata": {
     *           "customer": "7"
     *         },
     *         "executeAt": null,
     *         "batchId": null,
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": "2026-01-01T09:30:00.021Z"
     *       }
     *     }
     */
    OrderAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Order'];
    };
    /**
     * @description How far an order is.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "invoice-42",
     *       "completed": true,
     *       "status": "COMPLETED",
     *       "completedAt": "2026-01-01T09:30:00.021Z",
     *       "failure": null
     *     }
     */
    Completion: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description True for COMPLETED alone; `status` tells when to stop asking. */
      completed: boolean;
      /**
       * @description PENDING, then COMPLETED or FAILED for good. With `executeAt` it is SCHEDULED first, and may end CANCELLED.
       * @enum {string}
       */
      status: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
      /** @description Why the order is FAILED; null otherwise. */
      failure: {
        /** @enum {string} */
        code: 'TR4223' | 'WA4221' | 'TR4224' | 'TR4225' | 'TR4226' | 'TR4229';
        /** @enum {string} */
        message:
          | 'INSUFFICIENT_BALANCE'
          | 'WALLET_NOT_ACTIVE'
          | 'BALANCE_LIMIT'
          | 'HOLD_CLOSED'
          | 'EXCEEDS_REMAINING'
          | 'BATCH_FAILED';
      } | null;
    };
    /**
     * @description The envelope around `Completion`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *         "bizId": "invoice-42",
     *         "completed": true,
     *         "status": "COMPLETED",
     *         "completedAt": "2026-01-01T09:30:00.021Z",
     *         "failure": null
     *       }
     *     }
     */
    CompletionAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Completion'];
    };
    /**
     * @description What to move.
     * @example {
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "1.1",
     *       "currency": "USD",
     *       "bizId": "invoice-42"
     *     }
     */
    CreateTransfer: {
      /** @description The wallet the amount is taken from. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to; another one. */
      targetWalletId: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /**
       * Format: date-time
       * @description When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
       */
      executeAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What came in.
     * @example {
     *       "targetWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "amount": "250",
     *       "currency": "USD",
     *       "reference": "payin-7"
     *     }
     */
    Deposit: {
      /** @description The wallet the amount goes to. */
      targetWalletId: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What goes out.
     * @example {
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "amount": "40",
     *       "currency": "USD",
     *       "reference": "payout-3"
     *     }
     */
    Withdraw: {
      /** @description The wallet the amount is taken from. */
      sourceWalletId: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What to move back.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "amount": "1",
     *       "reference": "refund-42"
     *     }
     */
    ReverseTransfer: {
      /** @description The transfer or capture: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move back; all that is left, if not said. */
      amount?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What to reserve.
     * @example {
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "80",
     *       "currency": "USD"
     *     }
     */
    Hold: {
      /** @description The wallet on which the amount is reserved. */
      sourceWalletId: string;
      /** @description The wallet that it is reserved for; the world outside, if not said (needs `transfer:fund` too). */
      targetWalletId?: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /**
       * Format: date-time
       * @description When what is left is released; 7 days from now if not said, at most 31. ISO 8601 with a zone.
       */
      expiresAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What to move of a hold.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "amount": "65.5",
     *       "final": false
     *     }
     */
    CaptureHold: {
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move; all that remains, if not said. */
      amount?: string;
      /**
       * @description Whether what is not moved is released at once.
       * @default true
       */
      final?: boolean;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What to give back of a hold.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV"
     *     }
     */
    ReleaseHold: {
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to give back; all that remains, if not said. */
      amount?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Not `wallet`, a word of the paths. */
      bizId?: string;
      /** @description A text for people; no control characters. */
      description?: string;
      /** @description Your own reference, such as an invoice; lists can be filtered by it. It need not be unique. */
      reference?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description What to move, in many transfers.
     * @example {
     *       "transfers": [
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "amount": "1.1",
     *           "currency": "USD",
     *           "bizId": "invoice-42"
     *         }
     *       ]
     *     }
     */
    CreateBatch: {
      /** @description Each as the body of a create of its own. */
      transfers: components['schemas']['CreateTransfer'][];
      /** @description If true, all orders are made and posted together, or none. Then at most 100 lines, none with `executeAt`. */
      atomic?: boolean;
    };
    /**
     * @description What became of the lines of a batch.
     * @example {
     *       "batchId": "ba_01M7Y9B7X2E6G9J2M5P7R0T4VW",
     *       "items": [
     *         {
     *           "order": {
     *             "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *             "bizId": "invoice-42",
     *             "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *             "type": "TRANSFER",
     *             "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *             "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *             "amount": "1.10",
     *             "currency": "USD",
     *             "status": "COMPLETED",
     *             "failure": null,
     *             "parentId": null,
     *             "description": null,
     *             "reference": "INV-2026-42",
     *             "metadata": {
     *               "customer": "7"
     *             },
     *             "executeAt": null,
     *             "batchId": "ba_01M7Y9B7X2E6G9J2M5P7R0T4VW",
     *             "reversedAmount": "0.00",
     *             "hold": null,
     *             "createdAt": "2026-01-01T09:30:00.000Z",
     *             "updatedAt": "2026-01-01T09:30:00.021Z",
     *             "completedAt": "2026-01-01T09:30:00.021Z"
     *           }
     *         },
     *         {
     *           "code": "WA4041",
     *           "message": "WALLET_NOT_FOUND",
     *           "reason": "WALLET_NOT_FOUND",
     *           "field": "targetWalletId"
     *         }
     *       ]
     *     }
     */
    Batch: {
      /** @description The id of this batch; of an atomic batch that is repeated, the first one’s. */
      batchId: string;
      /** @description Of each line, in order: its order, or why there is none. */
      items: (
        | {
            order: components['schemas']['Order'];
          }
        | {
            /** @description What went wrong, in few kinds. */
            code: string;
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            /** @description Why it went wrong: finer than the code. */
            reason: string;
            /** @description The line’s field at fault; null if none is. */
            field: string | null;
          }
      )[];
    };
    /**
     * @description The envelope around `Batch`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "batchId": "ba_01M7Y9B7X2E6G9J2M5P7R0T4VW",
     *         "items": [
     *           {
     *             "order": {
     *               "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *               "bizId": "invoice-42",
     *               "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *               "type": "TRANSFER",
     *               "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *               "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *               "amount": "1.10",
     *               "currency": "USD",
     *               "status": "COMPLETED",
     *               "failure": null,
     *               "parentId": null,
     *               "description": null,
     *               "reference": "INV-2026-42",
     *               "metadata": {
     *                 "customer": "7"
     *               },
     *               "executeAt": null,
     *               "batchId": "ba_01M7Y9B7X2E6G9J2M5P7R0T4VW",
     *               "reversedAmount": "0.00",
     *               "hold": null,
     *               "createdAt": "2026-01-01T09:30:00.000Z",
     *               "updatedAt": "2026-01-01T09:30:00.021Z",
     *               "completedAt": "2026-01-01T09:30:00.021Z"
     *             }
     *           },
     *           {
     *             "code": "WA4041",
     *             "message": "WALLET_NOT_FOUND",
     *             "reason": "WALLET_NOT_FOUND",
     *             "field": "targetWalletId"
     *           }
     *         ]
     *       }
     *     }
     */
    BatchAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Batch'];
    };
    /**
     * @description How an order would end.
     * @example {
     *       "status": "COMPLETED",
     *       "failure": null,
     *       "source": {
     *         "balance": "98.90",
     *         "available": "78.90"
     *       },
     *       "target": {
     *         "balance": "1.10",
     *         "available": "1.10"
     *       }
     *     }
     */
    Preview: {
      /**
       * @description PENDING, then COMPLETED or FAILED for good. With `executeAt` it is SCHEDULED first, and may end CANCELLED.
       * @enum {string}
       */
      status: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description Why the order is FAILED; null otherwise. */
      failure: {
        /** @enum {string} */
        code: 'TR4223' | 'WA4221' | 'TR4224' | 'TR4225' | 'TR4226' | 'TR4229';
        /** @enum {string} */
        message:
          | 'INSUFFICIENT_BALANCE'
          | 'WALLET_NOT_ACTIVE'
          | 'BALANCE_LIMIT'
          | 'HOLD_CLOSED'
          | 'EXCEEDS_REMAINING'
          | 'BATCH_FAILED';
      } | null;
      /** @description The source as the order would leave it; as it is, if the order would fail. */
      source: {
        balance: string;
        /** @description What it could then spend. */
        available: string;
      };
      /** @description The target as the order would leave it; as it is, if the order would fail. */
      target: {
        balance: string;
        /** @description What it could then spend. */
        available: string;
      };
    };
    /**
     * @description The envelope around `Preview`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "status": "COMPLETED",
     *         "failure": null,
     *         "source": {
     *           "balance": "98.90",
     *           "available": "78.90"
     *         },
     *         "target": {
     *           "balance": "1.10",
     *           "available": "1.10"
     *         }
     *       }
     *     }
     */
    PreviewAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Preview'];
    };
    /**
     * @description The order to cancel.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV"
     *     }
     */
    CancelTransfer: {
      /** @description The transferId or the bizId of an order for a later time. */
      transferId: string;
    };
    /**
     * @description The API key that signed the request, and what it may do.
     * @example {
     *       "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "owner": "ada",
     *       "scopes": [
     *         "wallet:read",
     *         "transfer:read"
     *       ],
     *       "rate": {
     *         "perSecond": 1000,
     *         "burst": 2000,
     *         "remaining": 999
     *       },
     *       "address": "203.0.113.9",
     *       "serverTime": "2026-01-01T09:31:00.000Z",
     *       "currencies": [
     *         {
     *           "code": "USD",
     *           "decimals": 2
     *         }
     *       ]
     *     }
     */
    Key: {
      apiKey: string;
      workspaceId: string;
      /** @description The user whose membership of the workspace the key stands on. */
      owner: string;
      scopes: (
        | 'wallet:read'
        | 'wallet:manage'
        | 'transfer:read'
        | 'transfer:create'
        | 'transfer:fund'
        | 'transfer:reverse'
        | 'transfer:hold'
        | 'webhook:manage'
      )[];
      /** @description How many requests the key may make. */
      rate: {
        perSecond: number;
        /** @description So many in one second, now and then. */
        burst: number;
        /** @description Of `perSecond`, in this second. */
        remaining: number;
      };
      /** @description The client’s address as seen; null where it is not known. */
      address: string | null;
      /** Format: date-time */
      serverTime: string;
      /** @description Those that wallets and transfers may have, by code. */
      currencies: {
        code: string;
        decimals: number;
      }[];
    };
    /**
     * @description The envelope around `Key`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "owner": "ada",
     *         "scopes": [
     *           "wallet:read",
     *           "transfer:read"
     *         ],
     *         "rate": {
     *           "perSecond": 1000,
     *           "burst": 2000,
     *           "remaining": 999
     *         },
     *         "address": "203.0.113.9",
     *         "serverTime": "2026-01-01T09:31:00.000Z",
     *         "currencies": [
     *           {
     *             "code": "USD",
     *             "decimals": 2
     *           }
     *         ]
     *       }
     *     }
     */
    KeyAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Key'];
    };
    /**
     * @description Where to send what.
     * @example {
     *       "url": "https://example.com/webhooks",
     *       "events": [
     *         "transfer.completed",
     *         "transfer.failed",
     *         "transfer.cancelled"
     *       ],
     *       "description": "Bookkeeping"
     *     }
     */
    CreateWebhook: {
      /** @description Where events are sent: HTTPS, a public address. Kept as parsed, without fragment. */
      url: string;
      /** @description What to send; each once. */
      events: ('transfer.completed' | 'transfer.failed' | 'transfer.cancelled')[];
      /**
       * @description Your own note of what it is for; without control characters.
       * @default
       */
      description?: string;
    };
    /**
     * @description A webhook, and its secret, which is not shown again.
     * @example {
     *       "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "url": "https://example.com/webhooks",
     *       "description": "Bookkeeping",
     *       "events": [
     *         "transfer.completed",
     *         "transfer.failed",
     *         "transfer.cancelled"
     *       ],
     *       "status": "ENABLED",
     *       "disabledReason": null,
     *       "previousSecretValidUntil": null,
     *       "failures": 0,
     *       "waiting": 0,
     *       "failingSince": null,
     *       "waitingSince": null,
     *       "createdAt": "2026-01-01T09:00:00.000Z",
     *       "updatedAt": "2026-01-01T09:00:00.000Z",
     *       "secret": "whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU="
     *     }
     */
    WebhookWithSecret: {
      id: string;
      workspaceId: string;
      url: string;
      description: string;
      events: ('transfer.completed' | 'transfer.failed' | 'transfer.cancelled')[];
      /** @enum {string} */
      status: 'ENABLED' | 'DISABLED';
      /** @description FAILING: nothing came through for a day. GONE: it answered 410. */
      disabledReason: ('REQUESTED' | 'FAILING' | 'GONE') | null;
      /** @description Until then messages are signed with two secrets. */
      previousSecretValidUntil: string | null;
      /** @description Tries in a row in which nothing came through. */
      failures: number;
      /** @description Events that waited when it was last served. */
      waiting: number;
      failingSince: string | null;
      waitingSince: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description `whsec_` and the Base64 of the key that messages are signed with. */
      secret: string;
    };
    /**
     * @description The envelope around `WebhookWithSecret`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "url": "https://example.com/webhooks",
     *         "description": "Bookkeeping",
     *         "events": [
     *           "transfer.completed",
     *           "transfer.failed",
     *           "transfer.cancelled"
     *         ],
     *         "status": "ENABLED",
     *         "disabledReason": null,
     *         "previousSecretValidUntil": null,
     *         "failures": 0,
     *         "waiting": 0,
     *         "failingSince": null,
     *         "waitingSince": null,
     *         "createdAt": "2026-01-01T09:00:00.000Z",
     *         "updatedAt": "2026-01-01T09:00:00.000Z",
     *         "secret": "whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU="
     *       }
     *     }
     */
    WebhookWithSecretAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['WebhookWithSecret'];
    };
    /**
     * @description The webhooks of a workspace.
     * @example {
     *       "items": [
     *         {
     *           "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *           "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *           "url": "https://example.com/webhooks",
     *           "description": "Bookkeeping",
     *           "events": [
     *             "transfer.completed",
     *             "transfer.failed",
     *             "transfer.cancelled"
     *           ],
     *           "status": "ENABLED",
     *           "disabledReason": null,
     *           "previousSecretValidUntil": null,
     *           "failures": 0,
     *           "waiting": 0,
     *           "failingSince": null,
     *           "waitingSince": null,
     *           "createdAt": "2026-01-01T09:00:00.000Z",
     *           "updatedAt": "2026-01-01T09:00:00.000Z"
     *         }
     *       ]
     *     }
     */
    WebhookList: {
      items: components['schemas']['Webhook'][];
    };
    /**
     * @description Where events are sent, and whether they arrive.
     * @example {
     *       "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "url": "https://example.com/webhooks",
     *       "description": "Bookkeeping",
     *       "events": [
     *         "transfer.completed",
     *         "transfer.failed",
     *         "transfer.cancelled"
     *       ],
     *       "status": "ENABLED",
     *       "disabledReason": null,
     *       "previousSecretValidUntil": null,
     *       "failures": 0,
     *       "waiting": 0,
     *       "failingSince": null,
     *       "waitingSince": null,
     *       "createdAt": "2026-01-01T09:00:00.000Z",
     *       "updatedAt": "2026-01-01T09:00:00.000Z"
     *     }
     */
    Webhook: {
      id: string;
      workspaceId: string;
      url: string;
      description: string;
      events: ('transfer.completed' | 'transfer.failed' | 'transfer.cancelled')[];
      /** @enum {string} */
      status: 'ENABLED' | 'DISABLED';
      /** @description FAILING: nothing came through for a day. GONE: it answered 410. */
      disabledReason: ('REQUESTED' | 'FAILING' | 'GONE') | null;
      /** @description Until then messages are signed with two secrets. */
      previousSecretValidUntil: string | null;
      /** @description Tries in a row in which nothing came through. */
      failures: number;
      /** @description Events that waited when it was last served. */
      waiting: number;
      failingSince: string | null;
      waitingSince: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @description The envelope around `WebhookList`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "items": [
     *           {
     *             "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *             "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *             "url": "https://example.com/webhooks",
     *             "description": "Bookkeeping",
     *             "events": [
     *               "transfer.completed",
     *               "transfer.failed",
     *               "transfer.cancelled"
     *             ],
     *             "status": "ENABLED",
     *             "disabledReason": null,
     *             "previousSecretValidUntil": null,
     *             "failures": 0,
     *             "waiting": 0,
     *             "failingSince": null,
     *             "waitingSince": null,
     *             "createdAt": "2026-01-01T09:00:00.000Z",
     *             "updatedAt": "2026-01-01T09:00:00.000Z"
     *           }
     *         ]
     *       }
     *     }
     */
    WebhookListAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['WebhookList'];
    };
    /**
     * @description The envelope around `Webhook`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "url": "https://example.com/webhooks",
     *         "description": "Bookkeeping",
     *         "events": [
     *           "transfer.completed",
     *           "transfer.failed",
     *           "transfer.cancelled"
     *         ],
     *         "status": "ENABLED",
     *         "disabledReason": null,
     *         "previousSecretValidUntil": null,
     *         "failures": 0,
     *         "waiting": 0,
     *         "failingSince": null,
     *         "waitingSince": null,
     *         "createdAt": "2026-01-01T09:00:00.000Z",
     *         "updatedAt": "2026-01-01T09:00:00.000Z"
     *       }
     *     }
     */
    WebhookAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Webhook'];
    };
    /**
     * @description What is no more.
     * @example {
     *       "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST"
     *     }
     */
    Deleted: {
      id: string;
    };
    /**
     * @description The envelope around `Deleted`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "id": "wh_01M7Y8T3B7C1E5G8J2M4P6QRST"
     *       }
     *     }
     */
    DeletedAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['Deleted'];
    };
    /**
     * @description An event that is being sent.
     * @example {
     *       "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV"
     *     }
     */
    WebhookEvent: {
      eventId: string;
    };
    /**
     * @description The envelope around `WebhookEvent`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV"
     *       }
     *     }
     */
    WebhookEventAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['WebhookEvent'];
    };
    /**
     * @description What to send again.
     * @example {
     *       "since": "2026-01-01T09:00:00Z"
     *     }
     */
    ReplayWebhook: {
      /**
       * Format: date-time
       * @description All that ended since this time,
       */
      since?: string;
      /** @description or the one event with this id. */
      eventId?: string;
    };
    /**
     * @description A page of what became of events.
     * @example {
     *       "items": [
     *         {
     *           "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *           "type": "transfer.completed",
     *           "state": "DELIVERED",
     *           "attempts": 1,
     *           "status": 200,
     *           "error": null,
     *           "durationMs": 41,
     *           "nextAttemptAt": null,
     *           "createdAt": "2026-01-01T09:00:00.000Z",
     *           "updatedAt": "2026-01-01T09:00:00.000Z"
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    WebhookDeliveryPage: {
      items: components['schemas']['WebhookDelivery'][];
      nextCursor: string | null;
    };
    /**
     * @description What became of an event at a webhook.
     * @example {
     *       "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "type": "transfer.completed",
     *       "state": "DELIVERED",
     *       "attempts": 1,
     *       "status": 200,
     *       "error": null,
     *       "durationMs": 41,
     *       "nextAttemptAt": null,
     *       "createdAt": "2026-01-01T09:00:00.000Z",
     *       "updatedAt": "2026-01-01T09:00:00.000Z"
     *     }
     */
    WebhookDelivery: {
      eventId: string;
      /** @enum {string} */
      type: 'transfer.completed' | 'transfer.failed' | 'transfer.cancelled' | 'webhook.test';
      /**
       * @description SET_ASIDE: not tried again by itself, after three days.
       * @enum {string}
       */
      state: 'PENDING' | 'DELIVERED' | 'SET_ASIDE';
      attempts: number;
      /** @description HTTP status of the last answer; null where there was none. */
      status: number | null;
      /** @description Why the last attempt failed, as a symbol. */
      error: string | null;
      durationMs: number | null;
      nextAttemptAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @description The envelope around `WebhookDeliveryPage`.
     * @example {
     *       "version": "1.0",
     *       "timestamp": 1767259800000,
     *       "success": true,
     *       "code": "2000",
     *       "message": "SUCCESS",
     *       "data": {
     *         "items": [
     *           {
     *             "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *             "type": "transfer.completed",
     *             "state": "DELIVERED",
     *             "attempts": 1,
     *             "status": 200,
     *             "error": null,
     *             "durationMs": 41,
     *             "nextAttemptAt": null,
     *             "createdAt": "2026-01-01T09:00:00.000Z",
     *             "updatedAt": "2026-01-01T09:00:00.000Z"
     *           }
     *         ],
     *         "nextCursor": null
     *       }
     *     }
     */
    WebhookDeliveryPageAnswer: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: true;
      /** @constant */
      code: '2000';
      /** @constant */
      message: 'SUCCESS';
      data: components['schemas']['WebhookDeliveryPage'];
    };
    /**
     * @description What is sent once an order is COMPLETED.
     * @example {
     *       "type": "transfer.completed",
     *       "timestamp": "2026-01-01T09:30:00.021Z",
     *       "data": {
     *         "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *         "bizId": "invoice-42",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "type": "TRANSFER",
     *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *         "amount": "1.10",
     *         "currency": "USD",
     *         "status": "COMPLETED",
     *         "failure": null,
     *         "parentId": null,
     *         "description": null,
     *         "reference": "INV-2026-42",
     *         "metadata": {
     *           "customer": "7"
     *         },
     *         "executeAt": null,
     *         "batchId": null,
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": "2026-01-01T09:30:00.021Z"
     *       }
     *     }
     */
    TransferCompletedMessage: {
      /** @constant */
      type: 'transfer.completed';
      /** Format: date-time */
      timestamp: string;
      data: components['schemas']['Order'];
    };
    /**
     * @description What is sent once an order is FAILED.
     * @example {
     *       "type": "transfer.failed",
     *       "timestamp": "2026-01-01T09:30:00.021Z",
     *       "data": {
     *         "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *         "bizId": "invoice-42",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "type": "TRANSFER",
     *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *         "amount": "1.10",
     *         "currency": "USD",
     *         "status": "FAILED",
     *         "failure": {
     *           "code": "TR4223",
     *           "message": "INSUFFICIENT_BALANCE"
     *         },
     *         "parentId": null,
     *         "description": null,
     *         "reference": "INV-2026-42",
     *         "metadata": {
     *           "customer": "7"
     *         },
     *         "executeAt": null,
     *         "batchId": null,
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": null
     *       }
     *     }
     */
    TransferFailedMessage: {
      /** @constant */
      type: 'transfer.failed';
      /** Format: date-time */
      timestamp: string;
      data: components['schemas']['Order'];
    };
    /**
     * @description What is sent once an order is CANCELLED.
     * @example {
     *       "type": "transfer.cancelled",
     *       "timestamp": "2026-01-01T09:30:00.021Z",
     *       "data": {
     *         "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *         "bizId": "invoice-42",
     *         "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *         "type": "TRANSFER",
     *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *         "amount": "1.10",
     *         "currency": "USD",
     *         "status": "CANCELLED",
     *         "failure": null,
     *         "parentId": null,
     *         "description": null,
     *         "reference": "INV-2026-42",
     *         "metadata": {
     *           "customer": "7"
     *         },
     *         "executeAt": "2026-02-01T09:00:00.000Z",
     *         "batchId": null,
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": null
     *       }
     *     }
     */
    TransferCancelledMessage: {
      /** @constant */
      type: 'transfer.cancelled';
      /** Format: date-time */
      timestamp: string;
      data: components['schemas']['Order'];
    };
    /**
     * @description What is sent to try a webhook.
     * @example {
     *       "type": "webhook.test",
     *       "timestamp": "2026-01-01T09:00:00.000Z",
     *       "data": {}
     *     }
     */
    WebhookTestMessage: {
      /** @constant */
      type: 'webhook.test';
      /** Format: date-time */
      timestamp: string;
      data: Record<string, never>;
    };
    /** @description What every failure is. Clients branch on `code`, or on the header `X-Error-Reason`, which tells more. */
    Failure: {
      /** @constant */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /** @constant */
      success: false;
      code: components['schemas']['ErrorCode'];
      /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
      message: string;
      data: null;
    };
    /**
     * @description What went wrong, in few kinds. More may come.
     * @enum {string}
     */
    ErrorCode:
      | 'GA2001'
      | 'GA2011'
      | 'GA2021'
      | 'GA2032'
      | 'GA2034'
      | 'GA2013'
      | 'GA2012'
      | 'RQ4291'
      | 'GA2022'
      | 'GA2024'
      | '50090201'
      | 'RQ4002'
      | 'RQ4131'
      | 'RQ4151'
      | 'RQ4001'
      | 'WA4041'
      | 'WA4221'
      | 'WA4091'
      | 'WA4092'
      | 'WA4222'
      | 'WA4223'
      | 'TR4041'
      | 'TR4091'
      | 'TR4221'
      | 'TR4222'
      | 'TR4092'
      | 'TR4227'
      | 'TR4228'
      | 'TR4225'
      | 'TR4226'
      | 'WH4041'
      | 'WH4042'
      | 'WH4091'
      | 'WH4221'
      | 'WH4092'
      | 'WH4093'
      | 'WH4222'
      | 'SY5001'
      | 'SY5031';
    /**
     * @description Why it went wrong: finer than the code. More may come.
     * @enum {string}
     */
    ErrorReason:
      | 'API_KEY_MISSING'
      | 'API_KEY_NOT_FOUND'
      | 'API_KEY_DISABLED'
      | 'WORKSPACE_NOT_FOUND'
      | 'NOT_WORKSPACE_MEMBER'
      | 'TIMESTAMP_MISSING'
      | 'TIMESTAMP_MALFORMED'
      | 'TIMESTAMP_OFF'
      | 'NONCE_MISSING'
      | 'NONCE_MALFORMED'
      | 'NONCE_REUSED'
      | 'SIGNATURE_MISSING'
      | 'SIGNATURE_MALFORMED'
      | 'SIGNATURE_MISMATCH'
      | 'KEY_RATE_EXCEEDED'
      | 'ADDRESS_RATE_EXCEEDED'
      | 'IP_NOT_WHITELISTED'
      | 'SCOPE_MISSING'
      | 'ENDPOINT_UNKNOWN'
      | 'REQUEST_MALFORMED'
      | 'HOST_MISSING'
      | 'HOST_MALFORMED'
      | 'REQUEST_TOO_LATE'
      | 'HEADERS_TOO_LARGE'
      | 'BODY_INCOMPLETE'
      | 'BODY_FRAGMENTED'
      | 'BODY_TOO_LARGE'
      | 'BODY_ENCODED'
      | 'MEDIA_TYPE_UNSUPPORTED'
      | 'BODY_MISSING'
      | 'BODY_NOT_UTF8'
      | 'BODY_NOT_JSON'
      | 'BODY_NOT_OBJECT'
      | 'KEY_REPEATED'
      | 'FIELD_MISSING'
      | 'FIELD_UNKNOWN'
      | 'FIELD_REPEATED'
      | 'FIELD_TYPE_WRONG'
      | 'FIELD_MALFORMED'
      | 'FIELD_OUT_OF_RANGE'
      | 'VALUE_NOT_ALLOWED'
      | 'CURRENCY_UNKNOWN'
      | 'TIME_MALFORMED'
      | 'TIME_NOT_PASSED'
      | 'TIME_RANGE_REVERSED'
      | 'PAGE_TOO_DEEP'
      | 'CURSOR_MALFORMED'
      | 'CURSOR_CONFLICT'
      | 'AMOUNT_MALFORMED'
      | 'AMOUNT_ZERO'
      | 'TOO_MANY_DECIMALS'
      | 'TOO_MANY_DIGITS'
      | 'WALLET_NOT_FOUND'
      | 'WALLET_NOT_ACTIVE'
      | 'WALLET_REFERENCE_CONFLICT'
      | 'WALLET_STATE_CONFLICT'
      | 'WALLET_NOT_EMPTY'
      | 'CREDIT_LIMIT_IN_USE'
      | 'TRANSFER_NOT_FOUND'
      | 'BIZ_ID_CONFLICT'
      | 'SAME_WALLET'
      | 'CURRENCY_MISMATCH'
      | 'ORDER_STATE_CONFLICT'
      | 'NOT_REVERSIBLE'
      | 'NOT_A_HOLD'
      | 'HOLD_CLOSED'
      | 'EXCEEDS_REMAINING'
      | 'WEBHOOK_NOT_FOUND'
      | 'WEBHOOK_EVENT_NOT_FOUND'
      | 'WEBHOOK_EXISTS'
      | 'WEBHOOK_LIMIT'
      | 'WEBHOOK_DISABLED'
      | 'WEBHOOK_REPLAY_UNDER_WAY'
      | 'WEBHOOK_PENDING_LIMIT'
      | 'WEBHOOK_RATE_EXCEEDED'
      | 'WEBHOOK_URL_REFUSED'
      | 'INTERNAL_ERROR'
      | 'UNAVAILABLE'
      | 'TOO_MANY_BODIES'
      | 'ANSWER_TOO_LATE'
      | 'BACKLOG_FULL'
      | 'WORKSPACE_BACKLOG_FULL'
      | 'SCHEDULED_FULL'
      | 'TOO_MANY_LISTS';
  };
  responses: {
    /**
     * @description - `GA2001` `API_KEY_MISSING`: the header is missing or empty
     *     - `GA2011` `API_KEY_NOT_FOUND`: no such key
     *     - `GA2013` `TIMESTAMP_MISSING`: the header is missing or empty
     *     - `GA2013` `TIMESTAMP_MALFORMED`: not a Unix time in whole seconds, or sent twice
     *     - `GA2013` `TIMESTAMP_OFF`: more than 60 s before or after the server's time
     *     - `GA2013` `NONCE_MISSING`: the header is missing or empty
     *     - `GA2013` `NONCE_MALFORMED`: not 1 to 128 printable ASCII characters, or sent twice
     *     - `GA2013` `NONCE_REUSED`: the key has used it before
     *     - `GA2012` `SIGNATURE_MISSING`: the header is missing or empty
     *     - `GA2012` `SIGNATURE_MALFORMED`: not the padded standard base64 of 32 bytes, or sent twice
     *     - `GA2012` `SIGNATURE_MISMATCH`: the signature of another message, or by another secret
     */
    Unauthorized: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
        };
      };
    };
    /**
     * @description - `GA2021` `API_KEY_DISABLED`: an administrator disabled the key
     *     - `GA2034` `NOT_WORKSPACE_MEMBER`: the key's owner is no longer a member of its workspace
     *     - `GA2022` `IP_NOT_WHITELISTED`: the client's address is not on the key's whitelist
     *     - `GA2024` `SCOPE_MISSING`: the key lacks the scope that the endpoint declares
     *     - `50090201` `ENDPOINT_UNKNOWN`: no endpoint has this method and path, to the letter: a trailing slash counts
     */
    Forbidden: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024' | '50090201';
        };
      };
    };
    /**
     * @description - `GA2032` `WORKSPACE_NOT_FOUND`: the key's workspace does not exist
     *     - `WA4041` `WALLET_NOT_FOUND`: the workspace has no such wallet
     *     - `TR4041` `TRANSFER_NOT_FOUND`: the workspace has no such order
     *     - `WH4041` `WEBHOOK_NOT_FOUND`: the workspace has no such webhook
     *     - `WH4042` `WEBHOOK_EVENT_NOT_FOUND`: no such event of the workspace, or not of a type that the webhook asked for
     */
    NotFound: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'GA2032' | 'WA4041' | 'TR4041' | 'WH4041' | 'WH4042';
        };
      };
    };
    /**
     * @description - `RQ4291` `KEY_RATE_EXCEEDED`: the key makes too many requests; see Retry-After
     *     - `RQ4291` `ADDRESS_RATE_EXCEEDED`: authentication failed too often from this address; see Retry-After
     *     - `RQ4291` `WEBHOOK_RATE_EXCEEDED`: the workspace has made too many webhooks, tests or replays; see Retry-After
     */
    TooManyRequests: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4291';
        };
      };
    };
    /**
     * @description - `RQ4002` `REQUEST_MALFORMED`: it is not HTTP/1.1, or its target is not a path
     *     - `RQ4002` `HOST_MISSING`: a request of HTTP/1.1 has to name the host
     *     - `RQ4002` `HOST_MALFORMED`: it came more than once, or is not a host with or without a port
     *     - `RQ4002` `BODY_INCOMPLETE`: less came than was announced
     *     - `RQ4002` `BODY_FRAGMENTED`: the body came in far more pieces, or with far more framing, than its size needs
     *     - `RQ4002` `BODY_MISSING`: the endpoint takes a JSON object, and nothing came
     *     - `RQ4002` `BODY_NOT_UTF8`: the body is not UTF-8
     *     - `RQ4002` `BODY_NOT_JSON`: the body is not JSON, or begins with a byte order mark
     *     - `RQ4002` `BODY_NOT_OBJECT`: the body is not one JSON object
     *     - `RQ4002` `KEY_REPEATED`: a key comes twice in one object
     *     - `RQ4001` `FIELD_MISSING`: the field is required
     *     - `RQ4001` `FIELD_UNKNOWN`: the endpoint takes no such field
     *     - `RQ4001` `FIELD_REPEATED`: the query parameter comes twice
     *     - `RQ4001` `FIELD_TYPE_WRONG`: of another JSON type, such as a number where a string is wanted
     *     - `RQ4001` `FIELD_MALFORMED`: not of its form; see the description of the endpoint
     *     - `RQ4001` `FIELD_OUT_OF_RANGE`: too small or too large
     *     - `RQ4001` `VALUE_NOT_ALLOWED`: not one of the values that are taken
     *     - `RQ4001` `CURRENCY_UNKNOWN`: no such currency; `GET /api/v1/key` lists them
     *     - `RQ4001` `TIME_MALFORMED`: not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query
     *     - `RQ4001` `TIME_NOT_PASSED`: the time has not passed yet
     *     - `RQ4001` `TIME_RANGE_REVERSED`: `from` is later than `to`
     *     - `RQ4001` `PAGE_TOO_DEEP`: more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead
     *     - `RQ4001` `CURSOR_MALFORMED`: not a cursor of this list
     *     - `RQ4001` `CURSOR_CONFLICT`: with a cursor there is no `page`, and no filter but its own
     *     - `RQ4001` `AMOUNT_MALFORMED`: not a plain decimal: digits, and a point with digits behind it
     *     - `RQ4001` `AMOUNT_ZERO`: an amount is above zero
     *     - `RQ4001` `TOO_MANY_DECIMALS`: more decimals than the currency has, zeros included
     *     - `RQ4001` `TOO_MANY_DIGITS`: more than 30 digits, or 34 with all decimals of the currency
     *     - `RQ4001` `WEBHOOK_URL_REFUSED`: webhooks are not sent to such a url
     */
    BadRequest: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4002' | 'RQ4001';
        };
      };
    };
    /** @description - `RQ4002` `REQUEST_TOO_LATE`: the request took too long to arrive */
    RequestTimeout: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4002';
        };
      };
    };
    /** @description - `RQ4002` `HEADERS_TOO_LARGE`: the headers are larger than 16 KiB */
    RequestHeaderFieldsTooLarge: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4002';
        };
      };
    };
    /** @description - `RQ4131` `BODY_TOO_LARGE`: the body is larger than 64 KiB; for a batch, larger than 512 KiB */
    PayloadTooLarge: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4131';
        };
      };
    };
    /**
     * @description - `RQ4151` `BODY_ENCODED`: the body is compressed
     *     - `RQ4151` `MEDIA_TYPE_UNSUPPORTED`: missing, or not application/json in UTF-8
     */
    UnsupportedMediaType: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'RQ4151';
        };
      };
    };
    /**
     * @description - `WA4221` `WALLET_NOT_ACTIVE`: a wallet of the order is frozen or closed
     *     - `WA4222` `WALLET_NOT_EMPTY`: the wallet still has a balance, or an amount is held on it
     *     - `WA4223` `CREDIT_LIMIT_IN_USE`: the wallet uses more credit than that
     *     - `TR4221` `SAME_WALLET`: source and target are one wallet
     *     - `TR4222` `CURRENCY_MISMATCH`: a wallet of the order has another currency
     *     - `TR4227` `NOT_REVERSIBLE`: neither a transfer nor a capture: nothing else is reversed
     *     - `TR4228` `NOT_A_HOLD`: the order that it refers to is no hold
     *     - `TR4225` `HOLD_CLOSED`: nothing remains of the hold, or it has expired
     *     - `TR4226` `EXCEEDS_REMAINING`: more than is left of the hold, or of what can be moved back
     *     - `WH4221` `WEBHOOK_LIMIT`: the workspace has ten webhooks
     *     - `WH4222` `WEBHOOK_PENDING_LIMIT`: a thousand events wait to be sent to the webhook
     */
    UnprocessableEntity: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?:
            | 'WA4221'
            | 'WA4222'
            | 'WA4223'
            | 'TR4221'
            | 'TR4222'
            | 'TR4227'
            | 'TR4228'
            | 'TR4225'
            | 'TR4226'
            | 'WH4221'
            | 'WH4222';
        };
      };
    };
    /**
     * @description - `WA4091` `WALLET_REFERENCE_CONFLICT`: the reference belongs to a wallet of another currency
     *     - `WA4092` `WALLET_STATE_CONFLICT`: the wallet is CLOSED, for good
     *     - `TR4091` `BIZ_ID_CONFLICT`: the bizId belongs to an order with other values
     *     - `TR4092` `ORDER_STATE_CONFLICT`: the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED
     *     - `WH4091` `WEBHOOK_EXISTS`: the workspace has a webhook with this url
     *     - `WH4092` `WEBHOOK_DISABLED`: the webhook is disabled; enable it first
     *     - `WH4093` `WEBHOOK_REPLAY_UNDER_WAY`: another replay of the webhook has not ended
     */
    Conflict: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'WA4091' | 'WA4092' | 'TR4091' | 'TR4092' | 'WH4091' | 'WH4092' | 'WH4093';
        };
      };
    };
    /** @description - `SY5001` `INTERNAL_ERROR`: a fault of the service */
    InternalServerError: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'SY5001';
        };
      };
    };
    /**
     * @description - `SY5031` `UNAVAILABLE`: a server behind the service is away or overloaded; see Retry-After
     *     - `SY5031` `TOO_MANY_BODIES`: too many large bodies are on their way at once; see Retry-After
     *     - `SY5031` `ANSWER_TOO_LATE`: it took too long to answer; see Retry-After
     *     - `SY5031` `BACKLOG_FULL`: too many orders wait to be posted; see Retry-After
     *     - `SY5031` `WORKSPACE_BACKLOG_FULL`: too many orders of the workspace wait to be posted; see Retry-After
     *     - `SY5031` `SCHEDULED_FULL`: too many orders of the workspace are scheduled; see Retry-After
     *     - `SY5031` `TOO_MANY_LISTS`: more lists are asked for at once than can be read in time; see Retry-After
     */
    ServiceUnavailable: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'] & {
          /** @enum {unknown} */
          code?: 'SY5031';
        };
      };
    };
  };
  parameters: {
    /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
    Locale: string;
  };
  requestBodies: never;
  headers: {
    /** @description Names the request in the service’s log. */
    'X-Request-Id': string;
    /** @description The field, path part, query parameter or header at fault; beyond ASCII percent-encoded. */
    'X-Error-Field': string;
    /** @description What helps to mend it; which reasons have it, and what it tells, `x-reasons` says. */
    'X-Error-Value': string;
    /** @description Seconds after which a retry makes sense. */
    'Retry-After': number;
    /** @description What is left of the limit, as in the IETF draft “RateLimit header fields for HTTP”. */
    RateLimit: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listWallets: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given. */
        cursor?: string;
        /** @description Only this currency. */
        currency?: string;
        status?: 'ACTIVE' | 'FROZEN' | 'CLOSED';
        /** @description Only the wallet with this reference. */
        reference?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletPageAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWallet'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the reference was known with the same currency: the wallet as it stands now. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getBalance: {
    parameters: {
      query?: {
        /** @description The balance at this moment, which must have passed; ISO 8601 with seconds and zone. */
        at?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BalanceAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getStatement: {
    parameters: {
      query?: {
        /** @description Where it begins, inclusive; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Where it ends, exclusive; it must have passed. ISO 8601 with seconds and zone. */
        to?: string;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before. It keeps `from` and `to`, which may then be left out; `size` is the same unless it is given. */
        cursor?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StatementAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  limitWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LimitWallet'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  freezeWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  unfreezeWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  closeWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WalletAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listFlows: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given. */
        cursor?: string;
        direction?: 'DEBIT' | 'CREDIT';
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FlowPageAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given. */
        cursor?: string;
        status?: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
        /** @description Only this currency. */
        currency?: string;
        type?: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'REVERSAL' | 'HOLD' | 'CAPTURE' | 'RELEASE';
        /** @description Only orders with this reference. */
        reference?: string;
        /** @description Only orders that refer to this one, by its transferId. */
        parentId?: string;
        /** @description Only orders that came in this batch. */
        batchId?: string;
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderPageAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listOrdersOfWallet: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given. */
        cursor?: string;
        status?: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
        /** @description Only this currency. */
        currency?: string;
        type?: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'REVERSAL' | 'HOLD' | 'CAPTURE' | 'RELEASE';
        /** @description Only orders with this reference. */
        reference?: string;
        /** @description Only orders that refer to this one, by its transferId. */
        parentId?: string;
        /** @description Only orders that came in this batch. */
        batchId?: string;
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        walletId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderPageAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The client’s own id of the order, or its transferId. */
        bizId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getCompletion: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The client’s own id of the order, or its transferId. */
        bizId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CompletionAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTransfer'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deposit: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Deposit'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  withdraw: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Withdraw'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  reverseTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReverseTransfer'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  holdAmount: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Hold'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  captureHold: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CaptureHold'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  releaseHold: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReleaseHold'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createTransfers: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer once the order has ended, or after N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBatch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where every line has an order that was made before. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  previewTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTransfer'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CancelTransfer'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description `true` where it was CANCELLED already: the order as it stands. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookListAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhook'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookWithSecretAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  enableWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  disableWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookWithSecretAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEventAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayWebhook'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryPageAnswer'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalServerError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  transferCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the event: the same at every attempt. */
        'webhook-id': string;
        /** @description Unix time in seconds, of the attempt. */
        'webhook-timestamp': string;
        /** @description `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TransferCompletedMessage'];
      };
    };
    responses: {
      /** @description Delivered. Anything else is tried again, for three days. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  transferFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the event: the same at every attempt. */
        'webhook-id': string;
        /** @description Unix time in seconds, of the attempt. */
        'webhook-timestamp': string;
        /** @description `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TransferFailedMessage'];
      };
    };
    responses: {
      /** @description Delivered. Anything else is tried again, for three days. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  transferCancelled: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the event: the same at every attempt. */
        'webhook-id': string;
        /** @description Unix time in seconds, of the attempt. */
        'webhook-timestamp': string;
        /** @description `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TransferCancelledMessage'];
      };
    };
    responses: {
      /** @description Delivered. Anything else is tried again, for three days. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  webhookTest: {
    parameters: {
      query?: never;
      header: {
        /** @description Of the event: the same at every attempt. */
        'webhook-id': string;
        /** @description Unix time in seconds, of the attempt. */
        'webhook-timestamp': string;
        /** @description `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookTestMessage'];
      };
    };
    responses: {
      /** @description Delivered. Anything else is tried again, for three days. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
