/** Orders of one workspace, by id, in the order in which they are to be posted. */
export interface WorkspaceOrders {
  readonly workspaceId: string;
  readonly orderIds: readonly string[];
}

/** Divides orders by their workspace; within one they keep their order. */
export function byWorkspace(
  orders: readonly { readonly id: string; readonly workspaceId: string }[],
): WorkspaceOrders[] {
  return [...Map.groupBy(orders, ({ workspaceId }) => workspaceId)].map(([workspaceId, ofWorkspace]) => ({
    workspaceId,
    orderIds: ofWorkspace.map(({ id }) => id),
  }));
}

export function countOrders(batches: readonly WorkspaceOrders[]): number {
  return batches.reduce((total, { orderIds }) => total + orderIds.length, 0);
}
