import { anchorOf } from '../markdown.ts';
import type { PresentProblem } from '../problems/follow.ts';
import { html, type Html } from './html.ts';

/** Of the live page; the number of problems stands first, to be read in a tab. */
export function titleOf(problems: readonly PresentProblem[]): string {
  return `${problems.length === 0 ? '' : `(${problems.length}) `}Transfers: operations`;
}

/** How many problems there are, and each of them. page.js takes the title from here. */
export function problemSection(problems: readonly PresentProblem[]): Html {
  const count = problems.length;
  const head = count === 0 ? 'All well' : count === 1 ? '1 problem' : `${count} problems`;
  return html`<h2 id="problems" data-title="${titleOf(problems)}">${head}</h2>
    ${problems.map(banner)}`;
}

/** What is wrong and since when, its consequence, what to do, and where to read on. */
function banner({ name, severity, what, figure, since, follows, toDo }: PresentProblem): Html {
  const anchor = anchorOf(name);
  const sinceWhen = since.toISOString().slice(0, 19).replace('T', ' ');
  return html`<p class="alarm ${severity}" role="alert" id="problem-${anchor}">
    <b>${what}${figure === undefined ? '' : `: ${figure}`}, since ${sinceWhen} UTC.</b> ${follows} <i>${toDo}</i>
    <a href="/docs/operations.md#${anchor}">Runbook</a>
  </p>`;
}
