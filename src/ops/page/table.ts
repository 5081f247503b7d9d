import { html, type Html, type Part } from './html.ts';

/** The content of each column, by the column's name. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Part>>;

interface TableOptions<Row> {
  readonly id: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** Names a row, so that a refresh finds it again and keeps what is selected in it. */
  readonly key?: (row: Row) => string;
  /** The text shown if there are no rows. */
  readonly nothing: string;
}

/** A table. On a narrow screen each row is a card, and each cell says its column's name. */
export function table<Row>({ id, columns, rows, key, nothing }: TableOptions<Row>): Html {
  if (rows.length === 0) return html`<p class="nothing" id="${id}">${nothing}</p>`;
  const cells = (row: Row): Html[] =>
    Object.entries(columns).map(([name, cell]) => html`<td data-column="${name}"><span>${cell(row)}</span></td>`);
  return html`<table id="${id}">
    <thead>
      <tr>
        ${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) =>
        key === undefined
          ? html`<tr>
              ${cells(row)}
            </tr>`
          : html`<tr id="${id}-${key(row)}">
              ${cells(row)}
            </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A list of facts about one thing, each with its name. */
export function facts(known: Readonly<Record<string, Part>>): Html {
  return html`<dl>
    ${Object.entries(known).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
