import type { OrderToPost } from '../domain/order.ts';
import type { WalletClaims } from '../redis/walletClaims.ts';

export interface Claimant {
  readonly order: OrderToPost;
  /** When other processes' claims first held it up, or those before it. */
  heldUpAt?: number;
  /** Whether it was itself refused. */
  wasRefused?: boolean;
}

/** Keeps the groups of several processes apart. */
export interface SharedClaims extends WalletClaims {
  /** Whether others post now; alone, a claim is not worth its round trip. */
  areNeeded(): boolean;
}

export interface ClaimTools {
  readonly onClaimsFailed: (error: unknown) => void;
  /** Told once of each order that other processes' claims hold up. */
  readonly onHeldUp: (orders: readonly OrderToPost[]) => void;
}

/** While others are in flight, a group of fewer that leaves more behind waits for company: a transaction has a price. */
const groupSizeMin = 96;
/** Held up by other processes for longer, an order asks for a turn. */
const patienceMs = 1_000;

export interface Claimed<T> {
  readonly group: readonly T[];
  readonly hasTurn: boolean;
  readonly refusedBy: string | undefined;
}

export function alone<T>(group: readonly T[]): Claimed<T> {
  return { group, hasTurn: false, refusedBy: undefined };
}

/**
 * Which of the orders this process may post now.
 * @param behind the orders that wait behind them: as long as any was held up for long, this process's turn goes on.
 */
export async function claimGroup<T extends Claimant>(
  picked: readonly T[],
  behind: readonly Claimant[],
  claims: SharedClaims,
  tools: ClaimTools,
): Promise<Claimed<T>> {
  const now = performance.now();
  const turn = isOverdue(behind, now) ? 'goes on' : isOverdue(picked, now) ? 'for these' : 'none';
  try {
    const { isTaken, hasTurn, refusedBy } = await claims.take(
      picked.map(({ order }) => order),
      turn,
    );
    const group = picked.filter((_, index) => isTaken[index]);
    const refused = picked.filter(({ wasRefused }, index) => isTaken[index] !== true && wasRefused !== true);
    for (const claimant of refused) {
      claimant.wasRefused = true;
      claimant.heldUpAt ??= now;
    }
    tools.onHeldUp(refused.map(({ order }) => order));
    if (isWorthwhile(group, picked)) return { group, hasTurn, refusedBy };
    releaseGroup(group, claims, tools.onClaimsFailed);
    return { group: [], hasTurn, refusedBy };
  } catch (error) {
    // Claims only spare conflicts; without them MongoDB settles who was first.
    tools.onClaimsFailed(error);
    return alone(picked);
  }
}

function isOverdue(claimants: readonly Claimant[], now: number): boolean {
  return claimants.some(({ heldUpAt = now }) => now - heldUpAt > patienceMs);
}

export function releaseGroup(
  group: readonly Claimant[],
  claims: SharedClaims,
  onFailed: (error: unknown) => void,
): void {
  claims.release([...new Set(walletsOf(group))]).catch(onFailed);
}

/** Whether a group of some of the candidates should go now, or wait for company. */
export function isWorthwhile(group: readonly unknown[], candidates: readonly unknown[]): boolean {
  return group.length >= groupSizeMin || 2 * group.length >= Math.max(1, candidates.length);
}

export function walletsOf(group: readonly Claimant[]): string[] {
  return group.flatMap(({ order }) => [order.sourceWalletId, order.targetWalletId]);
}
