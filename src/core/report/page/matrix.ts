import { count } from '../../findings/words.ts';
import { serversText } from '../model/facts.ts';
import type { Cell, Matrix, MatrixRow } from '../model/matrix.ts';
import { integrationLink } from './changes.ts';
import { html, joined, type Markup, type Part } from './html.ts';

/** The most servers that the head of a column names. */
const MOST_NAMES = 3;

/** The rows of a table; a browser puts as many beside each other as fit. */
const TABLE_ROWS = 10;

/** Integrations by groups of equal servers, in tables beside each other. */
export function matrixPart(matrix: Matrix | undefined): Part {
  if (matrix === undefined) return undefined;
  const { columns, rows } = matrix;
  const heads = columns.map((names) => {
    const isFew = names.length <= MOST_NAMES;
    return isFew ? names : [count(names.length, 'server')];
  });
  const tables: Part[] = [];
  for (let at = 0; at < rows.length; at += TABLE_ROWS) {
    tables.push(tablePart(rows.slice(at, at + TABLE_ROWS), heads, columns));
  }
  const counted = columns.filter(({ length }) => length > MOST_NAMES);
  const names = counted.map((servers) => {
    return html`<p>${count(servers.length, 'server')}: ${servers.join(', ')}</p>`;
  });
  const folded =
    names.length > 0 &&
    html`<details><summary>names of the servers</summary>${names}</details>`;
  return html`
<nav class="matrix" aria-label="Changes by integration and server">${tables}${folded}</nav>`;
}

function tablePart(
  rows: readonly MatrixRow[],
  heads: readonly (readonly string[])[],
  columns: Matrix['columns'],
): Markup {
  const head = heads.map((lines) => {
    return html`<th scope="col">${joined(lines, html`<br>`)}</th>`;
  });
  const body = rows.map(({ name, cells }) => {
    const isLeft = cells.every(({ changes }) => changes === 0);
    const link = html`<a href="${integrationLink(name)}">${name}</a>`;
    const own = cells.map((cell, at) => {
      return html`<td>${cellPart(name, cell, columns[at] ?? [])}</td>`;
    });
    return html`
<tr><th scope="row">${isLeft ? name : link}</th>${own}</tr>`;
  });
  return html`
<table><thead><tr><td></td>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function cellPart(
  name: string,
  { tone, changes }: Cell,
  servers: readonly string[],
): Part {
  if (tone === 'none') return undefined;
  if (tone === 'left') {
    return html`<span class="sq left" role="img" aria-label="left out" title="left out"></span>`;
  }
  const label = `${name} on ${serversText(servers)}: ${count(changes, 'change')}`;
  return html`<a class="sq ${tone}" href="${integrationLink(name)}" aria-label="${label}">${changes}</a>`;
}
