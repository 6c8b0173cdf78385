import { RISKS } from '../../plan/risk.ts';
import { TONES } from '../model/card.ts';
import type { Model } from '../model/model.ts';
import { LABELS } from '../model/tally.ts';
import { type Attributes, type Child, element, type Markup } from './markup.ts';
import { outcomeWords, shownMeanings } from './outcomes.ts';
import { dim, hushed, type Look, square, token, worstFirst } from './parts.ts';

/** The most servers with a chip each; more are a list to select from. */
const MOST_SERVERS = 8;

/** What the filter can be set to. */
interface Choice {
  readonly token: string;
  /** People may type it in place of the token. */
  readonly text: string;
  /** What it keeps, as the end of a sentence: `on prod`. */
  readonly meaning: string;
}

/** A button that filters, and says how many changes it keeps. */
interface Chip extends Choice {
  readonly look?: Look | undefined;
  readonly count: number;
  readonly title?: string | undefined;
}

/** The filter: legend and totals in one. The script shows it. */
export function toolsOf(model: Model): Markup {
  const groups: Child[] = [
    chipGroup('Outcome', outcomeChips(model)),
    chipGroup('Risk', riskChips(model)),
    chipGroup('Moved by', labelChips(model)),
    serverGroup(model),
  ];
  return element(
    'search',
    { class: 'tools', hidden: true },
    findBox(model),
    element('div', { class: 'chips' }, ...groups),
  );
}

function findBox({ pair }: Model): Markup {
  const noun = pair === undefined ? 'change' : 'difference';
  return element(
    'div',
    { class: 'find' },
    element('input', {
      type: 'search',
      id: 'filter',
      placeholder: 'Words on buttons or in changes, "exact text", -not',
      title: 'risk: label: server: outcome: name a kind of button',
      'aria-label': `Filter the ${noun}s`,
      'aria-keyshortcuts': '/',
      autocomplete: 'off',
      spellcheck: 'false',
    }),
    element('output', { id: 'shown', for: 'filter', 'data-name': noun }),
  );
}

function outcomeChips({ tallies, document }: Model): Chip[] {
  const meanings = shownMeanings(document);
  const chips: Chip[] = [];
  for (const { name, count } of worstFirst(tallies)) {
    const text = outcomeWords(name);
    chips.push({
      token: token('outcome', name),
      look: TONES[name],
      text,
      meaning: text,
      count,
      title: meanings[name],
    });
  }
  return chips;
}

function riskChips({ tallies, facts }: Model): Chip[] {
  const refused = new Set(facts.map((fact) => fact.refused));
  return tallies.risks.map(({ name, count }) => ({
    token: token('risk', name),
    look: refused.has(name) ? 'bad' : 'risk',
    text: name,
    meaning: name,
    count,
    title: RISKS[name].words,
  }));
}

function labelChips({ hasBase, tallies }: Model): Chip[] {
  if (!hasBase) return [];
  return tallies.labels.map(({ name, count }) => ({
    token: token('label', name),
    look: name,
    text: LABELS[name].short,
    meaning: LABELS[name].counted,
    count,
  }));
}

function serverGroup(model: Model): Markup | undefined {
  const names = model.document.servers.map(({ name }) => name);
  if (names.length < 2) return undefined;
  if (names.length > MOST_SERVERS) return serverList(names);
  const counts = new Map<string, number>();
  for (const { server } of model.facts) {
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const chips = names.map((name) => ({
    token: token('server', name),
    text: name,
    meaning: `on ${name}`,
    count: counts.get(name) ?? 0,
  }));
  return chipGroup('Server', chips);
}

function serverList(names: readonly string[]): Markup {
  const options: Markup[] = [
    element('option', { value: '' }, `all ${names.length}`),
  ];
  for (const name of names) {
    const value = token('server', name);
    const meaning = `on ${name}`;
    const data = choiceData({ token: value, text: name, meaning });
    options.push(element('option', { value, ...data }, name));
  }
  return group(
    'Server',
    element('select', { id: 'server', 'aria-label': 'Server' }, ...options),
  );
}

function chipGroup(title: string, chips: readonly Chip[]): Markup | undefined {
  if (chips.length === 0) return undefined;
  return group(title, ...chips.map(chipButton));
}

function group(title: string, ...children: readonly Child[]): Markup {
  return element(
    'span',
    { class: 'chip-group', role: 'group', 'aria-label': title },
    dim(title),
    ...children,
  );
}

function chipButton(chip: Chip): Markup {
  const { look, text, count, title } = chip;
  return element(
    'button',
    {
      class: 'chip',
      type: 'button',
      'aria-pressed': 'false',
      title,
      ...choiceData(chip),
    },
    look === undefined ? undefined : square(look),
    text,
    ' ',
    element('b', {}, count, hushed(' changes')),
  );
}

/** What the script needs to take typed words for a choice, and to say it. */
function choiceData({ token: word, text, meaning }: Choice): Attributes {
  return { 'data-token': word, 'data-name': text, 'data-meaning': meaning };
}
