import { countedStatuses } from '../domain/order-counts.ts';
import type { BookedOrder, BookedWallet } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import { countedIn } from '../storage/wallets/totals.ts';
import type { Report } from './breach.ts';

/** How often a workspace's wallets are counted, if they change meanwhile. */
const countsMax = 3;

/** The states in which orders are counted. */
const counted: ReadonlySet<string> = new Set(countedStatuses);

/** Numbers by {@link keyOf}. */
type Counts = Map<string, number>;

/**
 * Counts orders and wallets as verification reads them, and compares them with the totals of their workspaces. Orders may
 * be posted or cancelled meanwhile. Their totals only rise, so what is found lies between those of before and after; at
 * rest that is one number. Wallets that do not agree are counted once more, between two equal totals.
 */
export async function createRecount(books: Books) {
  const before = await readTotals(books, 'orders');
  const orders: Counts = new Map();
  const wallets: Counts = new Map();

  function compareOrders(after: Counts, report: Report): void {
    for (const key of new Set([...before.keys(), ...orders.keys(), ...after.keys()])) {
      const numberIn = (counts: Counts): number => counts.get(key) ?? 0;
      const [actual, most] = [numberIn(orders), numberIn(after)];
      // Those of several currencies are taken away from the sum of all: their number falls.
      const [least, greatest] = [Math.min(numberIn(before), most), Math.max(numberIn(before), most)];
      if (least <= actual && actual <= greatest) continue;
      const [workspaceId = '', ...what] = key.split(' ');
      report('order-totals', workspaceId, `says ${most} orders ${what.join(' ')}, there are ${actual}`);
    }
  }

  async function compareWallets(report: Report): Promise<void> {
    const suspect = new Set(differences(wallets, await readTotals(books, 'wallets')).map(workspaceOf));
    for (const workspaceId of suspect) {
      for (const key of await differingWallets(books, workspaceId)) {
        const [, ...what] = key.split(' ');
        report('wallet-totals', workspaceId, `says another number of wallets ${what.join(' ')} than there are`);
      }
    }
  }

  return {
    addOrder({ workspaceId, legs, type, status }: BookedOrder): void {
      if (!counted.has(status)) return;
      for (const [currency, by] of countedIn(legs)) add(orders, keyOf(workspaceId, currency, type, status), by);
    },
    addWallet(wallet: BookedWallet): void {
      addWallet(wallets, wallet);
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      compareOrders(await readTotals(books, 'orders'), report);
      await compareWallets(report);
    },
  };
}

/** @returns none if the totals change each time that the wallets are counted. */
async function differingWallets(books: Books, workspaceId: string): Promise<string[]> {
  for (let count = 0; count < countsMax; count += 1) {
    const before = await readTotals(books, 'wallets', workspaceId);
    const actual: Counts = new Map();
    for await (const page of books.walletsOf(workspaceId)) for (const wallet of page) addWallet(actual, wallet);
    const after = await readTotals(books, 'wallets', workspaceId);
    if (differences(before, after).length === 0) return differences(actual, after);
  }
  return [];
}

async function readTotals(books: Books, what: 'orders' | 'wallets', ofWorkspace?: string): Promise<Counts> {
  const counts: Counts = new Map();
  for await (const page of books.totals(ofWorkspace)) {
    for (const part of page) {
      addCounts(counts, part.workspaceId, part[what] ?? {});
    }
  }
  return counts;
}

/** Numbers in any depth: by currency and state, and of orders by type between them. */
interface Nested {
  readonly [of: string]: number | Nested;
}

function addCounts(to: Counts, key: string, counts: Nested): void {
  for (const [of, number] of Object.entries(counts)) {
    if (typeof number === 'object') addCounts(to, keyOf(key, of), number);
    else add(to, keyOf(key, of), number);
  }
}

function addWallet(to: Counts, { kind, workspaceId, currency, status }: BookedWallet): void {
  // Clients see no others.
  if (kind === 'STANDARD') add(to, keyOf(workspaceId, currency, status), 1);
}

function keyOf(...parts: readonly string[]): string {
  return parts.join(' ');
}

function workspaceOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

function add(to: Counts, key: string, by: number): void {
  to.set(key, (to.get(key) ?? 0) + by);
}

/** The keys whose numbers differ. */
function differences(a: Counts, b: Counts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => (a.get(key) ?? 0) !== (b.get(key) ?? 0));
}
