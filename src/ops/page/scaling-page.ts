import type { ShownScaling } from '../overview.ts';
import { html, type Html } from './html.ts';
import { table } from './parts.ts';
import { count, duration, percent, time } from './words.ts';

type Figure = Exclude<keyof ShownScaling, 'at' | 'isLowerBound'>;

const meanings: Readonly<Record<Figure, string>> = {
  suggestedWorkers: 'workers that the last minute asks for, from SCALE_WORKERS_MIN to SCALE_WORKERS_MAX',
  limitedBy: 'why more would not help: each partition has a worker, or the load is of workspaces in few partitions',
  workersAlive: 'workers have reported within 3 s, without those that are paused',
  pendingOrders: 'orders wait',
  oldestPendingSeconds: 'has the oldest of them waited',
  backlogSeconds: 'would the workers need for what waits, if nothing arrived',
  drainSeconds: 'until nothing waits, at the rate at which orders arrive; wanted is SCALE_DRAIN_SECONDS',
  capacityPerWorker: 'orders a second can a busy worker post, on average',
  busyShare: 'of the time, workers that have partitions had a group in hand',
  acceptedPerSecond: 'orders arrive a second, over 5 s',
  postedPerSecond: 'orders are posted a second, over 5 s',
};

/** For people, what scalers get as JSON. @param scaling undefined if it could not be read. */
export function scalingPage(scaling: ShownScaling | undefined): Html {
  if (scaling === undefined) return html`<p class="alarm"><b>MongoDB or Redis does not answer.</b></p>`;
  return html`<section>
    <h2>How many workers the load asks for</h2>
    ${table<Figure>({
      id: 'scaling',
      columns: {
        figure: (name) => html`<code>${name}</code>`,
        value: (name) => valueOf(name, scaling),
        meaning: (name) => meanings[name],
      },
      rows: Object.keys(meanings) as Figure[],
    })}
    <p class="nothing">As of ${time(scaling.at)}. Scalers get it as JSON, from the same address.</p>
    <p><a href="/">Back to the service</a></p>
  </section>`;
}

function valueOf(name: Figure, scaling: ShownScaling): string {
  const value = scaling[name];
  if (typeof value !== 'number') return value ?? (name === 'limitedBy' ? 'nothing' : 'never');
  if (name.endsWith('Seconds')) return duration(value * 1_000);
  if (name === 'busyShare') return percent(value);
  return name === 'pendingOrders' && scaling.isLowerBound ? `${count(value)} or more` : count(value);
}
