import { forgedSteps } from '../../auth/pipeline.ts';
import { counted } from './counted.ts';
import type { Problem } from './problem.ts';

export const apiErrors: Problem = {
  name: 'ApiErrors',
  severity: 'page',
  what: 'The API answers with errors of the service',
  follows: 'Clients are told to try again (503), or that the service failed (500).',
  toDo: "See the other problems first. For a 500, search the log for the answer's X-Request-Id.",
  ...counted({
    events: 'serverErrors',
    of: ['answered'],
    ...{ over: 0.01, floor: 0.1, isPercent: true },
    figure: (value) => `${value} of the answers`,
  }),
};

export const enqueueFails: Problem = {
  name: 'EnqueueFails',
  severity: 'ticket',
  what: 'Orders are recorded but not enqueued',
  follows: 'The sweeper brings them to the workers, some seconds later.',
  toDo: "See why Redis refuses jobs: the web processes' log says it.",
  ...counted({
    events: 'enqueueFailures',
    of: ['batches'],
    ...{ over: 0.01, floor: 0.05, isPercent: true },
    figure: (value) => `${value} of the groups`,
  }),
};

export const signaturesRefused: Problem = {
  name: 'SignaturesRefused',
  severity: 'ticket',
  what: 'Many requests fail authentication',
  follows: `Somebody guesses, or a client has an old secret: they are refused at the steps ${forgedSteps.join(', ')}.`,
  toDo: "The web processes' log counts them, in a line for each step and key a minute, with the address. A key can be stopped at once.",
  ...counted({ events: 'forged', over: 20, figure: (value) => `${value} a second` }),
};

export const operationsDenied: Problem = {
  name: 'OperationsDenied',
  severity: 'ticket',
  what: 'Someone asks the operations port without the right token',
  follows: 'They are refused. It may be a scraper with an old token.',
  toDo: 'Find out who it is: tokens that were presented are never logged.',
  ...counted({ events: 'denied', over: 0.1, figure: (value) => `${value} times a second` }),
};
