import { randomUUID } from 'node:crypto';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import type { Command, MeantLeg, Sent } from './sent.ts';

/* What clients ask for. */

const outside = 'EXTERNAL';
const legsMax = 5;
const capturesMax = 3;

/** A transfer of little, between the first wallets of a workspace, under a bizId of its own. */
export function smallTransfer({ wallets }: PreparedBooks, name: string): Command & { bizId: string } {
  const [sourceWalletId = '', targetWalletId = ''] = wallets.get('USD') ?? [];
  const bizId = `${name}-${randomUUID()}`;
  return { ...transfer({ sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' }, bizId), bizId };
}

export function transfer(leg: MeantLeg, bizId?: string): Command {
  return commandOf('create', bizId, bodyOf(leg), { type: 'TRANSFER', legs: [leg] });
}

/** @param sent to the workspace before: what was acknowledged of it may be captured or reversed. */
export function chooseCommand(
  books: PreparedBooks,
  sent: readonly Sent[],
  choices: Choices,
  bizId: string | undefined,
): Command {
  const kind = choices.whole(1, 100);
  if (kind <= 35) return transfer(chooseLeg(books, choices), bizId);
  if (kind <= 60) {
    const legs = Array.from({ length: choices.whole(1, legsMax) }, () => chooseLeg(books, choices, 15));
    return commandOf('journal', bizId, { legs: legs.map(bodyOf) }, { type: 'JOURNAL', legs });
  }
  if (kind <= 73) {
    const { amount, currency, ...sides } = chooseLeg(books, choices);
    const leg = { ...sides, amount, currency, ...(choices.chance(20) ? { targetWalletId: outside } : {}) };
    return commandOf('hold', bizId, bodyOf(leg), { type: 'HOLD', legs: [leg] });
  }
  const isCapture = kind <= 86;
  const types = isCapture ? ['HOLD'] : ['JOURNAL', 'CAPTURE'];
  const known = sent.filter(({ command, acknowledged }) => acknowledged && types.includes(command.means.type));
  if (known.length === 0) return transfer(chooseLeg(books, choices), bizId);
  const { command, acknowledged } = choices.pick(known);
  const [parentId, { legs }] = [acknowledged!.transferId, command.means];
  return isCapture ? captureOf(parentId, legs[0]!, books, choices, bizId) : reversalOf(parentId, legs, choices, bizId);
}

/** @param outsidePercent how often it comes from or goes to the world outside. */
function chooseLeg({ wallets }: PreparedBooks, choices: Choices, outsidePercent = 0): MeantLeg {
  const currency = choices.pick([...wallets.keys()]);
  const own = wallets.get(currency) ?? [];
  const sourceWalletId = choices.chance(50) ? own[0]! : choices.pick(own);
  const targetWalletId = choices.pick(own.filter((id) => id !== sourceWalletId));
  const amount = textOf(choices.whole(0, 19) * 100 + choices.whole(1, 99));
  const leg = { sourceWalletId, targetWalletId, amount, currency };
  if (!choices.chance(outsidePercent)) return leg;
  return choices.chance(50) ? { ...leg, sourceWalletId: outside } : { ...leg, targetWalletId: outside };
}

function captureOf(
  parentId: string,
  hold: MeantLeg,
  { wallets }: PreparedBooks,
  choices: Choices,
  bizId: string | undefined,
): Command {
  const { sourceWalletId, currency } = hold;
  const others = (wallets.get(currency) ?? []).filter((id) => id !== sourceWalletId);
  const count = choices.whole(1, capturesMax);
  const asked = Array.from({ length: count }, () => ({
    amount: partOf(hold.amount, count, choices),
    ...(choices.chance(40) ? {} : { targetWalletId: choices.pick(others) }),
  }));
  const legs = asked.map((each) => ({ ...hold, ...each }));
  const final = choices.chance(50) ? {} : { final: false };
  return commandOf(
    'capture',
    bizId,
    { transferId: parentId, legs: asked, ...final },
    { type: 'CAPTURE', parentId, legs },
  );
}

function reversalOf(
  parentId: string,
  originals: readonly MeantLeg[],
  choices: Choices,
  bizId: string | undefined,
): Command {
  const some = [...originals.keys()].filter(() => choices.chance(60));
  const places = some.length === 0 ? [0] : some;
  const asked = places.map((leg) => ({ leg, amount: partOf(originals[leg]!.amount, choices.whole(1, 3), choices) }));
  const legs = asked.toReversed().map(({ leg, amount }): MeantLeg => {
    const { sourceWalletId: targetWalletId, targetWalletId: sourceWalletId, currency } = originals[leg]!;
    return { sourceWalletId, targetWalletId, amount, currency, parentLeg: leg };
  });
  return commandOf('reverse', bizId, { transferId: parentId, legs: asked }, { type: 'REVERSAL', parentId, legs });
}

function commandOf(name: string, bizId: string | undefined, body: object, means: Command['means']): Command {
  return { name, body: bizId === undefined ? body : { bizId, ...body }, means };
}

/** What is said of a leg: nothing of the world outside. */
function bodyOf(leg: MeantLeg): object {
  return Object.fromEntries(Object.entries(leg).filter(([, value]) => value !== outside));
}

/** A part of an amount, of which so many are no more than the whole, unless it is too little for them. */
function partOf(amount: string, count: number, choices: Choices): string {
  return textOf(choices.whole(1, Math.max(1, Math.floor(Number(amount.replace('.', '')) / count))));
}

function textOf(cents: number): string {
  return (cents / 100).toFixed(2);
}
