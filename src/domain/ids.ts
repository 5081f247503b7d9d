import { createHash, randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';

/** The prefix of an id says what it names. */
export const idPrefixes = {
  workspace: 'ws_',
  apiKey: 'ak_',
  wallet: 'wa_',
  totals: 'wt_',
  order: 'tr_',
  batch: 'ba_',
  flow: 'fl_',
  audit: 'au_',
  webhook: 'wh_',
  webhookEvent: 'ev_',
  webhookBatch: 'wb_',
} as const;

type Kind = keyof typeof idPrefixes;

/** How ids of test workspaces and of their keys begin, so that whoever has one knows what it is. */
const testPrefixes = { workspace: 'ts_', apiKey: 'ak_test_' } as const satisfies Partial<Record<Kind, string>>;

const fractionsDrawnAtOnce = 1_024;
const twoTo32 = 2 ** 32;
/** By how much a clock may be set back while ids still increase. Further back, what was ahead of it was wrong. */
const setBackMaxMs = 60_000;
const randomFraction = createRandomFractions();
/** What is dated by one clock. Ids by another, years ahead, must not carry it along. */
interface Timeline {
  nextUlid: (nowMs: number) => string;
  latestMs: number;
  readonly setBackMaxMs: number;
}
const timeline = (maxMs: number): Timeline => ({
  nextUlid: monotonicFactory(randomFraction),
  latestMs: 0,
  setBackMaxMs: maxMs,
});
const realTime = timeline(setBackMaxMs);
/** Of all test workspaces: where one's clock is behind that of the one before, it begins anew. */
const testTime = timeline(0);
const ulidTimeLength = 10;
const ulidRandomLength = 16;
/** Crockford's base 32, which has no I, L, O and U. */
const ulidForm = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * A new id: prefix and ULID. Ids of one process strictly increase, unless its clock is set back by more than
 * {@link setBackMaxMs}; those of several processes are ordered by their clocks. A document may be stored after another one
 * whose id is later. 80 random bits keep ids from being guessed.
 * Source: the ULID specification.
 */
// oxlint-disable-next-line project/ask-a-clock -- Only tests and tools leave the time out, by a rule of the linter.
export function newId(kind: Kind, now = new Date()): string {
  return idPrefixes[kind] + nextIn(realTime, now.getTime());
}

/** A new id of something in a workspace, of a time by its clock; see {@link newId}. */
export function newIdIn(workspaceId: string, kind: Kind, now: Date): string {
  return idPrefixes[kind] + nextIn(isTestWorkspace(workspaceId) ? testTime : realTime, now.getTime());
}

function nextIn(time: Timeline, nowMs: number): string {
  if (nowMs < time.latestMs - time.setBackMaxMs) {
    time.nextUlid = monotonicFactory(randomFraction);
    time.latestMs = nowMs;
  }
  time.latestMs = Math.max(time.latestMs, nowMs);
  return time.nextUlid(nowMs);
}

/** A new id of a workspace or of a key, by the real time. @param isTest whether it is of a test workspace. */
export function newIdOf(kind: 'workspace' | 'apiKey', isTest: boolean, now: Date): string {
  return (isTest ? testPrefixes : idPrefixes)[kind] + nextIn(realTime, now.getTime());
}

/** Whether a workspace is a test workspace, whose time is that of its own clock. Its id says so, for as long as it is kept. */
export function isTestWorkspace(workspaceId: string): boolean {
  return workspaceId.startsWith(testPrefixes.workspace);
}

function prefixOf(kind: Kind, id: string): string {
  const ofTest = (testPrefixes as Partial<Record<Kind, string>>)[kind];
  return ofTest !== undefined && id.startsWith(ofTest) ? ofTest : idPrefixes[kind];
}

/** The characters of an id, of five bits each. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An id of this time, whose other part is made from another id instead of at random. */
export function derivedId(kind: Kind, from: string, now: Date): string {
  const digest = createHash('sha256').update(from).digest();
  const characters = Array.from({ length: ulidRandomLength }, (_, index) => alphabet[(digest[index] ?? 0) % 32] ?? '');
  return idPrefixes[kind] + encodeTime(now.getTime(), ulidTimeLength) + characters.join('');
}

/**
 * Random numbers from 0 (inclusive) to 1 (exclusive), from the system's cryptographic source. Many are drawn at once,
 * because ulid's own source is called for each of an id's sixteen random characters. That takes longer than everything
 * else that a create computes.
 */
function createRandomFractions(): () => number {
  const drawn = new Uint32Array(fractionsDrawnAtOnce);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    return (drawn[used++] ?? 0) / twoTo32;
  };
}

/** The form of ids of a kind, as a regular expression. */
export function idForm(kind: Kind): string {
  return `^${idPrefixes[kind]}${ulidForm.source.slice(1)}`;
}

/** Whether a text has the form of an id; what it names may not exist. */
export function hasIdForm(kind: Kind, text: string): boolean {
  const prefix = prefixOf(kind, text);
  return text.startsWith(prefix) && ulidForm.test(text.slice(prefix.length));
}

/** The time in an id: when what it names was created. Only for ids of {@link newId}. */
export function timeOfId(kind: Kind, id: string): Date {
  return new Date(decodeTime(id.slice(prefixOf(kind, id).length)));
}

/** The least id of a moment: every id made at or after `time` is greater or equal, every earlier one is less. */
export function leastIdAt(kind: Kind, time: Date): string {
  return idPrefixes[kind] + encodeTime(Math.max(0, time.getTime()), ulidTimeLength) + '0'.repeat(ulidRandomLength);
}

/** Digits of a sequence inside a flow's id. The padding makes their order as text their order as numbers. */
const sequenceDigits = 12;
/** One less than the digits hold, so that the sequence after it can still be named. */
export const sequenceMax = 10 ** sequenceDigits - 2;

/**
 * A flow's id is its wallet and its sequence. So the primary key alone keeps a sequence from being used twice, and lists a
 * wallet's flows in order.
 */
export function flowId(walletId: string, sequence: number): string {
  return `${idPrefixes.flow}${walletId}.${String(sequence).padStart(sequenceDigits, '0')}`;
}

/** The sequence in an id of a wallet's flow; undefined if it is none. */
export function sequenceOfFlow(walletId: string, id: string): number | undefined {
  const sequence = Number(id.slice(-sequenceDigits));
  return id === flowId(walletId, sequence) ? sequence : undefined;
}

/** Greater than every flow's id of a wallet, and less than those of any greater wallet: "/" follows ".". */
export function pastFlowsOf(walletId: string): string {
  return `${idPrefixes.flow}${walletId}/`;
}

const externalPrefix = 'ex_';

/** The id of the one EXTERNAL wallet of a workspace and currency; no other wallet's id begins like it. */
export function externalWalletId(workspaceId: string, currency: string): string {
  return `${externalPrefix}${workspaceId.slice(idPrefixes.workspace.length)}${currency}`;
}

/** The id of a part of a workspace's totals. They are stored beside its wallets, and no wallet's id begins like it. */
export function totalsId(workspaceId: string, part: string): string {
  return `${idPrefixes.totals}${workspaceId}.${part}`;
}

/** Whether an id is that of totals, and not of a wallet. */
export function isTotalsId(id: string): boolean {
  return id.startsWith(idPrefixes.totals);
}

/** Whether an id is that of an EXTERNAL wallet, which clients never see. */
export function isExternalWalletId(walletId: string): boolean {
  return walletId.startsWith(externalPrefix);
}
