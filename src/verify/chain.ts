import { hashFlow } from '../domain/flow-hash.ts';
import { flowId } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import type { BookedWallet } from '../storage/booked.ts';
import { collectBreaches, type Report } from './breach.ts';

/** What flows are compared with, of their wallet. */
type ChainWallet = Pick<BookedWallet, 'id' | 'workspaceId' | 'currency' | 'kind' | 'hadCredit'>;

/** What the last flows of a wallet have to give. */
type EndOfChain = Pick<BookedWallet, 'sequence' | 'flowHash' | 'balance' | 'debitFlows' | 'debits' | 'debitOrders'>;

/** Flows from before wallets could have limits do not say how many orders their wallet's debits are of. */
export type ChainFlow = Omit<Flow, 'debitOrders'> & { readonly debitOrders?: number | undefined };

/**
 * Follows one wallet's flows.
 * @param wallet undefined where none was found.
 * @param after the flow before the first that is added, taken as it is; absent if the first that is added is the wallet's
 * first.
 */
export function createChain(walletId: string, wallet: ChainWallet | undefined, report: Report, after?: ChainFlow) {
  let sequence = after?.sequence ?? 0;
  let balance = after?.balanceAfter ?? new Money(0);
  let hash = after?.hash ?? '';
  let debits = after?.debits ?? new Money(0);
  /** How many of those that were added are debits; of the wallet only if all of its flows are added. */
  let debitFlows = 0;
  const areAll = after === undefined;
  /** How many orders they are of; undefined until a flow says it. */
  let debitOrders = after?.debitOrders;
  /** The last of them. The flows of an order follow one another. */
  let debited: string | undefined;
  /** The hash of the last flow's content. It differs from that flow's own hash if the flow was altered. */
  let contentHash = hash;

  /** Checks the wallet's next flow. After a breach it continues from that flow's own values, so that a fault is named once. */
  function add(flow: ChainFlow): void {
    if (flow.id !== flowId(walletId, flow.sequence) || flow.walletId !== walletId) {
      report('flow-id', flow.id, `says wallet ${flow.walletId}, sequence ${flow.sequence}`);
    }
    // The place comes from the id, by which the flow was found. Its fields were just checked against the id.
    const place = Number(flow.id.slice(flow.id.lastIndexOf('.') + 1));
    const isNext = place === sequence + 1;
    if (!isNext) {
      report('sequence-gap', flow.id, `wallet ${walletId}: after flow ${sequence} comes ${place}`);
    } else if (!flow.balanceBefore.equals(balance)) {
      report(
        'flow-chain',
        flow.id,
        `balance before is ${show(flow.balanceBefore)}, the flow before left ${show(balance)}`,
      );
    }
    const isDebit = flow.direction === 'DEBIT';
    const debitsNow = isDebit ? debits.plus(flow.amount) : debits;
    if (isNext && !flow.debits.equals(debitsNow)) {
      report('flow-debits', flow.id, `says ${show(flow.debits)}, the flows up to it give ${show(debitsNow)}`);
    }
    const ordersNow = (debitOrders ?? 0) + (isDebit && flow.transferId !== debited ? 1 : 0);
    const saysNoneYet = debitOrders === undefined && flow.debitOrders === undefined;
    // Of the order of `after` it is not known whether it had a debit before.
    if (isNext && !saysNoneYet && flow.debitOrders !== ordersNow && flow.transferId !== after?.transferId)
      report('flow-debits', flow.id, `says that debits are of ${flow.debitOrders} orders, they are of ${ordersNow}`);
    if (isDebit) debited = flow.transferId;
    checkContent(flow, wallet, report);
    contentHash = isNext ? checkHash(flow) : flow.hash;
    sequence = place;
    balance = flow.balanceAfter;
    // Those that are no number would make all later ones breaches.
    debits = flow.debits.isNaN() ? debitsNow : flow.debits;
    debitOrders = flow.debitOrders ?? debitOrders;
    if (isDebit) debitFlows += 1;
    hash = flow.hash;
  }

  /** A flow whose own hash alone was altered does not make its successor a breach as well. */
  function checkHash(flow: ChainFlow): string {
    const expected = hashOf(hash, flow);
    if (flow.hash === expected) return expected;
    if (contentHash !== hash && flow.hash === hashOf(contentHash, flow)) return flow.hash;
    report('flow-hash', flow.id, `hash is ${flow.hash}, its content and the flow before give ${expected}`);
    return expected;
  }

  return {
    walletId,
    /** Sequence of the last flow that was added; 0 if there was none. */
    sequence: () => sequence,
    add,
    /** Reports how the wallet, as it is stored, differs from what its flows left. */
    compare(stored: EndOfChain, differs: Report): void {
      if (stored.sequence !== sequence) {
        differs('wallet-sequence', walletId, `says ${stored.sequence}, its last flow is number ${sequence}`);
      }
      if (!stored.balance.equals(balance)) {
        differs('wallet-balance', walletId, `says ${show(stored.balance)}, its flows give ${show(balance)}`);
      }
      if (stored.flowHash !== hash) {
        differs('wallet-hash', walletId, `says "${stored.flowHash}", its last flow "${hash}"`);
      }
      if (!stored.debits.equals(debits)) {
        differs('wallet-debits', walletId, `says ${show(stored.debits)}, its flows give ${show(debits)}`);
      }
      if (stored.debitOrders !== (debitOrders ?? 0)) {
        const right = `its flows say ${debitOrders ?? 0}`;
        differs('wallet-debits', walletId, `says that debits are of ${stored.debitOrders} orders, ${right}`);
      }
      if (areAll && stored.debitFlows !== debitFlows) {
        differs('wallet-debits', walletId, `says that ${stored.debitFlows} flows are debits, ${debitFlows} are`);
      }
    },
  };
}

