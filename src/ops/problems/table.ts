import * as api from './api.ts';
import * as orders from './orders.ts';
import type { Problem } from './problem.ts';
import * as servers from './servers.ts';
import * as webhooks from './webhooks.ts';
import * as workers from './workers.ts';

/** Every problem that is known, those that wake somebody first, and causes before their consequences. */
export const problems: readonly Problem[] = [
  servers.serverDown,
  servers.masterKeysWrong,
  servers.queuesDiffer,
  servers.currenciesDiffer,
  servers.apiGone,
  servers.apiStarting,
  servers.serviceUnread,
  workers.noWorkers,
  workers.partitionsUnowned,
  workers.processesLost,
  workers.partitionPaused,
  orders.postingFails,
  orders.backlogOld,
  orders.backlogNearMax,
  api.apiErrors,
  webhooks.webhooksBehind,
  servers.draining,
  servers.clockOff,
  servers.clocksApart,
  servers.certificateExpires,
  servers.scrapeFails,
  servers.workersUnscraped,
  workers.orderTypeUnknown,
  orders.contention,
  workers.workersShort,
  orders.latencyHigh,
  orders.ordersStuck,
  orders.expiryLate,
  orders.scheduleLate,
  api.enqueueFails,
  webhooks.webhookEndpointDisabled,
  api.signaturesRefused,
  api.operationsDenied,
];
