import type { Alarm } from '../alarms.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { runbookLink } from './links.ts';

/** What holds now: each with what follows from it, what to do, and where to read on. */
export function banners(alarms: readonly Alarm[]): Html[] {
  return alarms.map(
    ({ what, follows, toDo, runbook }) =>
      html`<p class="alarm" role="alert" id="alarm-${runbook}">
        <b>${what}.</b> ${follows} <i>${toDo}</i> ${runbookLink(runbook)}
      </p>`,
  );
}
