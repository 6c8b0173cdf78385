import type { Document } from '../../plan/plan.ts';
import type { Card, Section } from '../model/cards.ts';
import { isSentence, type Note, type Row } from '../model/rows.ts';
import type { DiffLine, Run } from '../model/text-diff.ts';
import type { ShownValue, ValueInLines } from '../model/value.ts';
import { html, joined, type Markup, type Part } from './html.ts';
import { integrationLink, placed, tokenOf } from './parts.ts';

/** The sections of changes, each with its cards. */
export function sectionsPart(
  sections: readonly Section[],
  document: Document,
): Part {
  const homes = homesOf(sections.flatMap(({ cards }) => cards));
  return sections.map(({ tone, title, cards }) => {
    const written = cards.map((card) => {
      const rows = card.rows.map((row) => rowPart(row, document));
      return html`
<article class="card" tabindex="-1">${headPart(card, homes)}
<ul>${rows}</ul></article>`;
    });
    return html`
<section class="part ${tone}"><h2>${title}</h2>${written}</section>`;
  });
}

/** The card that a link to an integration leads to: its own if it has one. */
function homesOf(cards: readonly Card[]): Map<string, Card> {
  const homes = new Map<string, Card>();
  for (const card of cards) {
    for (const name of card.names) {
      const isOwn = card.title === undefined;
      if (isOwn || !homes.has(name)) homes.set(name, card);
    }
  }
  return homes;
}

function headPart(card: Card, homes: ReadonlyMap<string, Card>): Markup {
  const { names, title, ids, files, notes } = card;
  const hover = names.length === 1 && html` title="${ids.join(', ')}"`;
  const links = names.map((name) => {
    const link = html`<a href="${integrationLink(name)}"${hover}>${name}</a>`;
    const isHome = homes.get(name) === card;
    return isHome ? html`<span id="i-${name}">${link}</span>` : link;
  });
  const head =
    title === undefined
      ? html`<h3>${joined(links, ', ')}</h3>`
      : html`<h3>${title}</h3>`;
  const folded =
    title === undefined
      ? undefined
      : html`<details><summary>their names</summary>${joined(links, ', ')}</details>`;
  // Files of a shared change are as many as its integrations.
  const isFew = title === undefined || files.length === 1;
  const shown = isFew ? files.join(', ') : '';
  return html`<div class="head">${head} ${notes.map(tagPart)}<span class="files">${shown}</span>${folded}</div>`;
}

/** Its line, its field with what is said of it, and what changes. */
function rowPart(row: Row, document: Document): Markup {
  const [, name, part] = /^(.*?)(\.permission)?$/s.exec(row.field) ?? [];
  const [{ change }] = row.facts;
  const addresses = new Set(row.facts.map((fact) => fact.change.address));
  const tags: Part[] = [];
  const sentences: Part[] = [];
  for (const note of row.notes) {
    const { tone, text } = note;
    if (!isSentence(note)) tags.push(tagPart(note));
    else sentences.push(html`<small class="${tone}">${text}</small>`);
  }
  return html`
<li class="row" data-facts="${factsText(row)}" data-addresses="${[...addresses].join(' ')}"><span class="at">${placed(document, row.place, row.line)}</span>
<div class="field"><code><b>${name}</b>${part}</code> ${tags}<button class="copy" type="button" aria-label="Copy ${change.address}" title="Copy the address"></button>${sentences}</div>
<div class="value">${valuePart(row.value)}</div></li>`;
}

/** What the filter knows of a row, with its server once for each change. */
function factsText({ facts }: Row): string {
  const [{ change }] = facts;
  const { label, outcome, risks } = change;
  const tokens = [tokenOf('label', label)];
  if (outcome !== undefined) tokens.push(tokenOf('outcome', outcome));
  for (const risk of risks) tokens.push(tokenOf('risk', risk));
  for (const { server } of facts) tokens.push(tokenOf('server', server));
  return tokens.join('&');
}

function tagPart({ tone, text, title }: Note): Markup {
  const hover = title && html` title="${title}"`;
  return html`<span class="tag ${tone}"${hover}>${text}</span> `;
}

function valuePart(value: ShownValue): Markup {
  if (value.kind === 'lines') return linesPart(value);
  if (value.kind === 'line') {
    const { before, after } = value;
    const old = before && html`${before.map(runPart)} → `;
    return html`<code>${old}${after.map(runPart)}</code>`;
  }
  const members = value.members.map(({ mark, text }) => {
    return runPart({ mark, text: `${mark}\u00a0${text}` });
  });
  return html`<code>${joined(members, ' ')}</code>`;
}

function runPart({ mark, text }: Run): Part {
  if (mark === '-') return html`<del>${text}</del>`;
  if (mark === '+') return html`<ins>${text}</ins>`;
  return mark === '.' ? html`<i>${text}</i>` : text;
}

const LINE_CLASSES = { '-': 'out', '+': 'in', ' ': '', ':': 'gap' };

function linesPart({ lines, whole }: ValueInLines): Markup {
  const diff = html`<pre>${lines.map(linePart)}</pre>`;
  if (whole === undefined) return diff;
  return html`${diff}<details><summary>Show all of it</summary><pre>${whole.map(linePart)}</pre></details>`;
}

/** A line of a comparison; its parts are marked if they differ from it. */
function linePart({ mark, runs }: DiffLine): Markup {
  const parts = runs.map((run) => {
    const isLine = runs.length === 1 && run.mark === mark;
    return isLine ? run.text : runPart(run);
  });
  // No line breaks behind the mark, or a long word would leave it alone.
  return html`<span class="${LINE_CLASSES[mark]}">${mark === ':' ? ' ' : mark}\u00a0${parts}
</span>`;
}
