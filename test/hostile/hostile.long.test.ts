import { chunkExtensions, tinySegments, unreadBodiesOps } from './attacks/bodies.ts';
import { endlessInterimAnswers, tinyAnswers } from './attacks/endless-answers.ts';
import { failingWebhook } from './attacks/webhook-owners.ts';
import { testAttacks } from './test-attacks.ts';

testAttacks([chunkExtensions, tinySegments, unreadBodiesOps, failingWebhook, endlessInterimAnswers, tinyAnswers]);
