import type { PostingSession } from '../storage/processes/posting-sessions.ts';
import type { PostObserver } from './observer.ts';
import type { PostGroup, PostGroupIn } from './post-group.ts';

/** What posts a worker's groups in flight: one function for each session. @param observe hears how long any was busy. */
export function openSlots(
  sessions: readonly Pick<PostingSession, 'run'>[],
  postGroup: PostGroupIn,
  observe: Pick<PostObserver, 'busyFor'>,
): PostGroup[] {
  const whileBusy = createBusyClock(observe);
  return sessions.map(
    (own, slot) => (orders) => whileBusy(() => own.run((session) => postGroup(orders, { session, slot }))),
  );
}

/** Measures how long at least one group is in flight. */
function createBusyClock(observe: Pick<PostObserver, 'busyFor'>) {
  let inFlight = 0;
  let countedUntil = 0;
  function change(by: 1 | -1): void {
    const now = performance.now();
    if (inFlight > 0) observe.busyFor(now - countedUntil);
    countedUntil = now;
    inFlight += by;
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    change(1);
    try {
      return await work();
    } finally {
      change(-1);
    }
  };
}
