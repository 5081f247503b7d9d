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
    post?: never;
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
     * List transfer orders
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
     * List transfer orders of a wallet
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
     * Get one transfer order
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
     * Check whether the transfer order is completed
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
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Wallet: {
      id: string;
      workspaceId: string;
      name: string;
      currency: string;
      /** @enum {string} */
      status: 'ACTIVE' | 'FROZEN' | 'CLOSED';
      balance: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    Balance: {
      walletId: string;
      currency: string;
      balance: string;
      /** @description Number of the wallet's last flow. */
      sequence: number;
      /** Format: date-time */
      asOf: string;
    };
    Flow: {
      id: string;
      walletId: string;
      /** @description Runs 1, 2, 3 … for each wallet, without a gap. */
      sequence: number;
      /** @enum {string} */
      direction: 'DEBIT' | 'CREDIT';
      amount: string;
      currency: string;
      balanceBefore: string;
      balanceAfter: string;
      transferId: string;
      /** @description The other wallet, or `EXTERNAL`. */
      counterpartyWalletId: string;
      /** Format: date-time */
      createdAt: string;
    };
    Order: {
      transferId: string;
      bizId: string;
      workspaceId: string;
      /** @description A wallet, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description A wallet, or `EXTERNAL`. */
      targetWalletId: string;
      amount: string;
      currency: string;
      /** @enum {string} */
      status: 'PENDING' | 'COMPLETED' | 'FAILED';
      /** @description Why the order is FAILED; null otherwise. */
      failure: {
        /** @enum {string} */
        code: 'TR4223' | 'WA4221' | 'TR4224';
        /** @enum {string} */
        message: 'INSUFFICIENT_BALANCE' | 'WALLET_NOT_ACTIVE' | 'BALANCE_LIMIT';
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      completedAt: string | null;
    };
    Completion: {
      transferId: string;
      bizId: string;
      completed: boolean;
      /** @enum {string} */
      status: 'PENDING' | 'COMPLETED' | 'FAILED';
      completedAt: string | null;
      /** @description Why the order is FAILED; null otherwise. */
      failure: {
        /** @enum {string} */
        code: 'TR4223' | 'WA4221' | 'TR4224';
        /** @enum {string} */
        message: 'INSUFFICIENT_BALANCE' | 'WALLET_NOT_ACTIVE' | 'BALANCE_LIMIT';
      } | null;
    };
    WalletPage: {
      /** @description Newest first. */
      items: components['schemas']['Wallet'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    FlowPage: {
      /** @description Newest first. */
      items: components['schemas']['Flow'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    OrderPage: {
      /** @description Newest first. */
      items: components['schemas']['Order'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      totalPages: number;
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
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
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters and the size. */
        cursor?: string;
        /** @description Only this currency. */
        currency?: string;
        status?: 'ACTIVE' | 'FROZEN' | 'CLOSED';
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
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
           *             "currency": "USD",
           *             "status": "ACTIVE",
           *             "balance": "98.90",
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
          'application/json': {
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
        };
      };
      /**
       * @description `RQ4001` VALIDATION_FAILED: a field, a path part or a query parameter is not of its form.
       *
       *     `RQ4001` VALIDATION_FAILED: more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead.
       *
       *     `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large).
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4001' | 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  getWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
           *         "currency": "USD",
           *         "status": "ACTIVE",
           *         "balance": "98.90",
           *         "createdAt": "2026-01-01T09:00:00.000Z",
           *         "updatedAt": "2026-01-01T09:30:00.021Z"
           *       }
           *     }
           */
          'application/json': {
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
        };
      };
      /** @description `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large). */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `WA4041` WALLET_NOT_FOUND: the workspace has no such wallet.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'WA4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  getBalance: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
           *         "sequence": 2,
           *         "asOf": "2026-01-01T09:31:00.000Z"
           *       }
           *     }
           */
          'application/json': {
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
        };
      };
      /** @description `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large). */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `WA4041` WALLET_NOT_FOUND: the workspace has no such wallet.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'WA4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  listFlows: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters and the size. */
        cursor?: string;
        direction?: 'DEBIT' | 'CREDIT';
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
          'application/json': {
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
        };
      };
      /**
       * @description `RQ4001` VALIDATION_FAILED: a field, a path part or a query parameter is not of its form.
       *
       *     `RQ4001` VALIDATION_FAILED: more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead.
       *
       *     `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large).
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4001' | 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `WA4041` WALLET_NOT_FOUND: the workspace has no such wallet.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'WA4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters and the size. */
        cursor?: string;
        status?: 'PENDING' | 'COMPLETED' | 'FAILED';
        /** @description Only this currency. */
        currency?: string;
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
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
           *             "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
           *             "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
           *             "amount": "1.10",
           *             "currency": "USD",
           *             "status": "COMPLETED",
           *             "failure": null,
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
          'application/json': {
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
        };
      };
      /**
       * @description `RQ4001` VALIDATION_FAILED: a field, a path part or a query parameter is not of its form.
       *
       *     `RQ4001` VALIDATION_FAILED: more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead.
       *
       *     `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large).
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4001' | 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  listOrdersOfWallet: {
    parameters: {
      query?: {
        /** @description Number of the page, from 0. Not together with `cursor`. At most 10000 rows may lie before the page (`page` times `size`): go further by `cursor`. */
        page?: number;
        /** @description Rows of a page. */
        size?: number;
        /** @description The `nextCursor` of the page before, instead of `page`. It keeps the filters and the size. */
        cursor?: string;
        status?: 'PENDING' | 'COMPLETED' | 'FAILED';
        /** @description Only this currency. */
        currency?: string;
        /** @description Created at this time or later; ISO 8601 with seconds and zone. */
        from?: string;
        /** @description Created before this time; ISO 8601 with seconds and zone. */
        to?: string;
      };
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
           *             "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
           *             "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
           *             "amount": "1.10",
           *             "currency": "USD",
           *             "status": "COMPLETED",
           *             "failure": null,
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
          'application/json': {
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
        };
      };
      /**
       * @description `RQ4001` VALIDATION_FAILED: a field, a path part or a query parameter is not of its form.
       *
       *     `RQ4001` VALIDATION_FAILED: more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead.
       *
       *     `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large).
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4001' | 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `WA4041` WALLET_NOT_FOUND: the workspace has no such wallet.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'WA4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
           *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
           *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
           *         "amount": "1.10",
           *         "currency": "USD",
           *         "status": "COMPLETED",
           *         "failure": null,
           *         "createdAt": "2026-01-01T09:30:00.000Z",
           *         "updatedAt": "2026-01-01T09:30:00.021Z",
           *         "completedAt": "2026-01-01T09:30:00.021Z"
           *       }
           *     }
           */
          'application/json': {
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
        };
      };
      /** @description `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large). */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `TR4041` TRANSFER_NOT_FOUND: the workspace has no such transfer order.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'TR4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  getCompletion: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
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
          [name: string]: unknown;
        };
        content: {
          /**
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
          'application/json': {
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
        };
      };
      /** @description `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large). */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `TR4041` TRANSFER_NOT_FOUND: the workspace has no such transfer order.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'TR4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
  createTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description `wait=N`: answer with the terminal state if it comes within N seconds, 10 at most. */
        Prefer?: string;
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
         *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
         *       "amount": "1.1",
         *       "currency": "USD",
         *       "bizId": "invoice-42"
         *     }
         */
        'application/json': {
          sourceWalletId: string;
          targetWalletId: string;
          /** @description A plain decimal above zero, with no more decimals than the currency has. */
          amount: string;
          /** @description Code of the currency; that of both wallets. */
          currency: string;
          /** @description Your own id of the order: repeating a create with it is safe. Not `wallet`, a word of the paths. */
          bizId?: string;
        };
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          /** @description `true` where the bizId was known with the same values: the order as it stands now. */
          'Idempotent-Replayed'?: string;
          /** @description The wait that was applied, where one was asked for. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
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
           *         "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
           *         "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
           *         "amount": "1.10",
           *         "currency": "USD",
           *         "status": "COMPLETED",
           *         "failure": null,
           *         "createdAt": "2026-01-01T09:30:00.000Z",
           *         "updatedAt": "2026-01-01T09:30:00.021Z",
           *         "completedAt": "2026-01-01T09:30:00.021Z"
           *       }
           *     }
           */
          'application/json': {
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
        };
      };
      /**
       * @description `RQ4001` VALIDATION_FAILED: a field, a path part or a query parameter is not of its form.
       *
       *     `RQ4002` MALFORMED_BODY: the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large).
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4001' | 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2001` API_KEY_MISSING: X-Api-Key is missing or empty.
       *
       *     `GA2011` API_KEY_NOT_FOUND: no such key.
       *
       *     `GA2013` TIMESTAMP_EXPIRED: X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used.
       *
       *     `GA2012` SIGNATURE_INVALID: X-Signature is not the signature of this request.
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2001' | 'GA2011' | 'GA2013' | 'GA2012';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `GA2021` API_KEY_DISABLED: an administrator disabled the key.
       *
       *     `GA2034` NOT_WORKSPACE_MEMBER: the key's owner is no longer a member of its workspace.
       *
       *     `GA2022` IP_NOT_WHITELISTED: the client's address is not on the key's whitelist.
       *
       *     `GA2024` API_ACCESS_DENIED: the key lacks the scope that the endpoint declares.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'GA2021' | 'GA2034' | 'GA2022' | 'GA2024';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `WA4041` WALLET_NOT_FOUND: the workspace has no such wallet.
       *
       *     `GA2032` WORKSPACE_NOT_FOUND: the key's workspace does not exist.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'WA4041' | 'GA2032';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `TR4091` BIZ_ID_CONFLICT: the bizId belongs to an order with other values. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'TR4091';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4131` BODY_TOO_LARGE: the body is larger than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4131';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4151` UNSUPPORTED_MEDIA_TYPE: a body that is not application/json in UTF-8, or is compressed. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4151';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /**
       * @description `TR4221` SAME_WALLET: source and target are one wallet.
       *
       *     `WA4221` WALLET_NOT_ACTIVE: a wallet of the transfer is frozen or closed.
       *
       *     `TR4222` CURRENCY_MISMATCH: the currency is not that of both wallets.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'TR4221' | 'WA4221' | 'TR4222';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `RQ4291` RATE_LIMITED: too many requests; see Retry-After. */
      429: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4291';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'RQ4002';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5001` INTERNAL_ERROR: a fault of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5001';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
      /** @description `SY5031` UNAVAILABLE: a server behind the service is away or overloaded; see Retry-After. */
      503: {
        headers: {
          /** @description Seconds after which a retry makes sense. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            version: '1.0';
            /** @description Server time, in milliseconds since the Unix epoch. */
            timestamp: number;
            /** @constant */
            success: false;
            /** @enum {unknown} */
            code: 'SY5031';
            /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
            message: string;
            data: null;
          };
        };
      };
    };
  };
}
