import { idPrefixes } from '../domain/ids.ts';
import { availableOf } from '../domain/wallet.ts';
import type { BookedFlow, BookedWallet } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import { collectBreaches, type Breach, type Report } from './breach.ts';
import { createChain } from './chain.ts';
import { createCompleted } from './completed.ts';
import { isJsonOfTexts } from './order.ts';
import { verifyLimits } from './limits.ts';
import { createFlowTimes } from './times.ts';

/** Gets what is read of the books' wallets and flows. */
interface Readers {
  /** Every wallet, as it was read last. */
  readonly onWallet: (wallet: BookedWallet) => void;
  /** Every flow that a wallet, as it was read last, includes. */
  readonly onFlow: (flow: BookedFlow) => void | Promise<void>;
  /** After each page, the number of flows so far. */
  readonly onPage: (flowCount: number) => void;
}

/**
 * Follows every wallet's flows and compares the wallet with its last one, by merging wallets and flows, both read by id. A
 * flow's id begins with its wallet's, and "." sorts before every character of an id, so both have the same order.
 * @returns how many wallets there are.
 */
export async function verifyWallets(books: Books, report: Report, readers: Readers): Promise<number> {
  const { onFlow, onPage } = readers;
  const wallets = createWalletReader(books.wallets());
  let flowCount = 0;
  let followers: Followers | undefined;
  let wallet: BookedWallet | undefined;

  const finishUntil = async (nextWalletId: string | undefined): Promise<void> => {
    if (followers !== undefined) await finish(books, report, readers, followers, wallet);
    for (;;) {
      const next = await wallets.takeBefore(nextWalletId);
      if (next === undefined) return;
      await finish(books, report, readers, follow(next.id, next, report), next);
    }
  };

  for await (const page of books.flows()) {
    for (const booked of page) {
      const walletId = walletIdOf(booked.flow.id);
      if (followers?.chain.walletId !== walletId) {
        await finishUntil(walletId);
        wallet = await wallets.take(walletId);
        followers = follow(walletId, wallet ?? (await books.walletWithFlowsAfter(walletId, 0)).wallet, report);
      }
      add(followers, booked, report);
      await onFlow(booked);
    }
    flowCount += page.length;
    onPage(flowCount);
  }
  await finishUntil(undefined);
  return wallets.count();
}

type Followers = ReturnType<typeof follow>;

/** What follows one wallet's flows. */
function follow(walletId: string, wallet: BookedWallet | undefined, report: Report) {
  return {
    chain: createChain(walletId, wallet, report),
    completed: createCompleted(),
    times: createFlowTimes(wallet, report),
  };
}

function add({ chain, completed, times }: Followers, { flow, order }: BookedFlow, report: Report): void {
  chain.add(flow);
  completed.add(flow, order, report);
  times.add(flow, order);
}

/**
 * Compares a wallet with its flows. They may differ without a breach, by what was posted between reading the one and the
 * other. So a wallet that differs is read again, in one snapshot with the flows that came since. If it still differs, that
 * is a breach.
 */
async function finish(
  books: Books,
  report: Report,
  { onWallet, onFlow }: Readers,
  followers: Followers,
  wallet: BookedWallet | undefined,
): Promise<void> {
  const { chain, completed, times } = followers;
  const differencesOf = (stored: BookedWallet | undefined): Breach[] => {
    const { breaches, report: differs } = collectBreaches();
    if (stored === undefined) {
      differs('wallet-missing', chain.walletId, `has ${chain.sequence()} flows and does not exist`);
    } else {
      chain.compare(stored, differs);
      completed.compare(stored, chain.sequence(), differs);
      times.compare(stored, differs);
    }
    return breaches;
  };
  let current = wallet;
  let differences = differencesOf(current);
  if (differences.length > 0) {
    const again = await books.walletWithFlowsAfter(chain.walletId, chain.sequence());
    for (const booked of again.flows) {
      add(followers, booked, report);
      await onFlow(booked);
    }
    current = again.wallet;
    differences = differencesOf(current);
  }
  for (const { kind, id, message } of differences) report(kind, id, message);
  if (current === undefined) return;
  onWallet(current);
  checkAlone(current, report);
  await verifyLimits(books, current, report);
}

/** Checks what can be checked of a wallet by itself. */
function checkAlone(wallet: BookedWallet, report: Report): void {
  const { id, kind, status, balance, held, currency, metadata } = wallet;
  const available = availableOf(wallet);
  if (kind !== 'EXTERNAL' && available.lessThan(0)) {
    report('negative-balance', id, `has ${available.toFixed()} ${currency} available`);
  }
  if (status === 'CLOSED' && !(balance.isZero() && held.isZero()))
    report('wallet-closed', id, `is CLOSED with ${balance.toFixed()} ${currency}, ${held.toFixed()} of it held`);
  if (!isJsonOfTexts(metadata)) report('wallet-fields', id, 'has metadata that cannot be read');
}

/** The wallet that a flow's id names; the whole id if it names none. */
function walletIdOf(flowId: string): string {
  const end = flowId.lastIndexOf('.');
  return flowId.slice(flowId.startsWith(idPrefixes.flow) ? idPrefixes.flow.length : 0, end === -1 ? undefined : end);
}

function createWalletReader(pages: AsyncGenerator<BookedWallet[], void, undefined>) {
  let page: BookedWallet[] = [];
  let index = 0;
  let taken = 0;
  const takeIf = async (isWanted: (wallet: BookedWallet) => boolean): Promise<BookedWallet | undefined> => {
    if (index === page.length) {
      const next = await pages.next();
      page = next.done === true ? [] : next.value;
      index = 0;
    }
    const wallet = page[index];
    if (wallet === undefined || !isWanted(wallet)) return undefined;
    index += 1;
    taken += 1;
    return wallet;
  };
  return {
    /** The next wallet, if its id is less than `id`; any next one where `id` is undefined. */
    takeBefore: (id: string | undefined) => takeIf((wallet) => id === undefined || wallet.id < id),
    /** The next wallet, if it is this one. */
    take: (id: string) => takeIf((wallet) => wallet.id === id),
    count: () => taken,
  };
}