/**
 * Checks whether a wallet's last flows follow from each other, and the wallet from the last of them.
 * @param flows oldest first, up to the wallet's sequence.
 * @param areAll whether these are all flows of the wallet. If not, the first one only serves to check the second.
 * @returns how many were checked, and what is wrong with them.
 */
export function checkLastFlows(wallet: Wallet, flows: readonly Flow[], areAll: boolean) {
  const { breaches, report } = collectBreaches();
  // Whether it had credit at some time is not known here: only that flows follow from each other is checked.
  const said = flows.map((flow) => ({ ...flow, debitOrders: flow.debitOrders === 0 ? undefined : flow.debitOrders }));
  const chain = createChain(wallet.id, { ...wallet, hadCredit: true }, report, areAll ? undefined : said[0]);
  const followed = areAll ? said : said.slice(1);
  for (const flow of followed) chain.add(flow);
  chain.compare(wallet, report);
  return { count: followed.length, areAll, breaches };
}

/** Checks what can be checked of a flow by itself. */
function checkContent(flow: ChainFlow, wallet: ChainWallet | undefined, report: Report): void {
  const { amount, balanceBefore, balanceAfter } = flow;
  const expected = flow.direction === 'DEBIT' ? balanceBefore.minus(amount) : balanceBefore.plus(amount);
  if (!balanceAfter.equals(expected) || !amount.greaterThan(0)) {
    const sum = `${show(balanceBefore)}, ${flow.direction} ${show(amount)}`;
    report('flow-arithmetic', flow.id, `${sum} does not give ${show(balanceAfter)}`);
  }
  if (wallet === undefined) return;
  if (flow.workspaceId !== wallet.workspaceId) {
    report('flow-workspace', flow.id, `is of workspace ${flow.workspaceId}, its wallet of ${wallet.workspaceId}`);
  }
  if (flow.currency !== wallet.currency) {
    report('flow-currency', flow.id, `is in ${flow.currency}, its wallet in ${wallet.currency}`);
  }
  // What limit a wallet with credit had then is not known.
  if (wallet.kind !== 'EXTERNAL' && !wallet.hadCredit && balanceAfter.lessThan(0)) {
    report('negative-balance', flow.id, `leaves ${show(balanceAfter)} on wallet ${wallet.id}`);
  }
}

/** A flow whose time is invalid cannot be hashed. It gets the empty string, which is no flow's hash. */
function hashOf(previousHash: string, flow: ChainFlow): string {
  const hasTime = flow.createdAt instanceof Date && !Number.isNaN(flow.createdAt.getTime());
  return hasTime ? hashFlow(previousHash, flow) : '';
}

function show(money: Money): string {
  return money.toFixed();
}
