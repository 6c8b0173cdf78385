import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan-document.ts';
import { visible } from '../escape.ts';
import {
  type Card,
  isSentence,
  type Note,
  type Row,
  type Section,
} from '../model/cards.ts';
import { serversIn, talliesOf } from '../model/facts.ts';
import type { Model } from '../model/model.ts';
import { type DiffLine, folded, type Run } from '../model/text-diff.ts';
import type { ShownValue } from '../model/value.ts';
import { placeLink } from '../repository.ts';
import { html, joined, type Markup, type Part } from './html.ts';

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
  const { names, title, files, notes } = card;
  const links = names.map((name) => {
    const link = html`<a href="${integrationLink(name)}">${name}</a>`;
    const isHome = homes.get(name) === card;
    return isHome ? html`<span id="i-${name}">${link}</span>` : link;
  });
  const shown = joined(links, ', ');
  const folded =
    title && html`<details><summary>their names</summary>${shown}</details>`;
  // Files of a shared change are as many as its integrations.
  const isFew = title === undefined || files.length === 1;
  return html`<div class="head"><h3>${title ?? shown}</h3> ${notes.map(tagPart)}<span class="files">${isFew && files.join(', ')}</span>${folded}</div>`;
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
  if (value.lines !== undefined) return linesPart(value.lines);
  const old = value.before && html`${value.before.map(runPart)} → `;
  return html`<code>${old}${value.after.map(runPart)}</code>`;
}

function runPart({ mark, text }: Run): Part {
  if (mark === '-') return html`<del>${text}</del>`;
  if (mark === '+') return html`<ins>${text}</ins>`;
  return mark === '.' ? html`<i>${text}</i>` : text;
}

const LINE_CLASSES = { '-': 'out', '+': 'in', ' ': '', ':': 'gap' };

/** A line may break behind a hyphen, and behind a minus not. */
const LINE_MARKS = { '-': '\u2212', '+': '+', ' ': ' ', ':': ' ' };

/** Lines of a comparison; if any is cut, all of them whole in a fold. */
function linesPart(lines: readonly DiffLine[]): Markup {
  let isCut = false;
  const short = lines.map((line): DiffLine => {
    const runs = folded(line.runs);
    if (runs.length > line.runs.length) isCut = true;
    return { mark: line.mark, runs };
  });
  const whole =
    isCut &&
    html`<details><summary>Show all of it</summary><pre>${lines.map(linePart)}</pre></details>`;
  return html`<pre>${short.map(linePart)}</pre>${whole}`;
}

/** A line of a comparison; its parts are marked if they differ from it. */
function linePart({ mark, runs }: DiffLine): Markup {
  const parts = runs.map((run) => {
    const isLine = runs.length === 1 && run.mark === mark;
    return isLine ? run.text : runPart(run);
  });
  // No line breaks behind the mark, or a long word would leave it alone.
  return html`<span class="${LINE_CLASSES[mark]}">${LINE_MARKS[mark]}\u00a0${parts}
</span>`;
}

/** A link to the part of a page about an integration. */
export function integrationLink(name: string): string {
  return `#i-${encodeURIComponent(visible(name))}`;
}

/** A place in the words of `text`, as a link if the repository is known. */
export function placed(
  document: Document,
  place: Place | undefined,
  text: string,
): Part {
  const link = place && placeLink(document, place);
  if (link === undefined) return text;
  return html`<a href="${link}" rel="noreferrer">${text}</a>`;
}

/** A fact of a change as the filter and the address of a page have it. */
function tokenOf(kind: string, value: string): string {
  return new URLSearchParams([[kind, value]]).toString();
}

/** Fewer changes are seen at once. */
const FEWEST = 6;

/** The filter of the changes that are shown; its chips are a legend too. */
export function toolsPart({ sections, document }: Model): Part {
  const cards = sections.flatMap((section) => section.cards);
  const facts = cards.flatMap(({ rows }) => rows.flatMap((row) => row.facts));
  if (facts.length < FEWEST) return undefined;
  const { outcomes, risks, labels } = talliesOf(facts);
  const chips = [...outcomes, ...risks, ...labels].map((tally) => {
    const { kind, key, words, tone, meaning } = tally;
    const title = meaning && html` title="${meaning}"`;
    return html`
<button class="chip" type="button" aria-pressed="false" data-token="${tokenOf(kind, key)}"${title}><i class="sq ${tone}"></i><span>${words}</span> <b>${tally.facts.length}</b></button>`;
  });
  const changed = new Set(serversIn(facts));
  const servers = document.servers.map(({ name }) => name);
  const names = servers.filter((name) => changed.has(name));
  const choices = names.map((name) => {
    return html`<option value="${tokenOf('server', name)}">${name}</option>`;
  });
  const list =
    names.length > 1 &&
    html`
<select id="servers" aria-label="Server"><option value="">all servers</option>${choices}</select>`;
  const words = 'Filter by name, value or server';
  return html`
<div class="find"><input type="search" id="filter" placeholder="${words}" aria-label="${words}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"><output id="shown" for="filter"></output></div>
<div class="chips">${chips}${list}</div>`;
}
