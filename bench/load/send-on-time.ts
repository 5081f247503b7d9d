import { openConnection, type HttpAnswer, type LoadConnection } from './connection.ts';
import { createLatencyRecorder } from './latency.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import { makeRequests } from './make-requests.ts';
import { createSchedule, type Schedule } from './schedule.ts';
import { watchTerminal, type TerminalWatch } from './terminal-watch.ts';

const host = '127.0.0.1';
const startDelayMs = 200;
const answersTimeoutMs = 30_000;
const pendingText = '"status":"PENDING"';
const idText = '"transferId":"';
const idLength = 'tr_'.length + 26;

/**
 * Open loop: every request leaves when it is due, whatever became of those before it. One that finds every connection
 * busy is dropped, and counted.
 * @param onStart told when everything is ready to be sent.
 */
export async function sendOnTime(order: LoadOrder, onStart: () => void): Promise<LoadResult> {
  const schedule = createSchedule(order.ratePerSecond, order.seconds);
  const terminal = await watchTerminal(order.redisUrl, order.noticeChannel);
  const connections: LoadConnection[] = [];
  for (let index = 0; index < order.connections; index += 1) {
    connections.push(await openConnection(host, order.port));
  }
  const requests = makeRequests(order, schedule, new Date());
  const startedAt = performance.now() + startDelayMs;
  onStart();
  const tally = createTally(order, schedule, startedAt, terminal);
  const free = [...connections];
  let [sent, dropped] = [0, 0];

  for (let index = 0; index < schedule.count;) {
    const due = schedule.countDueBy(performance.now() - startedAt);
    for (; index < due; index += 1) {
      const request = requests[index];
      // By turns: one that has never sent anything is closed by the service once the time for its headers is over.
      const connection = request === undefined ? undefined : free.shift();
      if (request === undefined || connection === undefined) {
        dropped += 1;
        continue;
      }
      sent += 1;
      const own = index;
      connection.send(request, (answer) => {
        tally.add(own, answer);
        if (answer !== undefined) free.push(connection);
      });
    }
    await nextTurn();
  }
  const giveUpAt = performance.now() + answersTimeoutMs;
  while (tally.answered() < sent && performance.now() < giveUpAt) await nextTurn();
  await terminal.untilAll();
  for (const connection of connections) connection.close();
  terminal.close();
  return { sent, dropped, ...tally.result(sent) };
}

/** A millisecond's sleep: the cores are the servers', and what fell due meanwhile is sent at once. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

function createTally(order: LoadOrder, schedule: Schedule, startedAt: number, terminal: TerminalWatch) {
  const latencies = createLatencyRecorder();
  const byStatus: Record<string, number> = {};
  const acceptedIds: string[] = [];
  const acceptedIndexes: number[] = [];
  let [answered, broken, bytes, answeredTooSoon] = [0, 0, 0, 0];
  let lastAnswerAt = startedAt;
  return {
    answered: () => answered,
    add(index: number, answer: HttpAnswer | undefined): void {
      const now = performance.now();
      answered += 1;
      if (answer === undefined) {
        broken += 1;
        return;
      }
      lastAnswerAt = now;
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
      if (answer.status === 200) bytes += answer.body.length;
      latencies.record(now - startedAt - schedule.dueAtMs(index));
      if (answer.status !== 200 || order.kind !== 'create') return;
      if (order.awaitsEnd === true && answer.body.includes(pendingText)) answeredTooSoon += 1;
      for (const [line, id] of idsIn(answer.body).entries()) {
        acceptedIds.push(id);
        acceptedIndexes.push(index * (order.batch?.lines ?? 1) + line);
        terminal.expect(id, startedAt + schedule.dueAtMs(index));
      }
    },
    result(sent: number): Omit<LoadResult, 'sent' | 'dropped'> {
      const answerLatency = latencies.summary();
      const terminalLatency = terminal.summary();
      return {
        unanswered: sent - answered + broken,
        answeredTooSoon,
        byStatus,
        bytes,
        acceptedIds,
        acceptedIndexes,
        answerSeconds: (lastAnswerAt - startedAt) / 1000,
        terminalSeconds: (terminal.lastAt() - startedAt) / 1000,
        ...(answerLatency === undefined ? {} : { answerLatency }),
        ...(terminalLatency === undefined ? {} : { terminalLatency }),
      };
    },
  };
}

function idsIn(body: string): string[] {
  const ids: string[] = [];
  for (let at = body.indexOf(idText); at !== -1; at = body.indexOf(idText, at + idLength)) {
    ids.push(body.slice(at + idText.length, at + idText.length + idLength));
  }
  return ids;
}
