// Written by `script/node script/write-docs.ts` from the OpenAPI document.

export declare enum LaterType {
  Any = 'a type of a later service',
}

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
     * @description All wallets of the workspace, or those that all given filters fit, with what they hold now.
     *
     *     **Scope.** `wallet:read`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
     */
    get: operations['listWallets'];
    put?: never;
    /**
     * Make a wallet
     * @description Makes a wallet of one currency, ACTIVE and empty. With a `creditLimit` above zero the key needs `transfer:fund` too.
     *
     *     **Repetition.** Safe with a `reference` of your own, which is unique in the workspace and never freed: the same reference
     *     and currency again answer that wallet as it stands, with `Idempotent-Replayed: true`; name, metadata and limit are not
     *     compared. With another currency it is refused as `WALLET_REFERENCE_CONFLICT`. Without a reference each request makes a
     *     wallet.
     *
     *     **Scope.** `wallet:manage`.
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
     * @description A wallet, with what it holds now. The wallet of another workspace is answered as one that does not exist.
     *
     *     **Scope.** `wallet:read`.
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
     * @description What the wallet holds at this moment. `sequence` is the last flow that it counts: none later is in it.
     *
     *     With `at` what it held at a moment that has passed, the flows of that millisecond included; zero before its first flow.
     *     What holds reserved then is not known: `held` and `available` are null. It is final if `settledUntil` is not before `at`.
     *
     *     **Scope.** `wallet:read`.
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
     * @description What moved on the wallet from a time, inclusive, to another, exclusive, which has passed: oldest first, each flow with its
     *     order’s type, bizId, reference and description. The balances, sums and `count` are those of the whole range, exact, on
     *     every page. Without a `cursor` both `from` and `to` are required.
     *
     *     **Settled.** Up to `settledUntil` the figures are final, and statements of adjoining ranges join: no flow is in both or in
     *     neither. After it they may still grow.
     *
     *     **Scope.** `wallet:read` and `transfer:read`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
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
     * @description A plain decimal, zero too: `available` becomes `balance` less `held`, plus this. Not below what the wallet uses. Safe to repeat.
     *
     *     **Scope.** `wallet:manage` and `transfer:fund`.
     */
    post: operations['limitWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the name or the metadata of a wallet
     * @description Nothing else of it changes, and a frozen one may be updated too. Safe to repeat.
     *
     *     **Scope.** `wallet:manage`.
     */
    post: operations['updateWallet'];
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
     * Stop a wallet from paying and being paid
     * @description It takes part in no new order, and orders that wait for it end FAILED; a hold on it can still be released. Safe to repeat.
     *
     *     **Scope.** `wallet:manage`.
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
     * @description It takes part in orders again; what ended FAILED meanwhile stays so. Safe to repeat.
     *
     *     **Scope.** `wallet:manage`.
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
     * Close an empty wallet for good
     * @description ACTIVE or frozen, with no balance and nothing held; its flows stay. Holds for its benefit can then be released, or
     *     captured for other wallets. Safe to repeat: a closed wallet is answered as it stands.
     *
     *     **Scope.** `wallet:manage`.
     */
    post: operations['closeWallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/limits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the limits of a wallet, with their use
     * @description `used` is what has gone out in the window, which ends with `asOf`, and all that is held now; `usedCount` is the orders and
     *     the open holds. Of a window `order` the use is zero.
     *
     *     **Scope.** `wallet:read`.
     */
    get: operations['getLimits'];
    put?: never;
    /**
     * Set the limits of a wallet
     * @description Up to 10 limits, in place of all that there are: how much may go out of the wallet, and by how many orders. They hold for
     *     every order that is posted after the answer, and count what was posted before it. What would pass one ends FAILED as
     *     `LIMIT_EXCEEDED`. A frozen wallet may be given limits too. Safe to repeat.
     *
     *     **Scope.** `wallet:manage`.
     */
    post: operations['setLimits'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallets/{id}/alerts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the alerts of a wallet
     * @description The alerts, and their states as the last change of the wallet left them: that time passes, and a window forgets, changes
     *     none until then.
     *
     *     **Scope.** `wallet:read`.
     */
    get: operations['getAlerts'];
    put?: never;
    /**
     * Set the alerts of a wallet
     * @description Up to 10 alerts, in place of all that there are. Webhooks get a `wallet.alert` when one becomes true, and when it ends:
     *     each once, from the transaction that caused it. A new one is raised at once if it is true; one that is set again as it was
     *     keeps its state. A frozen wallet may be given alerts too. Safe to repeat.
     *
     *     **Scope.** `wallet:manage`.
     */
    post: operations['setAlerts'];
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
     * @description What COMPLETED orders moved on the wallet, each with the balance before and after. Flows never change, and their
     *     `sequence` has no gap: what you have read can be kept.
     *
     *     **Scope.** `wallet:read`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
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
     * @description All orders of the workspace, or those that all given filters fit.
     *
     *     **Scope.** `transfer:read`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
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
     * @description Those that take from the wallet or add to it, whether or not they have moved anything.
     *
     *     **Scope.** `transfer:read`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
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
     * @description An order by the `bizId` that you gave it, or by its `transferId`.
     *
     *     **Scope.** `transfer:read`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description For polling, which `Prefer` makes a long poll. Stop once `status` is COMPLETED, FAILED or CANCELLED: `completed` is true
     *     for the first alone. The answer is a success in every case; FAILED is told in `failure`.
     *
     *     **Scope.** `transfer:read`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Moves an amount from one wallet of the workspace to another of the same currency, once both are ACTIVE and the source has enough available. With `executeAt` the order is SCHEDULED and posted then; until then it can be cancelled.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:create`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Adds an amount to a wallet. Its source is `EXTERNAL`: the world outside, whose balance counts what came in. An operator’s program calls this once the money has arrived.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:fund`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Takes an amount from a wallet that has enough available. Its target is `EXTERNAL`: the world outside. It only books: the payout itself is yours to make, after the order is COMPLETED.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:fund`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
     */
    post: operations['withdraw'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transfer/command/journal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an order of many legs: all are posted, or none
     * @description Moves each leg in its order, of any currencies: a sale with its fee and tax, an exchange, a payroll. A leg may spend what an earlier one brought. If one cannot be applied, nothing moves, and `failure.leg` says which. A leg without a source or a target moves money from or to the world outside, and needs `transfer:fund` too.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:create`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
     */
    post: operations['createJournal'];
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
     * Move back all or part of what an order moved
     * @description Moves back, from the target to the source, all that is left of a COMPLETED transfer, deposit, withdrawal, capture or journal, or the `amount` that is given, or some `legs` of an order that has them: a refund, a charge-back, a payout that came back. It can be done in parts, which never come to more than was moved. If any of that order’s money came from or went to the world outside, the key needs `transfer:fund` too.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:reverse`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Takes an amount from what a wallet has available, without moving it. Capture moves it, release gives it back, and what is left at `expiresAt` is released by itself. Without a target it is reserved for the world outside.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:hold`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Moves all that a hold still reserves to its target, or the `amount` that is given, or `legs` to several wallets. What is not moved is released at once, unless `final` is false.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:hold`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Makes all that a hold still reserves available again, or the `amount` that is given. It works whatever the state of the wallets, and after the expiry too, should something be reserved still.
     *
     *     **Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as
     *     it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with
     *     the same `bizId` and a new nonce.
     *
     *     **End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It
     *     ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask
     *     `…/orders/{bizId}/completed`, or have a webhook told.
     *
     *     **Scope.** `transfer:hold`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * @description Takes up to 500 lines, each as the body of a command: that of a create, or of what its `type` says, with the scopes
     *     of that command. A line that is refused keeps none of the others out: `items` has for each line its order or why there is
     *     none, in the order of the lines. The answer is a success even if every line was refused. With `atomic` all orders end
     *     COMPLETED, or none does. The lines have at most 500 legs together, of an atomic batch 100; a line without legs
     *     counts as one. A line refers to orders that were made before this request.
     *
     *     **Repetition.** Safe if every line has a `bizId`: each order is made once. Each line counts as one request against the
     *     rate of the key, or each 4 KiB of the body if that is more.
     *
     *     **Scope.** `transfer:create`.
     *
     *     **Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order
     *     as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.
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
     * Tell how an order would end if it were posted now; nothing is stored
     * @description Takes the body of a command: that of a create, or of what its `type` says, with the scopes of that command. It makes all
     *     checks, and answers how the order would end and what its wallets would then hold. It promises nothing: another order may
     *     come first. Repeat it as you like.
     *
     *     **Scope.** `transfer:create` and `wallet:read`.
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
     * @description The order is CANCELLED and never posted. Safe to repeat: one that is CANCELLED already stays so. Once its time has come it
     *     is too late, and the answer is `ORDER_STATE_CONFLICT` with the status; a COMPLETED order is reversed instead.
     *
     *     **Scope.** `transfer:create`.
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
     * @description What the key may do and how often, which address it comes from, which currencies there are, and what is left of its budgets.
     *
     *     **Scope.** Any will do.
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
  '/api/v1/test/clock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the time of the test workspace
     * @description The time by which the workspace goes, and when something is due next.
     *
     *     **Scope.** Any will do.
     */
    get: operations['getTestClock'];
    put?: never;
    /**
     * Put the clock of the test workspace forward
     * @description Goes from moment to moment at which something is due, and stands still at each until all of it has ended: scheduled orders,
     *     then expiries, then the webhooks that tell of them. All of it is dated with that moment. The clock is never set back.
     *
     *     It goes at most two years at once, and 20 years from the real time. After 20 s the answer says `done: false`:
     *     then repeat the request with the `to` of the answer. `to` may be repeated; `advanceBy` adds up.
     *
     *     **Scope.** `wallet:manage`.
     */
    post: operations['advanceTestClock'];
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
     * List webhooks of the workspace
     * @description All of them on one page, oldest first: there are at most 10.
     *
     *     **Scope.** `webhook:manage`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Have events sent to a URL
     * @description Events go to the URL from now on; at most 10 webhooks a workspace. The answer has the secret that messages are
     *     signed with, and it is shown this once: keep it. A URL has one webhook, so repeating a create is refused as
     *     `WEBHOOK_EXISTS`; if the answer was lost, find it in the list, and give it a new secret.
     *
     *     **Scope.** `webhook:manage`.
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
     * @description `failures`, `waiting`, `failingSince` and `waitingSince` tell how it does; its secret is not shown.
     *
     *     **Scope.** `webhook:manage`.
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
     * @description From now on; what ended meanwhile is sent by a replay. Safe to repeat.
     *
     *     **Scope.** `webhook:manage`.
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
     * @description Nothing is sent until it is enabled again. Safe to repeat.
     *
     *     **Scope.** `webhook:manage`.
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
     * Give it a new secret
     * @description The answer has the new secret, which is shown this once. For 24 hours messages are signed with both, so that receivers
     *     can change over. Not safe to repeat: each makes another secret.
     *
     *     **Scope.** `webhook:manage`.
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
     * @description Nothing more is sent. A repetition is answered `WEBHOOK_NOT_FOUND`: it is gone.
     *
     *     **Scope.** `webhook:manage`.
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
     * Send it an event that tells of nothing
     * @description Sends an event of the type `webhook.test` that tells of nothing; at most 10 a minute for all webhooks of the
     *     workspace together. The answer comes before the event does: see the deliveries for what became of it.
     *
     *     **Scope.** `webhook:manage`.
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
     * Send events again
     * @description Sends the one event with `eventId` again, or those of all orders that ended since a time, of the last 30 days: give exactly
     *     one of both. One replay at a time. The answer comes before the events do; receivers skip an `eventId` that they have.
     *
     *     **Scope.** `webhook:manage`.
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
     * List what became of events
     * @description Of each event whether it was DELIVERED, and why not: the last 1,000, of 30 days.
     *
     *     **Scope.** `webhook:manage`.
     *
     *     **Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.
     *     A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.
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
  'wallet.alert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sent when an alert of a wallet is raised, and when it is cleared
     * @description Verify the signature before anything else. The same event may come more than once, and in any order.
     */
    post: operations['walletAlert'];
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
     * @description Only an ACTIVE wallet takes part in transfers.
     * @enum {string}
     */
    WalletStatus: 'ACTIVE' | 'FROZEN' | 'CLOSED';
    /** @description A page of a list. */
    WalletPage: {
      /** @description Newest first. */
      items: components['schemas']['Wallet'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      /** @description False where no index answers the filters together, and more than 10,000 rows would have to be read to count them: `total` is then what was counted. */
      totalIsExact: boolean;
      /** @description Pages of `size` rows that `total` makes. */
      totalPages: number;
      /** @description For the next page; null where no more follows. A page may be short, or empty, and have one: go on. */
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
     *       "limits": [],
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
      status: components['schemas']['WalletStatus'] | components['schemas']['LaterValue'];
      /** @description The wallet’s balance, with the decimals of its currency; with more where it was stored with more. */
      balance: string;
      /** @description How much of the balance is reserved by holds. */
      held: string;
      /** @description How far the balance may be below zero. */
      creditLimit: string;
      /** @description What may go out of it; their use `GET …/limits` tells. */
      limits: components['schemas']['WalletLimit'][];
      /** @description What it may spend: `balance` less `held`, plus its credit limit. */
      available: string;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it changed last.
       */
      updatedAt: string;
    };
    /** @description One that only a later service has: answers may have more than is listed. */
    LaterValue: string & {};
    /** @description How much may go out of a wallet. */
    WalletLimit: {
      /** @description As it was given; unique in its list. */
      name: string;
      /** @description The most that may go out; null if that is not limited. */
      amount: string | null;
      /** @description The most orders; null if that is not limited. */
      count: number | null;
      window: components['schemas']['LimitWindow'];
    };
    /** @description What counts: each order by itself, a duration, or a day, week or month. */
    LimitWindow: 'order' | components['schemas']['RollingWindow'] | components['schemas']['CalendarWindow'];
    /** @description What is dated less than its length before the posting. */
    RollingWindow: {
      /** @description An ISO 8601 duration, such as `PT24H`. */
      rolling: string;
    };
    /** @description The day, week or month of the posting. */
    CalendarWindow: {
      calendar: components['schemas']['CalendarUnit'] | components['schemas']['LaterValue'];
      /** @description An IANA name, by whose clocks it begins and ends. */
      timeZone: string;
    };
    /**
     * @description A day, a week from Monday, or a month.
     * @enum {string}
     */
    CalendarUnit: 'day' | 'week' | 'month';
    /** @description The envelope around `WalletPage`. */
    WalletPageAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WalletPage'];
    };
    /** @description The envelope around `Wallet`. */
    WalletAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
    /** @description The envelope around `Balance`. */
    BalanceAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
     *           "leg": 0,
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
     *       "leg": 0,
     *       "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "createdAt": "2026-01-01T09:30:00.021Z",
     *       "type": "TRANSFER",
     *       "bizId": "invoice-42",
     *       "reference": null,
     *       "description": null
     *     }
     */
    StatementEntry: {
      /** @description The flow. */
      id: string;
      /** @description The wallet. */
      walletId: string;
      /** @description Runs 1, 2, 3 … for each wallet, without a gap. */
      sequence: number;
      direction: components['schemas']['Direction'];
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The `balanceAfter` of the flow before. */
      balanceBefore: string;
      /** @description The balance with this flow. */
      balanceAfter: string;
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description Which leg of its order it is a side of, from 0. */
      leg: number;
      /** @description The other wallet, or `EXTERNAL`. */
      counterpartyWalletId: string;
      /**
       * Format: date-time
       * @description When it was posted.
       */
      createdAt: string;
      type: components['schemas']['OrderType'] | components['schemas']['LaterValue'];
      /** @description The bizId of its order. */
      bizId: string;
      /** @description The reference of its order. */
      reference: string | null;
      /** @description The description of its leg, or of its order if the leg has none. */
      description: string | null;
    };
    /**
     * @description DEBIT takes from the wallet, CREDIT adds to it.
     * @enum {string}
     */
    Direction: 'DEBIT' | 'CREDIT';
    /**
     * @description What an order does when it is posted. More may come.
     * @enum {string}
     */
    OrderType: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'JOURNAL' | 'REVERSAL' | 'HOLD' | 'CAPTURE' | 'RELEASE';
    /** @description The envelope around `Statement`. */
    StatementAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
     * @description What to change: at least one. What is left out stays; metadata replaces all that there is.
     * @example {
     *       "name": "Alice B.",
     *       "metadata": {
     *         "plan": "premium"
     *       }
     *     }
     */
    UpdateWallet: {
      /** @description For people; no control characters. */
      name?: string;
      /** @description Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8. */
      metadata?: {
        [key: string]: string;
      };
    };
    /**
     * @description No fields: the body may be left out.
     * @example {}
     */
    NoFields: Record<string, never>;
    /**
     * @description All limits of the wallet; an empty list for none.
     * @example {
     *       "limits": [
     *         {
     *           "name": "daily",
     *           "amount": "500.00",
     *           "count": 20,
     *           "window": {
     *             "calendar": "day",
     *             "timeZone": "Europe/Berlin"
     *           }
     *         }
     *       ]
     *     }
     */
    SetLimits: {
      /** @description In place of all that there are; 10 at most. */
      limits: components['schemas']['NewLimit'][];
    };
    /** @description How much may go out of a wallet: an amount, a number of orders, or both. */
    NewLimit: {
      /** @description Unique in the list. */
      name: string;
      /** @description The most that may go out: a plain decimal, or `0`. */
      amount?: string;
      /** @description The most orders that take something out; not with `order`. */
      count?: number;
      /** @description What counts: each order by itself, a duration, or a day, week or month. */
      window: 'order' | components['schemas']['NewRollingWindow'] | components['schemas']['NewCalendarWindow'];
    };
    /** @description What is dated less than its length before the posting. */
    NewRollingWindow: {
      /** @description An ISO 8601 duration without years and months, from PT1M to P31D. */
      rolling: string;
    };
    /** @description The day, week or month of the posting. */
    NewCalendarWindow: {
      calendar: components['schemas']['CalendarUnit'];
      /** @description An IANA name, such as `Europe/Berlin`; no offset. */
      timeZone: string;
    };
    /**
     * @description The limits of a wallet, with their use.
     * @example {
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "currency": "USD",
     *       "limits": [
     *         {
     *           "name": "daily",
     *           "amount": "500.00",
     *           "count": 20,
     *           "window": {
     *             "calendar": "day",
     *             "timeZone": "Europe/Berlin"
     *           },
     *           "used": "21.10",
     *           "usedCount": 2,
     *           "remaining": "478.90",
     *           "remainingCount": 18,
     *           "resetsAt": "2026-01-01T23:00:00.000Z"
     *         }
     *       ],
     *       "asOf": "2026-01-01T09:31:00.000Z"
     *     }
     */
    WalletLimits: {
      /** @description The wallet. */
      walletId: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description In the order in which they were given. */
      limits: components['schemas']['LimitWithUse'][];
      /**
       * Format: date-time
       * @description When the windows end.
       */
      asOf: string;
    };
    /** @description A limit of a wallet, with its use. */
    LimitWithUse: {
      /** @description As it was given; unique in its list. */
      name: string;
      /** @description The most that may go out; null if that is not limited. */
      amount: string | null;
      /** @description The most orders; null if that is not limited. */
      count: number | null;
      window: components['schemas']['LimitWindow'];
      /** @description What has gone out in the window, and what is held now. */
      used: string;
      /** @description How many orders and open holds that is. */
      usedCount: number;
      /** @description `amount` less `used`, at least zero; null without `amount`. */
      remaining: string | null;
      /** @description The same of `count`. */
      remainingCount: number | null;
      /** @description When the next day, week or month begins; null of other windows. */
      resetsAt: string | null;
    };
    /** @description The envelope around `WalletLimits`. */
    WalletLimitsAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WalletLimits'];
    };
    /**
     * @description All alerts of the wallet; an empty list for none.
     * @example {
     *       "alerts": [
     *         {
     *           "name": "low",
     *           "availableBelow": "10.00"
     *         }
     *       ]
     *     }
     */
    SetAlerts: {
      /** @description In place of all that there are; 10 at most. */
      alerts: components['schemas']['NewAlert'][];
    };
    /** @description What to be told of: exactly one condition. */
    NewAlert: {
      /** @description Unique in the list. */
      name: string;
      /** @description True while `available` is less than this. */
      availableBelow?: string;
      /** @description True while `available` is more than this. */
      availableAbove?: string;
      limitUsed?: components['schemas']['NewLimitShare'];
    };
    /** @description True while so much of a limit is used. */
    NewLimitShare: {
      /** @description The name of a limit of the wallet; its window is not `order`. */
      limit: string;
      /** @description A decimal from `0.0001` to `1`: of its amount, or of its count. */
      share: string;
    };
    /**
     * @description The alerts of a wallet.
     * @example {
     *       "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "currency": "USD",
     *       "alerts": [
     *         {
     *           "name": "low",
     *           "availableBelow": "10.00",
     *           "availableAbove": null,
     *           "limitUsed": null,
     *           "state": "cleared",
     *           "since": "2026-01-01T09:30:00.021Z"
     *         }
     *       ],
     *       "asOf": "2026-01-01T09:31:00.000Z"
     *     }
     */
    WalletAlerts: {
      /** @description The wallet. */
      walletId: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description In the order in which they were given. */
      alerts: components['schemas']['WalletAlert'][];
      /**
       * Format: date-time
       * @description When they were read.
       */
      asOf: string;
    };
    /** @description An alert of a wallet. */
    WalletAlert: {
      /** @description As it was given; unique in its list. */
      name: string;
      /** @description As it was given, or null. */
      availableBelow: string | null;
      /** @description As it was given, or null. */
      availableAbove: string | null;
      limitUsed: components['schemas']['LimitShare'] | null;
      state: components['schemas']['AlertState'] | components['schemas']['LaterValue'];
      /**
       * Format: date-time
       * @description When its state changed last, or it was set.
       */
      since: string;
    };
    /** @description So much of a limit. */
    LimitShare: {
      /** @description The name of a limit of the wallet; its window is not `order`. */
      limit: string;
      /** @description A decimal from `0.0001` to `1`: of its amount, or of its count. */
      share: string;
    };
    /**
     * @description Whether it was true when the wallet changed last.
     * @enum {string}
     */
    AlertState: 'raised' | 'cleared';
    /** @description The envelope around `WalletAlerts`. */
    WalletAlertsAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WalletAlerts'];
    };
    /** @description A page of a list. */
    FlowPage: {
      /** @description Newest first. */
      items: components['schemas']['Flow'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      /** @description False where no index answers the filters together, and more than 10,000 rows would have to be read to count them: `total` is then what was counted. */
      totalIsExact: boolean;
      /** @description Pages of `size` rows that `total` makes. */
      totalPages: number;
      /** @description For the next page; null where no more follows. A page may be short, or empty, and have one: go on. */
      nextCursor: string | null;
    };
    /**
     * @description What a leg of a completed order moved on one wallet.
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
     *       "leg": 0,
     *       "counterpartyWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "createdAt": "2026-01-01T09:30:00.021Z"
     *     }
     */
    Flow: {
      /** @description The flow. */
      id: string;
      /** @description The wallet. */
      walletId: string;
      /** @description Runs 1, 2, 3 … for each wallet, without a gap. */
      sequence: number;
      direction: components['schemas']['Direction'];
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The `balanceAfter` of the flow before. */
      balanceBefore: string;
      /** @description The balance with this flow. */
      balanceAfter: string;
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description Which leg of its order it is a side of, from 0. */
      leg: number;
      /** @description The other wallet, or `EXTERNAL`. */
      counterpartyWalletId: string;
      /**
       * Format: date-time
       * @description When it was posted.
       */
      createdAt: string;
    };
    /** @description The envelope around `FlowPage`. */
    FlowPageAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['FlowPage'];
    };
    /**
     * @description PENDING, then COMPLETED or FAILED for good. With `executeAt` it is SCHEDULED first, and may end CANCELLED.
     * @enum {string}
     */
    OrderStatus: 'SCHEDULED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
    /** @description A page of a list. */
    OrderPage: {
      /** @description Newest first. */
      items: components['schemas']['Order'][];
      /** @description Null for a page by cursor. */
      page: number | null;
      /** @description The most rows that a page has. */
      size: number;
      /** @description Rows of all pages. Pages by cursor repeat that of the first page. */
      total: number;
      /** @description False where no index answers the filters together, and more than 10,000 rows would have to be read to count them: `total` is then what was counted. */
      totalIsExact: boolean;
      /** @description Pages of `size` rows that `total` makes. */
      totalPages: number;
      /** @description For the next page; null where no more follows. A page may be short, or empty, and have one: go on. */
      nextCursor: string | null;
    };
    /**
     * @description An order of any type: `type` says what else it has. More may come.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "invoice-42",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "type": "TRANSFER",
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "1.10",
     *       "currency": "USD",
     *       "legs": null,
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
     *       "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *       "reversedAmount": "0.00",
     *       "hold": null,
     *       "createdAt": "2026-01-01T09:30:00.000Z",
     *       "updatedAt": "2026-01-01T09:30:00.021Z",
     *       "completedAt": "2026-01-01T09:30:00.021Z"
     *     }
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "invoice-42",
     *       "workspaceId": "ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD",
     *       "type": "JOURNAL",
     *       "sourceWalletId": null,
     *       "targetWalletId": null,
     *       "amount": null,
     *       "currency": null,
     *       "legs": [
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "amount": "90.00",
     *           "currency": "USD",
     *           "description": null,
     *           "reversedAmount": "0.00",
     *           "parentLeg": null
     *         },
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "EXTERNAL",
     *           "amount": "10.00",
     *           "currency": "USD",
     *           "description": "Tax",
     *           "reversedAmount": "0.00",
     *           "parentLeg": null
     *         }
     *       ],
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
     *       "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *       "reversedAmount": null,
     *       "hold": null,
     *       "createdAt": "2026-01-01T09:30:00.000Z",
     *       "updatedAt": "2026-01-01T09:30:00.021Z",
     *       "completedAt": "2026-01-01T09:30:00.021Z"
     *     }
     */
    Order:
      | components['schemas']['TransferOrder']
      | components['schemas']['DepositOrder']
      | components['schemas']['WithdrawalOrder']
      | components['schemas']['JournalOrder']
      | components['schemas']['ReversalOrder']
      | components['schemas']['HoldOrder']
      | components['schemas']['CaptureOrder']
      | components['schemas']['ReleaseOrder']
      | components['schemas']['LaterOrder'];
    /** @description An order of the type TRANSFER. */
    TransferOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'TRANSFER';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Null: no order of this type has it. */
      legs: null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description Null: no order of this type has it. */
      parentId: null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description How much of it reversals have moved back. */
      reversedAmount: string;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description Why an order is FAILED. Not the failure of a request: its answer is a success. */
    OrderFailure: {
      code: components['schemas']['FailureCode'] | components['schemas']['LaterValue'];
      message: components['schemas']['FailureMessage'] | components['schemas']['LaterValue'];
      /** @description The place of the leg that could not be applied, from 0; null if none is at fault, or it has no `legs`. */
      leg: number | null;
      /** @description The limit of the source, or the budget of the key, that it would have passed; null if none. */
      limit: components['schemas']['PassedLimit'] | null;
    };
    /**
     * @description Why nothing moved, as the code of an answer would say it.
     * @enum {string}
     */
    FailureCode: 'TR4223' | 'WA4221' | 'TR4224' | 'TR4225' | 'TR4226' | 'TR4229' | 'TR4230' | 'TR4231';
    /**
     * @description The same as a symbolic name, in every language.
     * @enum {string}
     */
    FailureMessage:
      | 'INSUFFICIENT_BALANCE'
      | 'WALLET_NOT_ACTIVE'
      | 'BALANCE_LIMIT'
      | 'HOLD_CLOSED'
      | 'EXCEEDS_REMAINING'
      | 'BATCH_FAILED'
      | 'LIMIT_EXCEEDED'
      | 'KEY_BUDGET_EXCEEDED';
    /** @description The limit or budget that the order would have passed, as it stood. */
    PassedLimit: {
      /** @description As it was given; unique in its list. */
      name: string;
      /** @description Of a budget: its currency. */
      currency?: string;
      /** @description The most that may go out; null if that is not limited. */
      amount: string | null;
      /** @description The most orders; null if that is not limited. */
      count: number | null;
      /** @description What counts. */
      window: components['schemas']['LimitWindow'] | 'total';
      /** @description What has gone out in the window, and what is held now. */
      used: string;
      /** @description How many orders and open holds that is. */
      usedCount: number;
      /** @description `amount` less `used`, at least zero; null without `amount`. */
      remaining: string | null;
      /** @description The same of `count`. */
      remainingCount: number | null;
      /** @description When the next day, week or month begins; null of other windows. */
      resetsAt: string | null;
    };
    /** @description An order of the type DEPOSIT. */
    DepositOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'DEPOSIT';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Null: no order of this type has it. */
      legs: null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description Null: no order of this type has it. */
      parentId: null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description How much of it reversals have moved back. */
      reversedAmount: string;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description An order of the type WITHDRAWAL. */
    WithdrawalOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'WITHDRAWAL';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Null: no order of this type has it. */
      legs: null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description Null: no order of this type has it. */
      parentId: null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description How much of it reversals have moved back. */
      reversedAmount: string;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description An order of the type JOURNAL. */
    JournalOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'JOURNAL';
      /** @description Null: no order of this type has it. */
      sourceWalletId: null;
      /** @description Null: no order of this type has it. */
      targetWalletId: null;
      /** @description Null: no order of this type has it. */
      amount: null;
      /** @description Null: no order of this type has it. */
      currency: null;
      /** @description Of an order that was asked for by its legs: those, in the order in which they are applied; null otherwise. */
      legs: components['schemas']['OrderLeg'][];
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description Null: no order of this type has it. */
      parentId: null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description Null: no order of this type has it. */
      reversedAmount: null;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description One of the moves of an order. */
    OrderLeg: {
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description With the decimals of the currency; with more where it was stored with more. */
      amount: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description As given when it was made. */
      description: string | null;
      /** @description How much of it reversals have moved back; null on a REVERSAL. */
      reversedAmount: string | null;
      /** @description On a REVERSAL: the place of the leg that it moves back; null otherwise. */
      parentLeg: number | null;
    };
    /** @description An order of the type REVERSAL. */
    ReversalOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'REVERSAL';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string | null;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string | null;
      /** @description How much it moves or reserves, in all. */
      amount: string | null;
      /** @description The currency of its amount. */
      currency: string | null;
      /** @description Of an order that was asked for by its legs: those, in the order in which they are applied; null otherwise. */
      legs: components['schemas']['OrderLeg'][] | null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description The transferId of the order that it refers to; null if to none. */
      parentId: string;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description Null: no order of this type has it. */
      reversedAmount: null;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description An order of the type HOLD. */
    HoldOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'HOLD';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Null: no order of this type has it. */
      legs: null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description Null: no order of this type has it. */
      parentId: null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description Null: no order of this type has it. */
      reversedAmount: null;
      hold: components['schemas']['HoldProgress'];
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description How far a hold is. */
    HoldProgress: {
      /** @description HELD while something remains. Then CAPTURED if any of it was captured; else EXPIRED if the last of it was released by its expiry, or RELEASED. Null unless the order is COMPLETED. */
      state: (('HELD' | 'CAPTURED' | 'RELEASED' | 'EXPIRED') | components['schemas']['LaterValue']) | null;
      /** @description How much of it captures have moved. */
      captured: string;
      /** @description How much of it was given back. */
      released: string;
      /** @description What is still reserved. */
      remaining: string;
      /**
       * Format: date-time
       * @description When what remains is released.
       */
      expiresAt: string;
    };
    /** @description An order of the type CAPTURE. */
    CaptureOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'CAPTURE';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string | null;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Of an order that was asked for by its legs: those, in the order in which they are applied; null otherwise. */
      legs: components['schemas']['OrderLeg'][] | null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description The transferId of the order that it refers to; null if to none. */
      parentId: string;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description How much of it reversals have moved back. */
      reversedAmount: string;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description An order of the type RELEASE. */
    ReleaseOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /**
       * @description What it does when it is posted.
       * @constant
       */
      type: 'RELEASE';
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string;
      /** @description How much it moves or reserves, in all. */
      amount: string;
      /** @description The currency of its amount. */
      currency: string;
      /** @description Null: no order of this type has it. */
      legs: null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description The transferId of the order that it refers to; null if to none. */
      parentId: string;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description Null: no order of this type has it. */
      reversedAmount: null;
      /** @description Null: no order of this type has it. */
      hold: null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description An order of a type that only a later service has. */
    LaterOrder: {
      /** @description The service’s id of the order. */
      transferId: string;
      /** @description The client’s own id of the order; the transferId where it gave none. */
      bizId: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /** @description What it does when it is posted: what only a later service knows. */
      type: LaterType;
      /** @description The wallet the amount is taken from, or `EXTERNAL`. */
      sourceWalletId: string | null;
      /** @description The wallet the amount goes to, or `EXTERNAL`. */
      targetWalletId: string | null;
      /** @description How much it moves or reserves, in all. */
      amount: string | null;
      /** @description The currency of its amount. */
      currency: string | null;
      /** @description Of an order that was asked for by its legs: those, in the order in which they are applied; null otherwise. */
      legs: components['schemas']['OrderLeg'][] | null;
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
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
      /** @description The key that made it; null if the operator or the service did. */
      apiKey: string | null;
      /** @description How much of it reversals have moved back. */
      reversedAmount: string | null;
      /** @description How far a hold is. */
      hold: components['schemas']['HoldProgress'] | null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its status, `reversedAmount` or `hold` changed last.
       */
      updatedAt: string;
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
    };
    /** @description The envelope around `OrderPage`. */
    OrderPageAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['OrderPage'];
    };
    /** @description The envelope around `Order`. */
    OrderAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description When it was posted; null unless COMPLETED. */
      completedAt: string | null;
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
    };
    /** @description The envelope around `Completion`. */
    CompletionAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "bizId": "payin-7"
     *     }
     */
    Deposit: {
      /** @description The wallet the amount goes to. */
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "bizId": "payout-3"
     *     }
     */
    Withdraw: {
      /** @description The wallet the amount is taken from. */
      sourceWalletId: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /**
       * Format: date-time
       * @description When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
       */
      executeAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     * @description What to move, all or none.
     * @example {
     *       "bizId": "sale-7",
     *       "legs": [
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "amount": "90",
     *           "currency": "USD"
     *         },
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "amount": "10",
     *           "currency": "USD",
     *           "description": "Tax"
     *         }
     *       ]
     *     }
     */
    CreateJournal: {
      /** @description What to move, in this order: 1 to 100 legs. */
      legs: components['schemas']['JournalLeg'][];
      /**
       * Format: date-time
       * @description When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
       */
      executeAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
    /** @description A move of a journal. It has a source, a target, or both. */
    JournalLeg: {
      /** @description The wallet the amount is taken from; absent: the world outside. */
      sourceWalletId?: string;
      /** @description The wallet the amount goes to; absent: the world outside. */
      targetWalletId?: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /** @description A text for people; no control characters. */
      description?: string;
    };
    /**
     * @description What to move back.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "amount": "1",
     *       "bizId": "refund-42"
     *     }
     */
    ReverseTransfer: {
      /** @description The order: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move back; all that is left, if not said. Not of an order with legs. */
      amount?: string;
      /** @description Only of an order with legs: which of them to move back, each once; all, if not said. */
      legs?: components['schemas']['ReverseLeg'][];
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
    /** @description A leg to move back. */
    ReverseLeg: {
      /** @description Its place among the legs of the order, from 0. */
      leg: number;
      /** @description How much of it to move back; all that is left, if not said. */
      amount?: string;
    };
    /**
     * @description What to reserve.
     * @example {
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "80",
     *       "currency": "USD",
     *       "bizId": "ride-9"
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "final": false,
     *       "bizId": "ride-9-end"
     *     }
     */
    CaptureHold: {
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move; all that remains, if not said. */
      amount?: string;
      /** @description In place of `amount`: what to move to which wallets, in this order; 1 to 100 legs. */
      legs?: components['schemas']['CaptureLeg'][];
      /**
       * @description Whether what is not moved is released at once.
       * @default true
       */
      final?: boolean;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
    /** @description A move of a capture. */
    CaptureLeg: {
      /** @description Any wallet of the workspace; absent: where the hold would go. */
      targetWalletId?: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description A text for people; no control characters. */
      description?: string;
    };
    /**
     * @description What to give back of a hold.
     * @example {
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "ride-9-cancelled"
     *     }
     */
    ReleaseHold: {
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to give back; all that remains, if not said. */
      amount?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     * @description What to do, in many orders.
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
      /** @description Each as the body of a command of its own, with its type. */
      transfers: components['schemas']['AnyCommand'][];
      /** @description If true, all orders are made and posted together, or none. Then at most 100 legs, and no `executeAt`. */
      atomic?: boolean;
    };
    /** @description What became of the lines of a batch. */
    Batch: {
      /** @description The id of this batch; of an atomic batch that is repeated, the first one’s. */
      batchId: string;
      /** @description Of each line, in order: its order, or why there is none. */
      items: (components['schemas']['AcceptedLine'] | components['schemas']['RefusedLine'])[];
    };
    /** @description The order of a line. */
    AcceptedLine: {
      /** @description The order, new or known before. */
      order: components['schemas']['Order'];
    };
    /**
     * @description Why there is no order, as a create of its own would be answered.
     * @example {
     *       "code": "WA4041",
     *       "message": "WALLET_NOT_FOUND",
     *       "reason": "WALLET_NOT_FOUND",
     *       "field": "targetWalletId",
     *       "value": null,
     *       "fields": []
     *     }
     */
    RefusedLine: {
      /** @description What went wrong, in few kinds. */
      code: string;
      /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
      message: string;
      /** @description Why it went wrong: finer than the code. */
      reason: string;
      /** @description The line’s field at fault; null if none is. */
      field: string | null;
      /** @description What helps to mend it; null if there is nothing. */
      value: string | null;
      /** @description Where several of its fields are wrong, each with its reason; otherwise empty. */
      fields: components['schemas']['WrongField'][];
    };
    /** @description A field that is wrong, and why. */
    WrongField: {
      /** @description The field, as `error.field` names it; cut after 64 characters. */
      field: string;
      /** @description What is wrong with it. */
      reason: string;
    };
    /** @description The envelope around `Batch`. */
    BatchAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['Batch'];
    };
    /**
     * @description The body of a command, and the type of order that it makes: TRANSFER, if not said.
     * @example {
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "1.1",
     *       "currency": "USD",
     *       "bizId": "invoice-42"
     *     }
     */
    AnyCommand:
      | components['schemas']['TransferCommand']
      | components['schemas']['DepositCommand']
      | components['schemas']['WithdrawalCommand']
      | components['schemas']['JournalCommand']
      | components['schemas']['ReversalCommand']
      | components['schemas']['HoldCommand']
      | components['schemas']['CaptureCommand']
      | components['schemas']['ReleaseCommand'];
    /**
     * @description What to move.
     * @example {
     *       "type": "TRANSFER",
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "1.1",
     *       "currency": "USD",
     *       "bizId": "invoice-42"
     *     }
     */
    TransferCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type?: 'TRANSFER';
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "DEPOSIT",
     *       "targetWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "amount": "250",
     *       "currency": "USD",
     *       "bizId": "payin-7"
     *     }
     */
    DepositCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'DEPOSIT';
      /** @description The wallet the amount goes to. */
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "WITHDRAWAL",
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "amount": "40",
     *       "currency": "USD",
     *       "bizId": "payout-3"
     *     }
     */
    WithdrawalCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'WITHDRAWAL';
      /** @description The wallet the amount is taken from. */
      sourceWalletId: string;
      /** @description A plain decimal above zero, with no more decimals than the currency has. */
      amount: string;
      /** @description Code of the currency; that of the wallets. */
      currency: string;
      /**
       * Format: date-time
       * @description When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
       */
      executeAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     * @description What to move, all or none.
     * @example {
     *       "type": "JOURNAL",
     *       "bizId": "sale-7",
     *       "legs": [
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "amount": "90",
     *           "currency": "USD"
     *         },
     *         {
     *           "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "amount": "10",
     *           "currency": "USD",
     *           "description": "Tax"
     *         }
     *       ]
     *     }
     */
    JournalCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'JOURNAL';
      /** @description What to move, in this order: 1 to 100 legs. */
      legs: components['schemas']['JournalLeg'][];
      /**
       * Format: date-time
       * @description When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
       */
      executeAt?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "REVERSAL",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "amount": "1",
     *       "bizId": "refund-42"
     *     }
     */
    ReversalCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'REVERSAL';
      /** @description The order: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move back; all that is left, if not said. Not of an order with legs. */
      amount?: string;
      /** @description Only of an order with legs: which of them to move back, each once; all, if not said. */
      legs?: components['schemas']['ReverseLeg'][];
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "HOLD",
     *       "sourceWalletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *       "targetWalletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *       "amount": "80",
     *       "currency": "USD",
     *       "bizId": "ride-9"
     *     }
     */
    HoldCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'HOLD';
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
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "CAPTURE",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "amount": "65.5",
     *       "final": false,
     *       "bizId": "ride-9-end"
     *     }
     */
    CaptureCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'CAPTURE';
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to move; all that remains, if not said. */
      amount?: string;
      /** @description In place of `amount`: what to move to which wallets, in this order; 1 to 100 legs. */
      legs?: components['schemas']['CaptureLeg'][];
      /**
       * @description Whether what is not moved is released at once.
       * @default true
       */
      final?: boolean;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       "type": "RELEASE",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "bizId": "ride-9-cancelled"
     *     }
     */
    ReleaseCommand: {
      /**
       * @description The type of order that it makes.
       * @constant
       */
      type: 'RELEASE';
      /** @description The hold: its transferId or its bizId. */
      transferId: string;
      /** @description How much to give back; all that remains, if not said. */
      amount?: string;
      /** @description Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`. */
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
     *       },
     *       "wallets": [
     *         {
     *           "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *           "balance": "98.90",
     *           "held": "20.00",
     *           "available": "78.90"
     *         },
     *         {
     *           "walletId": "wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS",
     *           "balance": "1.10",
     *           "held": "0.00",
     *           "available": "1.10"
     *         }
     *       ]
     *     }
     */
    Preview: {
      status: components['schemas']['OrderStatus'] | components['schemas']['LaterValue'];
      /** @description Why the order is FAILED; null otherwise. */
      failure: components['schemas']['OrderFailure'] | null;
      /** @description The source as the order would leave it; as it is, if the order would fail. Null for EXTERNAL, and for an order with legs. */
      source: components['schemas']['PreviewSide'] | null;
      /** @description The target as the order would leave it; as it is, if the order would fail. Null for EXTERNAL, and for an order with legs. */
      target: components['schemas']['PreviewSide'] | null;
      /** @description Each wallet that the order names, once, in the order of its legs, source before target; not EXTERNAL. */
      wallets: components['schemas']['PreviewWallet'][];
    };
    /** @description A wallet as the order would leave it. */
    PreviewSide: {
      /** @description Its balance. */
      balance: string;
      /** @description What it could then spend. */
      available: string;
    };
    /** @description A wallet as the order would leave it. */
    PreviewWallet: {
      /** @description The wallet. */
      walletId: string;
      /** @description Its balance. */
      balance: string;
      /** @description How much of it would be reserved. */
      held: string;
      /** @description What it could then spend. */
      available: string;
    };
    /** @description The envelope around `Preview`. */
    PreviewAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
     *       "test": false,
     *       "now": "2026-01-01T09:31:00.000Z",
     *       "currencies": [
     *         {
     *           "code": "USD",
     *           "decimals": 2
     *         }
     *       ],
     *       "budgets": []
     *     }
     */
    Key: {
      /** @description Its public identifier. */
      apiKey: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /** @description The user whose membership of the workspace the key stands on. */
      owner: string;
      /** @description What it may do. */
      scopes: (components['schemas']['Scope'] | components['schemas']['LaterValue'])[];
      rate: components['schemas']['KeyRate'];
      /** @description The client’s address as seen; null where it is not known. */
      address: string | null;
      /**
       * Format: date-time
       * @description When it was asked.
       */
      serverTime: string;
      /** @description Whether its workspace is a test workspace, with a clock of its own. */
      test: boolean;
      /**
       * Format: date-time
       * @description The workspace’s time: in a test workspace that of its clock.
       */
      now: string;
      /** @description Those that wallets and transfers may have, by code. */
      currencies: components['schemas']['Currency'][];
      /** @description How much its orders may take, by name; no other currency is limited. */
      budgets: components['schemas']['KeyBudget'][];
    };
    /**
     * @description What a key may do. More may come.
     * @enum {string}
     */
    Scope:
      | 'wallet:read'
      | 'wallet:manage'
      | 'transfer:read'
      | 'transfer:create'
      | 'transfer:fund'
      | 'transfer:reverse'
      | 'transfer:hold'
      | 'webhook:manage';
    /** @description How many requests the key may make. */
    KeyRate: {
      /** @description So many in every second. */
      perSecond: number;
      /** @description So many in one second, now and then. */
      burst: number;
      /** @description Of `perSecond`, in this second. */
      remaining: number;
    };
    /** @description A currency, and its decimals. */
    Currency: {
      /** @description ISO 4217, or a code of the operator’s. */
      code: string;
      /** @description How many decimals its amounts have. */
      decimals: number;
    };
    /** @description How much the orders of a key may take, with its use. */
    KeyBudget: {
      /** @description As it was given; unique in its list. */
      name: string;
      /** @description ISO 4217, or a code of the operator’s. */
      currency: string;
      /** @description The most that may go out; null if that is not limited. */
      amount: string | null;
      /** @description The most orders; null if that is not limited. */
      count: number | null;
      /** @description What counts: all since it was set, or a day, week or month. */
      window: 'total' | components['schemas']['CalendarWindow'];
      /** @description What has gone out in the window, and what is held now. */
      used: string;
      /** @description How many orders and open holds that is. */
      usedCount: number;
      /** @description `amount` less `used`, at least zero; null without `amount`. */
      remaining: string | null;
      /** @description The same of `count`. */
      remainingCount: number | null;
      /** @description When the next day, week or month begins; null of other windows. */
      resetsAt: string | null;
    };
    /** @description The envelope around `Key`. */
    KeyAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['Key'];
    };
    /**
     * @description The clock of a test workspace.
     * @example {
     *       "now": "2026-01-01T09:30:00.000Z",
     *       "nextDueAt": "2026-01-08T09:30:00.000Z"
     *     }
     */
    TestClock: {
      /**
       * Format: date-time
       * @description The time in the workspace.
       */
      now: string;
      /** @description When something is due next: a scheduled order, the expiry of a hold, a webhook; null if nothing will be. */
      nextDueAt: string | null;
    };
    /** @description The envelope around `TestClock`. */
    TestClockAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['TestClock'];
    };
    /**
     * @description How far to put a clock forward: by a duration, or to a time.
     * @example {
     *       "advanceBy": "P31D"
     *     }
     */
    AdvanceTestClock: {
      /** @description How far: an ISO 8601 duration of whole numbers, above zero. Years and months go by the calendar, in UTC. */
      advanceBy?: string;
      /**
       * Format: date-time
       * @description To which time. One that has passed changes nothing.
       */
      to?: string;
    };
    /**
     * @description What became of putting a clock forward.
     * @example {
     *       "from": "2026-01-01T09:30:00.000Z",
     *       "to": "2026-02-01T09:30:00.000Z",
     *       "now": "2026-02-01T09:30:00.000Z",
     *       "done": true,
     *       "started": 3,
     *       "expired": 1
     *     }
     */
    TestClockAdvance: {
      /**
       * Format: date-time
       * @description Where the clock stood.
       */
      from: string;
      /**
       * Format: date-time
       * @description Where it was to go.
       */
      to: string;
      /**
       * Format: date-time
       * @description Where it stands. It runs on from there.
       */
      now: string;
      /** @description Whether all has ended that was due until `to`. If not, go on with that `to`. */
      done: boolean;
      /** @description How many scheduled orders came due. */
      started: number;
      /** @description How many holds expired. */
      expired: number;
    };
    /** @description The envelope around `TestClockAdvance`. */
    TestClockAdvanceAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['TestClockAdvance'];
    };
    /**
     * @description Where to send what.
     * @example {
     *       "url": "https://example.com/webhooks",
     *       "events": [
     *         "transfer.completed",
     *         "transfer.failed",
     *         "transfer.cancelled",
     *         "wallet.alert"
     *       ],
     *       "description": "Bookkeeping"
     *     }
     */
    CreateWebhook: {
      /** @description Where events are sent: HTTPS, a public address. Kept as parsed, without fragment. */
      url: string;
      /** @description What to send; each once. */
      events: components['schemas']['EventType'][];
      /**
       * @description Your own note of what it is for; without control characters.
       * @default
       */
      description?: string;
    };
    /**
     * @description What an event tells of: the end of an order, or an alert of a wallet. More may come.
     * @enum {string}
     */
    EventType: 'transfer.completed' | 'transfer.failed' | 'transfer.cancelled' | 'wallet.alert';
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
     *         "transfer.cancelled",
     *         "wallet.alert"
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
      /** @description The webhook. */
      id: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /** @description Where events are sent. */
      url: string;
      /** @description Your own note of what it is for; may be empty. */
      description: string;
      /** @description What is sent. */
      events: (components['schemas']['EventType'] | components['schemas']['LaterValue'])[];
      status: components['schemas']['WebhookStatus'] | components['schemas']['LaterValue'];
      /** @description Why it is DISABLED; null if it is not. */
      disabledReason: (components['schemas']['DisabledReason'] | components['schemas']['LaterValue']) | null;
      /** @description Until then messages are signed with two secrets. */
      previousSecretValidUntil: string | null;
      /** @description Tries in a row in which nothing came through. */
      failures: number;
      /** @description Events that waited when it was last served. */
      waiting: number;
      /** @description Since when nothing comes through; null if something does. */
      failingSince: string | null;
      /** @description Since when the oldest waiting event waits; null if none does. */
      waitingSince: string | null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it changed last.
       */
      updatedAt: string;
      /** @description `whsec_` and the Base64 of the key that messages are signed with. */
      secret: string;
    };
    /**
     * @description Nothing is sent to a DISABLED one.
     * @enum {string}
     */
    WebhookStatus: 'ENABLED' | 'DISABLED';
    /**
     * @description REQUESTED: by you. FAILING: nothing came through for a day. GONE: it answered 410.
     * @enum {string}
     */
    DisabledReason: 'REQUESTED' | 'FAILING' | 'GONE';
    /** @description The envelope around `WebhookWithSecret`. */
    WebhookWithSecretAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WebhookWithSecret'];
    };
    /** @description The webhooks of a workspace. */
    WebhookList: {
      /** @description Oldest first. */
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
     *         "transfer.cancelled",
     *         "wallet.alert"
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
      /** @description The webhook. */
      id: string;
      /** @description The workspace of the API key. */
      workspaceId: string;
      /** @description Where events are sent. */
      url: string;
      /** @description Your own note of what it is for; may be empty. */
      description: string;
      /** @description What is sent. */
      events: (components['schemas']['EventType'] | components['schemas']['LaterValue'])[];
      status: components['schemas']['WebhookStatus'] | components['schemas']['LaterValue'];
      /** @description Why it is DISABLED; null if it is not. */
      disabledReason: (components['schemas']['DisabledReason'] | components['schemas']['LaterValue']) | null;
      /** @description Until then messages are signed with two secrets. */
      previousSecretValidUntil: string | null;
      /** @description Tries in a row in which nothing came through. */
      failures: number;
      /** @description Events that waited when it was last served. */
      waiting: number;
      /** @description Since when nothing comes through; null if something does. */
      failingSince: string | null;
      /** @description Since when the oldest waiting event waits; null if none does. */
      waitingSince: string | null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it changed last.
       */
      updatedAt: string;
    };
    /** @description The envelope around `WebhookList`. */
    WebhookListAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WebhookList'];
    };
    /** @description The envelope around `Webhook`. */
    WebhookAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
      /** @description The webhook. */
      id: string;
    };
    /** @description The envelope around `Deleted`. */
    DeletedAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['Deleted'];
    };
    /**
     * @description A test event that is being sent.
     * @example {
     *       "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV"
     *     }
     */
    WebhookTest: {
      /** @description The event; the same at every attempt, and at every webhook. */
      eventId: string;
    };
    /** @description The envelope around `WebhookTest`. */
    WebhookTestAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
      message: 'SUCCESS';
      data: components['schemas']['WebhookTest'];
    };
    /**
     * @description What to send again: exactly one of both.
     * @example {
     *       "since": "2026-01-01T09:00:00Z"
     *     }
     */
    ReplayWebhook: {
      /**
       * Format: date-time
       * @description All that ended since this time. Not together with `eventId`.
       */
      since?: string;
      /** @description The one event with this id. Not together with `since`. */
      eventId?: string;
    } & (
      | {
          /** Format: date-time */
          since: string;
        }
      | {
          eventId: string;
        }
    );
    /** @description A page of what became of events. */
    WebhookDeliveryPage: {
      /** @description Those of the newest orders first. */
      items: components['schemas']['WebhookDelivery'][];
      /** @description For the next page; null where no more follows. */
      nextCursor: string | null;
    };
    /**
     * @description What became of an event at a webhook.
     * @example {
     *       "eventId": "ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "type": "transfer.completed",
     *       "transferId": "tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV",
     *       "state": "DELIVERED",
     *       "attempts": 1,
     *       "status": 200,
     *       "error": null,
     *       "durationMs": 41,
     *       "lastAttemptAt": "2026-01-01T09:00:00.000Z",
     *       "nextAttemptAt": null,
     *       "createdAt": "2026-01-01T09:00:00.000Z",
     *       "updatedAt": "2026-01-01T09:00:00.000Z"
     *     }
     */
    WebhookDelivery: {
      /** @description The event; the same at every attempt, and at every webhook. */
      eventId: string;
      /** @description What the event tells of. */
      type:
        | ('transfer.completed' | 'transfer.failed' | 'transfer.cancelled' | 'wallet.alert' | 'webhook.test')
        | components['schemas']['LaterValue'];
      /** @description The order that it tells of; null of an alert and of a test. */
      transferId: string | null;
      /** @description PENDING until it is DELIVERED, or SET_ASIDE: not tried again by itself, after three days. */
      state: ('PENDING' | 'DELIVERED' | 'SET_ASIDE') | components['schemas']['LaterValue'];
      /** @description Attempts so far; a replay counts anew. */
      attempts: number;
      /** @description HTTP status of the last answer; null where there was none. */
      status: number | null;
      /** @description Why the last attempt failed, as a symbol. */
      error: string | null;
      /** @description Milliseconds that the last attempt took; null before the first. */
      durationMs: number | null;
      /** @description When it was tried last; null before the first attempt. */
      lastAttemptAt: string | null;
      /** @description When it is tried next, of what is due already the time of the answer; null if it is not tried again. */
      nextAttemptAt: string | null;
      /**
       * Format: date-time
       * @description When it was first to be sent. A replay does not change it.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When its state or its attempts changed last.
       */
      updatedAt: string;
    };
    /** @description The envelope around `WebhookDeliveryPage`. */
    WebhookDeliveryPageAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: true;
      /**
       * @description That of every success.
       * @constant
       */
      code: '2000';
      /**
       * @description That of every success.
       * @constant
       */
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
     *         "legs": null,
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
     *         "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": "2026-01-01T09:30:00.021Z"
     *       }
     *     }
     */
    TransferCompletedMessage: {
      /**
       * @description What the event tells of.
       * @constant
       */
      type: 'transfer.completed';
      /**
       * Format: date-time
       * @description When that happened.
       */
      timestamp: string;
      /**
       * @description Of a test workspace; absent for others.
       * @constant
       */
      test?: true;
      /** @description The order as it ended. */
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
     *         "legs": null,
     *         "status": "FAILED",
     *         "failure": {
     *           "code": "TR4223",
     *           "message": "INSUFFICIENT_BALANCE",
     *           "leg": null,
     *           "limit": null
     *         },
     *         "parentId": null,
     *         "description": null,
     *         "reference": "INV-2026-42",
     *         "metadata": {
     *           "customer": "7"
     *         },
     *         "executeAt": null,
     *         "batchId": null,
     *         "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": null
     *       }
     *     }
     */
    TransferFailedMessage: {
      /**
       * @description What the event tells of.
       * @constant
       */
      type: 'transfer.failed';
      /**
       * Format: date-time
       * @description When that happened.
       */
      timestamp: string;
      /**
       * @description Of a test workspace; absent for others.
       * @constant
       */
      test?: true;
      /** @description The order as it ended. */
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
     *         "legs": null,
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
     *         "apiKey": "ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q",
     *         "reversedAmount": "0.00",
     *         "hold": null,
     *         "createdAt": "2026-01-01T09:30:00.000Z",
     *         "updatedAt": "2026-01-01T09:30:00.021Z",
     *         "completedAt": null
     *       }
     *     }
     */
    TransferCancelledMessage: {
      /**
       * @description What the event tells of.
       * @constant
       */
      type: 'transfer.cancelled';
      /**
       * Format: date-time
       * @description When that happened.
       */
      timestamp: string;
      /**
       * @description Of a test workspace; absent for others.
       * @constant
       */
      test?: true;
      /** @description The order as it ended. */
      data: components['schemas']['Order'];
    };
    /**
     * @description What is sent when an alert of a wallet is raised, and when it is cleared.
     * @example {
     *       "type": "wallet.alert",
     *       "timestamp": "2026-01-01T09:30:00.021Z",
     *       "data": {
     *         "walletId": "wa_01M7Y8R1S5A8C3E6G9J2M4P7QR",
     *         "name": "low",
     *         "state": "raised",
     *         "number": 1,
     *         "available": "8.90",
     *         "balance": "28.90",
     *         "held": "20.00",
     *         "limit": null,
     *         "sequence": 12,
     *         "at": "2026-01-01T09:30:00.021Z"
     *       }
     *     }
     */
    WalletAlertMessage: {
      /**
       * @description What the event tells of.
       * @constant
       */
      type: 'wallet.alert';
      /**
       * Format: date-time
       * @description When that happened.
       */
      timestamp: string;
      /**
       * @description Of a test workspace; absent for others.
       * @constant
       */
      test?: true;
      data: components['schemas']['AlertEvent'];
    };
    /** @description An alert, with what its wallet had at that moment. */
    AlertEvent: {
      /** @description The wallet. */
      walletId: string;
      /** @description The name of the alert. */
      name: string;
      state: components['schemas']['AlertState'] | components['schemas']['LaterValue'];
      /** @description Counts the alert events of the wallet: 1, 2, 3 … */
      number: number;
      /** @description What it may spend: `balance` less `held`, plus its credit limit. */
      available: string;
      /** @description The wallet’s balance, with the decimals of its currency; with more where it was stored with more. */
      balance: string;
      /** @description How much of the balance is reserved by holds. */
      held: string;
      /** @description The limit of which a share is used; null of others. */
      limit: components['schemas']['LimitWithUse'] | null;
      /** @description Number of the wallet’s last flow; 0 where it has none. */
      sequence: number;
      /**
       * Format: date-time
       * @description When that happened.
       */
      at: string;
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
      /**
       * @description What the event tells of.
       * @constant
       */
      type: 'webhook.test';
      /**
       * Format: date-time
       * @description When that happened.
       */
      timestamp: string;
      /**
       * @description Of a test workspace; absent for others.
       * @constant
       */
      test?: true;
      /** @description Nothing. */
      data: Record<string, never>;
    };
    /** @description The envelope of every failure. Branch on `code`, or on `error.reason`, which tells more. */
    FailureAnswer: {
      /**
       * @description Of the envelope.
       * @constant
       */
      version: '1.0';
      /** @description Server time, in milliseconds since the Unix epoch. */
      timestamp: number;
      /**
       * @description Whether what was asked was done.
       * @constant
       */
      success: false;
      code: components['schemas']['ErrorCode'] | components['schemas']['LaterValue'];
      /** @description The symbolic name, or a sentence in the language of `X-LOCALE`. */
      message: string;
      /** @description Nothing. */
      data: null;
      error: components['schemas']['ErrorDetails'];
    };
    /** @description Why a request failed: what the headers `X-Error-…` say, not encoded. */
    ErrorDetails: {
      reason: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
      /** @description What is at fault, by the name that the request has for it: a part of the path, a query parameter, a header, or a place in the body, such as `legs[3].amount`; null where nothing of it is. */
      field: string | null;
      /** @description What helps to mend it; which reasons have it, and what it tells, `x-reasons` says. Null where there is nothing. */
      value: string | null;
      /** @description Where several fields are wrong, each with its reason, the first one first: at most 8; otherwise empty. */
      fields: components['schemas']['WrongField'][];
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
      | 'TOO_MANY_VALUES'
      | 'IDEMPOTENCY_KEY_UNSUPPORTED'
      | 'FIELD_MISSING'
      | 'FIELD_UNKNOWN'
      | 'FIELD_REPEATED'
      | 'FIELD_TYPE_WRONG'
      | 'FIELD_MALFORMED'
      | 'FIELD_OUT_OF_RANGE'
      | 'VALUE_NOT_ALLOWED'
      | 'CURRENCY_UNKNOWN'
      | 'TIME_MALFORMED'
      | 'TIME_NOT_AHEAD'
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
    /** @description What any request can meet, whatever it asks for. `X-Error-Reason` says which: `API_KEY_MISSING`, `API_KEY_NOT_FOUND`, `API_KEY_DISABLED`, `WORKSPACE_NOT_FOUND`, `NOT_WORKSPACE_MEMBER`, `TIMESTAMP_MISSING`, `TIMESTAMP_MALFORMED`, `TIMESTAMP_OFF`, `NONCE_MISSING`, `NONCE_MALFORMED`, `NONCE_REUSED`, `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `KEY_RATE_EXCEEDED`, `ADDRESS_RATE_EXCEEDED`, `IP_NOT_WHITELISTED`, `SCOPE_MISSING`, `ENDPOINT_UNKNOWN`, `REQUEST_MALFORMED`, `HOST_MISSING`, `HOST_MALFORMED`, `REQUEST_TOO_LATE`, `HEADERS_TOO_LARGE`, `BODY_INCOMPLETE`, `BODY_FRAGMENTED`, `BODY_TOO_LARGE`, `BODY_ENCODED`, `MEDIA_TYPE_UNSUPPORTED`, `FIELD_UNKNOWN`, `INTERNAL_ERROR`, `UNAVAILABLE`, `TOO_MANY_BODIES`, `ANSWER_TOO_LATE`. */
    AnyRequest: {
      headers: {
        /** @description Why, in a symbol that stays. */
        'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'X-Error-Fields': components['headers']['X-Error-Fields'];
        'X-Error-Field': components['headers']['X-Error-Field'];
        'X-Error-Value': components['headers']['X-Error-Value'];
        'Retry-After': components['headers']['Retry-After'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['FailureAnswer'] & {
          code?:
            | (
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
                | 'SY5001'
                | 'SY5031'
              )
            | components['schemas']['LaterValue'];
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
    /** @description `error.field` of the body; `%` and what is not printable ASCII are percent-encoded. */
    'X-Error-Field': string;
    /** @description `error.fields` of the body, such as `amount AMOUNT_ZERO, currency CURRENCY_UNKNOWN`, each name percent-encoded. */
    'X-Error-Fields': string;
    /** @description `error.value` of the body; `%` and what is not printable ASCII are percent-encoded. */
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
        /** @description Only wallets of this status. */
        status?: components['schemas']['WalletStatus'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `PAGE_TOO_DEEP` | `RQ4001` | its name |  | more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       *     | `CURSOR_CONFLICT` | `RQ4001` | its name |  | with a cursor there is no `page`, and no filter but its own |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_REFERENCE_CONFLICT` | `WA4091` | its name | the id of that wallet | the reference belongs to a wallet of another currency |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_PASSED` | `RQ4001` | its name | the time now | the time has not passed yet |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  getStatement: {
    parameters: {
      query?: {
        /** @description Where it begins, inclusive; ISO 8601 with seconds and zone. Required unless `cursor` is given. */
        from?: string;
        /** @description Where it ends, exclusive; it must have passed. ISO 8601 with seconds and zone. Required unless `cursor` is given. */
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_PASSED` | `RQ4001` | its name | the time now | the time has not passed yet |
       *     | `TIME_RANGE_REVERSED` | `RQ4001` | `from` |  | `from` is later than `to` |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       *     | `CURSOR_CONFLICT` | `RQ4001` | its name |  | with a cursor there is no `page`, and no filter but its own |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `CREDIT_LIMIT_IN_USE` | `WA4223` | its name | the least limit allowed: held − balance | the wallet uses more credit than that |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4223' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  updateWallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The wallet. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWallet'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_EMPTY` | `WA4222` | `id` |  | the wallet still has a balance, or an amount is held on it |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4222' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  getLimits: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The wallet. */
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
          'application/json': components['schemas']['WalletLimitsAnswer'];
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  setLimits: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The wallet. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetLimits'];
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
          'application/json': components['schemas']['WalletLimitsAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  getAlerts: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The wallet. */
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
          'application/json': components['schemas']['WalletAlertsAnswer'];
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  setAlerts: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of the sentence in a failure’s `message`, such as `en-US`. */
        'X-LOCALE'?: components['parameters']['Locale'];
      };
      path: {
        /** @description The wallet. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetAlerts'];
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
          'application/json': components['schemas']['WalletAlertsAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_STATE_CONFLICT` | `WA4092` | `id` |  | the wallet is CLOSED, for good |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WA4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description Only flows of this direction. */
        direction?: components['schemas']['Direction'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `PAGE_TOO_DEEP` | `RQ4001` | its name |  | more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       *     | `CURSOR_CONFLICT` | `RQ4001` | its name |  | with a cursor there is no `page`, and no filter but its own |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description Only orders of this status. */
        status?: components['schemas']['OrderStatus'];
        /** @description Only this currency. */
        currency?: string;
        /** @description Only orders of this type. */
        type?: components['schemas']['OrderType'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `PAGE_TOO_DEEP` | `RQ4001` | its name |  | more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       *     | `CURSOR_CONFLICT` | `RQ4001` | its name |  | with a cursor there is no `page`, and no filter but its own |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description Only orders of this status. */
        status?: components['schemas']['OrderStatus'];
        /** @description Only this currency. */
        currency?: string;
        /** @description Only orders of this type. */
        type?: components['schemas']['OrderType'];
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
        /** @description The wallet. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `PAGE_TOO_DEEP` | `RQ4001` | its name |  | more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       *     | `CURSOR_CONFLICT` | `RQ4001` | its name |  | with a cursor there is no `page`, and no filter but its own |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_LISTS` | `SY5031` |  |  | more lists are asked for at once than can be read in time; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `SAME_WALLET` | `TR4221` | its name |  | source and target are one wallet |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4221' | 'TR4222') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       *     | `SCHEDULED_FULL` | `SY5031` |  |  | too many orders of the workspace are scheduled; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4222') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       *     | `SCHEDULED_FULL` | `SY5031` |  |  | too many orders of the workspace are scheduled; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4222') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       *     | `SCHEDULED_FULL` | `SY5031` |  |  | too many orders of the workspace are scheduled; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  createJournal: {
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
        'application/json': components['schemas']['CreateJournal'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `SAME_WALLET` | `TR4221` | its name |  | source and target are one wallet |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4221' | 'TR4222') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       *     | `SCHEDULED_FULL` | `SY5031` |  |  | too many orders of the workspace are scheduled; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       *     | `ORDER_STATE_CONFLICT` | `TR4092` | its name | its status | the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('TR4091' | 'TR4092') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `NOT_REVERSIBLE` | `TR4227` | its name | its type | a hold, a release or a reversal: these are not reversed |
       *     | `EXCEEDS_REMAINING` | `TR4226` | its name | how much is left | more than is left of the hold, or of what can be moved back |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4227' | 'TR4226') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `SAME_WALLET` | `TR4221` | its name |  | source and target are one wallet |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('WA4221' | 'TR4221' | 'TR4222') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       *     | `ORDER_STATE_CONFLICT` | `TR4092` | its name | its status | the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('TR4091' | 'TR4092') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `SAME_WALLET` | `TR4221` | its name |  | source and target are one wallet |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       *     | `NOT_A_HOLD` | `TR4228` | its name | its type | the order that it refers to is no hold |
       *     | `HOLD_CLOSED` | `TR4225` | its name | CAPTURED, RELEASED or EXPIRED | nothing remains of the hold, or it has expired |
       *     | `EXCEEDS_REMAINING` | `TR4226` | its name | how much is left | more than is left of the hold, or of what can be moved back |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?:
              ('WA4221' | 'TR4221' | 'TR4222' | 'TR4228' | 'TR4225' | 'TR4226') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       *     | `ORDER_STATE_CONFLICT` | `TR4092` | its name | its status | the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('TR4091' | 'TR4092') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `NOT_A_HOLD` | `TR4228` | its name | its type | the order that it refers to is no hold |
       *     | `HOLD_CLOSED` | `TR4225` | its name | CAPTURED, RELEASED or EXPIRED | nothing remains of the hold, or it has expired |
       *     | `EXCEEDS_REMAINING` | `TR4226` | its name | how much is left | more than is left of the hold, or of what can be moved back |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('TR4228' | 'TR4225' | 'TR4226') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BACKLOG_FULL` | `SY5031` |  |  | too many orders wait to be posted; see Retry-After |
       *     | `WORKSPACE_BACKLOG_FULL` | `SY5031` |  |  | too many orders of the workspace wait to be posted; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        'application/json': components['schemas']['AnyCommand'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `CURRENCY_UNKNOWN` | `RQ4001` | its name | where only its case is wrong: the one that is meant | no such currency; `GET /api/v1/key` lists them |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       *     | `TIME_NOT_AHEAD` | `RQ4001` | its name | the time now | the time has passed, and has to lie ahead |
       *     | `AMOUNT_MALFORMED` | `RQ4001` | its name |  | not a plain decimal: digits, and a point with digits behind it |
       *     | `AMOUNT_ZERO` | `RQ4001` | its name |  | an amount is above zero |
       *     | `TOO_MANY_DECIMALS` | `RQ4001` | its name | how many it has | more decimals than the currency has, zeros included |
       *     | `TOO_MANY_DIGITS` | `RQ4001` | its name |  | more than 30 digits, or 34 with all decimals of the currency |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_FOUND` | `WA4041` | its name |  | the workspace has no such wallet |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WA4041' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BIZ_ID_CONFLICT` | `TR4091` | its name | the transferId of that order | the bizId belongs to an order with other values: `fields` names them |
       *     | `ORDER_STATE_CONFLICT` | `TR4092` | its name | its status | the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('TR4091' | 'TR4092') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WALLET_NOT_ACTIVE` | `WA4221` | its name | its status | a wallet of the order is frozen or closed |
       *     | `SAME_WALLET` | `TR4221` | its name |  | source and target are one wallet |
       *     | `CURRENCY_MISMATCH` | `TR4222` | its name | its currency | a wallet of the order has another currency |
       *     | `NOT_REVERSIBLE` | `TR4227` | its name | its type | a hold, a release or a reversal: these are not reversed |
       *     | `NOT_A_HOLD` | `TR4228` | its name | its type | the order that it refers to is no hold |
       *     | `HOLD_CLOSED` | `TR4225` | its name | CAPTURED, RELEASED or EXPIRED | nothing remains of the hold, or it has expired |
       *     | `EXCEEDS_REMAINING` | `TR4226` | its name | how much is left | more than is left of the hold, or of what can be moved back |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?:
              | ('WA4221' | 'TR4221' | 'TR4222' | 'TR4227' | 'TR4228' | 'TR4225' | 'TR4226')
              | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Service Unavailable.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `SCHEDULED_FULL` | `SY5031` |  |  | too many orders of the workspace are scheduled; see Retry-After |
       */
      503: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'SY5031' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TRANSFER_NOT_FOUND` | `TR4041` | its name |  | the workspace has no such order |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'TR4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `ORDER_STATE_CONFLICT` | `TR4092` | its name | its status | the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'TR4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      default: components['responses']['AnyRequest'];
    };
  };
  getTestClock: {
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
          'application/json': components['schemas']['TestClockAnswer'];
        };
      };
      default: components['responses']['AnyRequest'];
    };
  };
  advanceTestClock: {
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
        'application/json': components['schemas']['AdvanceTestClock'];
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
          'application/json': components['schemas']['TestClockAdvanceAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
      default: components['responses']['AnyRequest'];
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `VALUE_NOT_ALLOWED` | `RQ4001` | its name | those that are | not one of the values that are taken |
       *     | `WEBHOOK_URL_REFUSED` | `RQ4001` | its name | why, such as URL_NOT_HTTPS, URL_CREDENTIALS, PORT_NOT_ALLOWED, ADDRESS_NOT_ALLOWED | webhooks are not sent to such a url |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_EXISTS` | `WH4091` | its name |  | the workspace has a webhook with this url |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4091' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_LIMIT` | `WH4221` |  |  | the workspace has ten webhooks |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4221' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Too Many Requests.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_RATE_EXCEEDED` | `RQ4291` |  |  | the workspace has made too many webhooks, tests or replays; see Retry-After |
       */
      429: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4291' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
          'application/json': components['schemas']['WebhookWithSecretAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
          'application/json': components['schemas']['DeletedAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
          'application/json': components['schemas']['WebhookTestAnswer'];
        };
      };
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_DISABLED` | `WH4092` | `id` |  | the webhook is disabled; enable it first |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4092' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_PENDING_LIMIT` | `WH4222` | `id` |  | a thousand events wait to be sent to the webhook |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4222' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Too Many Requests.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_RATE_EXCEEDED` | `RQ4291` |  |  | the workspace has made too many webhooks, tests or replays; see Retry-After |
       */
      429: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4291' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_MISSING` | `RQ4002` |  |  | the endpoint takes a JSON object, and nothing came |
       *     | `BODY_NOT_UTF8` | `RQ4002` |  |  | the body is not UTF-8 |
       *     | `BODY_NOT_JSON` | `RQ4002` |  | how many characters come before what is wrong | the body is not JSON, or begins with a byte order mark |
       *     | `BODY_NOT_OBJECT` | `RQ4002` |  |  | the body is not one JSON object |
       *     | `KEY_REPEATED` | `RQ4002` | its name |  | a key comes twice in one object |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `IDEMPOTENCY_KEY_UNSUPPORTED` | `RQ4001` | `Idempotency-Key` |  | the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same |
       *     | `FIELD_MISSING` | `RQ4001` | its name | where it is one of several, of which one is required: those | the field is required |
       *     | `FIELD_TYPE_WRONG` | `RQ4001` | its name | the type that is wanted | of another JSON type, such as a number where a string is wanted |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `TIME_MALFORMED` | `RQ4001` | its name | what was received | not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       *     | `WEBHOOK_EVENT_NOT_FOUND` | `WH4042` | its name |  | no such event of the workspace, or not of a type that the webhook asked for |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041' | 'WH4042') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Conflict.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_REPLAY_UNDER_WAY` | `WH4093` | `id` |  | another replay of the webhook has not ended |
       */
      409: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4093' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Payload Too Large.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_TOO_LARGE` | `RQ4131` |  |  | the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB |
       */
      413: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4131' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unsupported Media Type.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `BODY_ENCODED` | `RQ4151` | `Content-Encoding` |  | the body is compressed |
       *     | `MEDIA_TYPE_UNSUPPORTED` | `RQ4151` | `Content-Type` |  | missing, or not application/json in UTF-8 |
       */
      415: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4151' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Unprocessable Entity.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_PENDING_LIMIT` | `WH4222` | `id` |  | a thousand events wait to be sent to the webhook |
       */
      422: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'WH4222' | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Too Many Requests.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_RATE_EXCEEDED` | `RQ4291` |  |  | the workspace has made too many webhooks, tests or replays; see Retry-After |
       */
      429: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: 'RQ4291' | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
        /** @description The webhook. */
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
      /**
       * @description Bad Request.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `TOO_MANY_VALUES` | `RQ4001` |  |  | far more keys or elements in the body, or parameters in the query, than the endpoint takes |
       *     | `FIELD_REPEATED` | `RQ4001` | its name |  | the query parameter comes twice |
       *     | `FIELD_MALFORMED` | `RQ4001` | its name | its form, as a regular expression or in words; where several exclude each other, those | not of its form; see the description of the endpoint |
       *     | `FIELD_OUT_OF_RANGE` | `RQ4001` | its name | the least or the greatest that is taken | too small or too large |
       *     | `CURSOR_MALFORMED` | `RQ4001` | its name |  | not a cursor of this list |
       */
      400: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Fields': components['headers']['X-Error-Fields'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          'X-Error-Value': components['headers']['X-Error-Value'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('RQ4002' | 'RQ4001') | components['schemas']['LaterValue'];
          };
        };
      };
      /**
       * @description Not Found.
       *
       *     | reason | code | field | value | when |
       *     | --- | --- | --- | --- | --- |
       *     | `WEBHOOK_NOT_FOUND` | `WH4041` | `id` |  | the workspace has no such webhook |
       */
      404: {
        headers: {
          /** @description Why, in a symbol that stays. */
          'X-Error-Reason'?: components['schemas']['ErrorReason'] | components['schemas']['LaterValue'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Error-Field': components['headers']['X-Error-Field'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureAnswer'] & {
            code?: ('GA2032' | 'WH4041') | components['schemas']['LaterValue'];
          };
        };
      };
      default: components['responses']['AnyRequest'];
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
  walletAlert: {
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
        'application/json': components['schemas']['WalletAlertMessage'];
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
