import type { Flow, Wallet } from '../domain/wallet.ts';
import type { Breach } from './breach.ts';
import { createChain } from './chain.ts';

/**
 * Checks whether a wallet's last flows follow from each other, and the wallet from the last of them.
 * @param flows oldest first, up to the wallet's sequence.
 * @param areAll whether these are all flows of the wallet. If not, the first one only serves to check the second.
 * @returns how many were checked, and what is wrong with them.
 */
export function checkLastFlows(wallet: Wallet, flows: readonly Flow[], areAll: boolean) {
  const breaches: Breach[] = [];
  const report = (kind: Breach['kind'], id: string, message: string): number => breaches.push({ kind, id, message });
  const chain = createChain(wallet.id, wallet, report, areAll ? undefined : flows[0]);
  const followed = areAll ? flows : flows.slice(1);
  for (const flow of followed) chain.add(flow);
  chain.reportWallet(wallet);
  return { count: followed.length, areAll, breaches };
}
