import type { Model } from '../model/model.ts';
import { type Tally, talliesOf } from '../model/tallies.ts';
import { html, type Markup, type Part } from './html.ts';
import { tokenOf } from './parts.ts';

/** Fewer changes are seen at once. */
const FEWEST = 6;

/** More servers are a list. */
const MOST_CHIPS = 3;

/** The filter of the changes that are shown; its chips are a legend too. */
export function toolsPart({ sections, document }: Model): Part {
  const cards = sections.flatMap((section) => section.cards);
  const facts = cards.flatMap(({ rows }) => rows.flatMap((row) => row.facts));
  if (facts.length < FEWEST) return undefined;
  const { outcomes, risks, labels } = talliesOf(facts);
  const chips = [...outcomes, ...risks, ...labels].map(chipPart);
  const servers = new Map<string, number>();
  for (const { name } of document.servers) {
    const own = facts.filter(({ server }) => server === name);
    if (own.length > 0) servers.set(name, own.length);
  }
  const words = 'Filter by name, value or server';
  return html`
<div class="find"><input type="search" id="filter" placeholder="${words}" aria-label="${words}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"><output id="shown" for="filter"></output></div>
<div class="chips">${chips}${serversPart(servers)}</div>`;
}

function chipPart(tally: Tally): Markup {
  const { kind, key, words, tone, meaning, facts } = tally;
  const title = meaning && html` title="${meaning}"`;
  return html`
<button class="chip" type="button" aria-pressed="false" data-token="${tokenOf(kind, key)}"${title}><i class="sq ${tone}"></i><span>${words}</span> <b>${facts.length}</b></button>`;
}

/** Chips of a few servers, a list of more; nothing for one. */
function serversPart(servers: ReadonlyMap<string, number>): Part {
  if (servers.size < 2) return undefined;
  const isList = servers.size > MOST_CHIPS;
  const choices: Part[] = [];
  for (const [name, changes] of servers) {
    const token = tokenOf('server', name);
    choices.push(
      isList
        ? html`<option value="${token}">${name}</option>`
        : html`
<button class="chip" type="button" aria-pressed="false" data-token="${token}"><span>${name}</span> <b>${changes}</b></button>`,
    );
  }
  if (!isList) return choices;
  return html`
<select id="servers" aria-label="Server"><option value="">all servers</option>${choices}</select>`;
}
