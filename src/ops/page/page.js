// Keeps the live part of the page current. The server renders it. While something in the page is selected, to be copied, the
// part stays as it is, and is greyed, because it may be out of date.
const refreshEveryMs = 2_000;
const live = document.getElementById('live');

async function refresh() {
  let isCurrent = false;
  try {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(refreshEveryMs * 2) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const text = await answer.text();
    isCurrent = getSelection().isCollapsed;
    if (isCurrent) {
      live.innerHTML = text;
      document.title = document.getElementById('problems').dataset.title;
    }
  } catch {
    // Greyed too until the server answers again.
  }
  document.body.classList.toggle('stale', !isCurrent);
  setTimeout(() => void refresh(), refreshEveryMs);
}

if (live !== null) setTimeout(() => void refresh(), refreshEveryMs);
