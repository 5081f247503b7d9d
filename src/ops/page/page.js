// Keeps the live part of the page current. The server renders it; this only puts it in its place.
const refreshEveryMs = 2_000;
const live = document.getElementById('live');

async function refresh() {
  try {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(refreshEveryMs * 2) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    live.innerHTML = await answer.text();
    document.body.classList.remove('stale');
  } catch {
    // What is shown is no longer true: it is greyed until the server answers again.
    document.body.classList.add('stale');
  }
  setTimeout(() => void refresh(), refreshEveryMs);
}

setTimeout(() => void refresh(), refreshEveryMs);
