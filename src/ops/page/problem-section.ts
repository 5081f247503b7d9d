import { anchorOf } from '../markdown.ts';
import type { PresentProblem } from '../problems/follow.ts';
import { html, type Html } from './html.ts';

/** Of the live page; the number of problems stands first, to be read in a tab. */
export function titleOf(problems: readonly PresentProblem[]): string {
  return `${problems.length === 0 ? '' : `(${problems.length}) `}Transfers: operations`;
}

/**
 * How many problems there are, and each of them. page.js takes the title from here.
 * @param failingReceivers of webhooks: no problem of the service, but not well either.
 */
export function problemSection(problems: readonly PresentProblem[], failingReceivers = 0): Html {
  const count = problems.length;
  const well =
    failingReceivers === 0 ? 'All well' : `All well here; receivers of webhooks that fail: ${failingReceivers}`;
  const head = count === 0 ? well : count === 1 ? '1 problem' : `${count} problems`;
  return html`<h2 id="problems" data-title="${titleOf(problems)}">${head}</h2>
    ${problems.map(banner)}`;
}

/** What is wrong and since when, its consequence, what to do, where to read on, and what else follows from it. */
function banner({ name, severity, what, figure, since, follows, toDo, explained }: PresentProblem): Html {
  const anchor = anchorOf(name);
  const sinceWhen = since.toISOString().slice(0, 19).replace('T', ' ');
  return html`<p class="alarm ${severity}" role="alert" id="problem-${anchor}">
    <b>${what}${figure === undefined ? '' : `: ${figure}`}, since ${sinceWhen} UTC.</b> ${follows} <i>${toDo}</i>
    <a href="/docs/operations.md#${anchor}">Runbook</a>
    ${explained.length === 0 ? '' : html`<br />From it follows: ${explained.map(mention)}`}
  </p>`;
}

function mention({ what, figure }: PresentProblem, index: number): Html {
  return html`${index === 0 ? '' : '; '}${what}${figure === undefined ? '' : `: ${figure}`}`;
}
