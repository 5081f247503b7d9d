/* global Idiomorph */

// Keeps the live part of the page current. The server renders it; this only replaces what has changed, so that a
// selection, the focus and what is opened stay.
const refreshEveryMs = 2_000;
const live = document.getElementById('live');

async function refresh() {
  try {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(refreshEveryMs * 2) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    Idiomorph.morph(live, await answer.text(), {
      morphStyle: 'innerHTML',
      callbacks: { beforeAttributeUpdated: (name) => name !== 'open' },
    });
    document.title = document.getElementById('problems').dataset.title;
    document.body.classList.remove('stale');
  } catch {
    // What is shown may be out of date, so it is greyed until the server answers again.
    document.body.classList.add('stale');
  }
  setTimeout(() => void refresh(), refreshEveryMs);
}

if (live !== null) setTimeout(() => void refresh(), refreshEveryMs);
