import type { Redis } from 'ioredis';

/** The two wallets whose balances an order changes. */
interface Sides {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
}

export type Turn = 'none' | 'for these' | 'goes on';

export interface Taken {
  /** For each order, in order, whether its wallets are this process's now. */
  readonly isTaken: readonly boolean[];
  /** Whether no other process gets any wallet meanwhile. */
  readonly hasTurn: boolean;
  /** The process whose turn it is, or whose wallet was the first that could not be had; undefined where all could. */
  readonly refusedBy: string | undefined;
}

export interface WalletClaims {
  /**
   * Claims the wallets of orders for this process, order by order: an order gets both of its wallets or neither, and none
   * overtakes an earlier one of the call on a wallet. Throws where Redis is away.
   * @param turn asks that no other process gets any wallet until this one calls with less need, or not for
   * {@link turnMs}: `for these` where not all of these orders' wallets are to be had, `goes on` in any case.
   */
  take(orders: readonly Sides[], turn: Turn): Promise<Taken>;
  /** Gives this process's wallets back. Throws where Redis is away. */
  release(walletIds: readonly string[]): Promise<void>;
}

/** Longer than nearly every group takes; what a process that died had claimed is free again after it. */
const claimedMs = 3_000;
/** How long a process that asked for a turn may keep the others waiting without a further call. */
const turnMs = 1_000;

/**
 * Claims of wallets between worker processes, so that groups in flight touch different wallets and none is rolled back.
 * A courtesy: the transactions themselves keep the money right, whoever claims what. A claim is a key of Redis that holds
 * the process's name and runs out by itself; a turn is one more. Where a process dies with wallets that another's turn
 * waits for, all wait until its claims have run out.
 */
export function createWalletClaims(redis: Redis, prefix: string, holder: string): WalletClaims {
  const turnKey = `${prefix}:turn`;
  const keyOf = (walletId: string): string => `${prefix}:claim:${walletId}`;
  return {
    async take(orders, turn) {
      const keys = [turnKey];
      for (const { sourceWalletId, targetWalletId } of orders) keys.push(keyOf(sourceWalletId), keyOf(targetWalletId));
      const answer = await redis.eval(takeScript, keys.length, ...keys, holder, claimedMs, turn, turnMs);
      const [refusedBy, hasTurn, taken] = answer as [string, number, number[]];
      return {
        isTaken: taken.map((flag) => flag === 1),
        hasTurn: hasTurn === 1,
        refusedBy: refusedBy === '' ? undefined : refusedBy,
      };
    },
    async release(walletIds) {
      if (walletIds.length > 0) await redis.eval(releaseScript, walletIds.length, ...walletIds.map(keyOf), holder);
    },
  };
}

/** KEYS: the turn; source and target of each order. ARGV: holder; ms of a claim; the turn asked for; ms of a turn. */
const takeScript = `
  local holder, claimedMs, asked, turnMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  local turn = redis.call('GET', KEYS[1])
  local isRefused = turn and turn ~= holder
  local values = isRefused and {} or redis.call('MGET', unpack(KEYS))
  local refusedBy, hasTurn = isRefused and turn or '', 0
  local claimed, passedOver, taken = {}, {}, {}
  local function isFree(index)
    local other = values[index] and values[index] ~= holder and values[index]
    if other and refusedBy == '' then refusedBy = other end
    return not other and not passedOver[KEYS[index]]
  end
  for source = 2, #KEYS, 2 do
    local target = source + 1
    local isTaken = not isRefused and isFree(source) and isFree(target)
    for index = source, target do
      if not isTaken then
        passedOver[KEYS[index]] = true
      elseif not claimed[KEYS[index]] then
        redis.call('SET', KEYS[index], holder, 'PX', claimedMs)
        claimed[KEYS[index]] = true
      end
    end
    taken[source / 2] = isTaken and 1 or 0
  end
  if not isRefused and (asked == 'goes on' or asked == 'for these' and refusedBy ~= '') then
    redis.call('SET', KEYS[1], holder, 'PX', turnMs)
    hasTurn = 1
  elseif turn == holder then
    redis.call('DEL', KEYS[1])
  end
  return { refusedBy, hasTurn, taken }
`;

/** KEYS: the wallets. ARGV: holder. */
const releaseScript = `
  for index, value in ipairs(redis.call('MGET', unpack(KEYS))) do
    if value == ARGV[1] then redis.call('DEL', KEYS[index]) end
  end
`;
