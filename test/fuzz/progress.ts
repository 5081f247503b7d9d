export interface Progress {
  /** Begins a phase, such as `posting`; what was shown of the one before stays. */
  begin: (phase: string, total: number) => void;
  show: (done: number) => void;
  end: () => void;
}

const startOfLine = '\r\x1b[K';
const barLength = 30;
const terminalEveryMs = 100;
/** In a log a line now and then is enough to see that it goes on. */
const logEveryMs = 10_000;

/** On a terminal a bar that is rewritten, elsewhere a line every ten seconds. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let [phase, total, done, startedAt, shownAt] = ['', 0, 0, 0, 0];
  const write = (): void => {
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const bar = '#'.repeat(Math.round(share * barLength)).padEnd(barLength, '.');
    const perSecond = Math.round(done / ((performance.now() - startedAt) / 1000));
    const line = `${phase.padEnd(9)} [${bar}] ${Math.floor(share * 100)} %  ${done} of ${total}, ${perSecond}/s`;
    stream.write(stream.isTTY ? startOfLine + line : `${line}\n`);
    shownAt = performance.now();
  };
  return {
    begin(nextPhase, nextTotal) {
      const now = performance.now();
      [phase, total, done, startedAt, shownAt] = [nextPhase, nextTotal, 0, now, now];
    },
    show(nextDone) {
      done = nextDone;
      if (performance.now() - shownAt > (stream.isTTY ? terminalEveryMs : logEveryMs)) write();
    },
    end() {
      write();
      if (stream.isTTY) stream.write('\n');
    },
  };
}
