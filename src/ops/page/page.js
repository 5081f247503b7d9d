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
    read();
    document.body.classList.remove('stale');
  } catch {
    // What is shown may be out of date, so it is greyed until the server answers again.
    document.body.classList.add('stale');
  }
  setTimeout(() => void refresh(), refreshEveryMs);
}

setTimeout(() => void refresh(), refreshEveryMs);

// The values of a plot at the moment under the pointer.
const reading = document.createElement('output');
reading.className = 'reading';
reading.hidden = true;
document.body.append(reading);
let pointed;

function read() {
  const canvas = pointed?.target.closest?.('.canvas');
  reading.hidden = !canvas?.isConnected;
  if (reading.hidden) return;
  const { left, width } = canvas.getBoundingClientRect();
  const figure = canvas.closest('figure');
  const series = [...figure.querySelectorAll('.key')].map(({ dataset }) => ({
    name: dataset.name,
    texts: dataset.texts.split('|'),
  }));
  const last = series[0].texts.length - 1;
  const place = Math.round(Math.min(1, Math.max(0, (pointed.clientX - left) / width)) * last);
  const at = new Date(Number(figure.dataset.from) + place * Number(figure.dataset.step));
  const values = series.map(({ name, texts }) => `${name} ${texts[place]}`);
  reading.textContent = [`${at.toISOString().slice(11, 19)} UTC`, ...values].join(' · ');
  const room = document.documentElement.clientWidth - reading.offsetWidth;
  reading.style.left = `${Math.max(0, Math.min(room, pointed.clientX - reading.offsetWidth / 2))}px`;
  reading.style.top = `${Math.max(0, canvas.getBoundingClientRect().top - reading.offsetHeight)}px`;
}

for (const event of ['pointermove', 'pointerdown']) {
  document.addEventListener(event, ({ target, clientX }) => {
    pointed = { target, clientX };
    read();
  });
}
document.documentElement.addEventListener('pointerleave', () => {
  pointed = undefined;
  read();
});
