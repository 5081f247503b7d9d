import type { Attack } from './attack.ts';
import { chunkExtensions, tinyChunks, tinySegments, unreadBodies, unreadBodiesOps } from './attacks/bodies.ts';
import { endlessInterimAnswers, tinyAnswers } from './attacks/endless-answers.ts';
import { halfSentBodies, refusedBodies } from './attacks/large-bodies.ts';
import { longLocales } from './attacks/long-locales.ts';
import { failingWebhook, replays } from './attacks/webhook-owners.ts';
import { unreadAnswers } from './attacks/unread-answers.ts';

/** Every attack, in the order in which they are made. */
export const attacks: readonly Attack[] = [
  unreadAnswers,
  longLocales,
  tinyChunks,
  chunkExtensions,
  tinySegments,
  unreadBodies,
  unreadBodiesOps,
  refusedBodies,
  halfSentBodies,
  failingWebhook,
  replays,
  endlessInterimAnswers,
  tinyAnswers,
];
