// Filters the changes, leads to them by links and keys, and copies addresses.
// The filter and the place are in the address: #q=FILTER&i-INTEGRATION.

const KINDS = /^(risk|label|server|outcome):/;

const filterBox = document.getElementById('filter');
const counter = document.getElementById('shown');
const serverList = document.getElementById('server');
const chips = [...document.querySelectorAll('.chip')];
const cells = [...document.querySelectorAll('a[data-server]')];
const parts = [...document.querySelectorAll('.part')];
const cards = [...document.querySelectorAll('.card')].map(cardOf);
const total = countOf(cards.flatMap(({ rows }) => rows.flatMap(factsOf)));
const knownTokens = new Set(
  cards.flatMap(({ rows }) =>
    rows.flatMap((row) => row.facts.flatMap(({ tokens }) => tokens)),
  ),
);

/** What tokens mean, as the end of a sentence: `on prod`. */
const meanings = new Map();

/** The tokens that plain words stand for: `prod`, `drift`, `this branch`. */
const namedTokens = new Map();

for (const { dataset } of document.querySelectorAll('[data-token]')) {
  meanings.set(dataset.token, dataset.meaning);
  for (const name of namesOf(dataset)) {
    if (!namedTokens.has(name)) namedTokens.set(name, dataset.token);
  }
}

/** A word of a filter: a text in quotes, a name of several words, or another. */
const WORDS = wordPattern();

function namesOf({ token, name }) {
  const value = token.slice(token.indexOf(':') + 1);
  const text = name.toLowerCase();
  return [value, text, text.replace(/^this /, '')];
}

function wordPattern() {
  const long = [...namedTokens.keys()].filter((name) => /\s/.test(name));
  const names = long.map((name) => name.replace(/\W/g, '\\$&'));
  const forms = ['-?"[^"]*"', ...names.map(wholeWord), '\\S+'];
  return new RegExp(forms.join('|'), 'gi');
}

function wholeWord(name) {
  return `(?<!\\S)-?${name}(?!\\S)`;
}

function cardOf(element) {
  const rows = [...element.querySelectorAll('tbody tr')].map(rowOf);
  return { element, rows };
}

/** A row with its changes: `2 risk:x server:prod,1 server:staging`. */
function rowOf(element) {
  const facts = element.dataset.facts.split(',').map((text) => {
    const [count, ...tokens] = text.split(' ');
    return { count: Number(count), tokens };
  });
  return { element, facts };
}

function factsOf({ facts }) {
  return facts;
}

function countOf(facts) {
  let sum = 0;
  for (const { count } of facts) sum += count;
  return sum;
}

/** What people read of a row, in small letters. */
function textOf(row, card) {
  row.text ??= [card.element.querySelector('.card-head'), row.element]
    .map(({ textContent }) => textContent)
    .join(' ')
    .toLowerCase();
  return row.text;
}

/** The words of a filter, as they are typed. */
function wordsOf(query) {
  return query.match(WORDS) ?? [];
}

/** A word of a filter; its token, unless it is searched in the text. */
function termOf(word) {
  const isExcluded = /^-./.test(word);
  const plain = word.slice(isExcluded ? 1 : 0).toLowerCase();
  const text = plain.replaceAll('"', '');
  const isToken = KINDS.test(text) || namedTokens.has(text);
  if (plain.startsWith('"') || !isToken) return { text, isExcluded };
  const token = namedTokens.get(text) ?? text;
  const isWhole = knownTokens.has(token) || meanings.has(token);
  return { text, isExcluded, token, isWhole, kind: KINDS.exec(token)[1] };
}

/**
 * The terms of a filter, in groups: terms of one kind are alternatives, all
 * others stand alone.
 */
function groupsOf(query) {
  const groups = new Map();
  for (const word of wordsOf(query)) {
    const term = termOf(word);
    const { text, kind, isExcluded } = term;
    // A kind without a value is still being typed.
    if (text === '' || text === `${kind}:`) continue;
    const isAlternative = kind !== undefined && !isExcluded;
    const key = isAlternative ? kind : term;
    groups.set(key, [...(groups.get(key) ?? []), term]);
  }
  return [...groups.values()];
}

/** Whether a change is kept: one term of each group must hold for it. */
function matches(groups, fact, row, card) {
  return groups.every((terms) =>
    terms.some((term) => holds(term, fact, row, card)),
  );
}

/** A server that is excluded takes the rows along that it shares with others. */
function holds(term, fact, row, card) {
  if (!term.isExcluded) return isOf(term, fact, row, card);
  const facts = term.kind === 'server' ? row.facts : [fact];
  return !facts.some((own) => isOf(term, own, row, card));
}

/** Whole tokens match exactly, unfinished ones by their beginning. */
function isOf({ text, token, isWhole }, { tokens }, row, card) {
  if (token === undefined) return textOf(row, card).includes(text);
  if (isWhole) return tokens.includes(token);
  return tokens.some((known) => known.startsWith(token));
}

/** A filter in words: `on prod or staging, not drifted, "jira"`. */
function meaningOf(groups) {
  return groups.map((terms) => terms.map(wordsFor).join(' or ')).join(', ');
}

function wordsFor({ text, token, isExcluded }) {
  const words =
    token === undefined ? `"${text}"` : (meanings.get(token) ?? token);
  return isExcluded ? `not ${words}` : words;
}

/** Shows what the filter keeps, and counts it. */
function filter() {
  const query = filterBox.value.trim();
  const groups = groupsOf(query);
  const lit = new Map();
  const names = new Set();
  let shown = 0;
  for (const card of cards) {
    const servers = new Set();
    for (const row of card.rows) {
      const facts = row.facts.filter((fact) =>
        matches(groups, fact, row, card),
      );
      row.element.hidden = facts.length === 0;
      shown += countOf(facts);
      for (const { tokens } of facts) {
        for (const token of tokens) servers.add(token);
      }
    }
    card.element.hidden = servers.size === 0;
    if (servers.size > 0) addNames(names, card);
    lit.set(card.element, servers);
  }
  for (const part of parts) {
    part.hidden = !part.querySelector('.card:not([hidden])');
  }
  for (const cell of cells) {
    const servers = lit.get(cardAt(cell.hash));
    cell.classList.toggle('faint', !servers?.has(cell.dataset.server));
  }
  const isFiltered = query !== '';
  document.documentElement.classList.toggle('filtered', isFiltered);
  const number = isFiltered ? shownText(shown, names.size) : totalText();
  counter.textContent = withMeaning(number, groups);
  document.getElementById('none').hidden = shown > 0;
  showChoices(groups.flat());
}

/** `19 of 36 changes in 11 integrations: on prod, by this branch` */
function withMeaning(number, groups) {
  const meaning = meaningOf(groups);
  return meaning === '' ? number : `${number}: ${meaning}`;
}

/** Adds the names of the integrations of a card. */
function addNames(names, { element }) {
  for (const link of element.querySelectorAll('h3 a')) names.add(link.hash);
}

function totalText() {
  return `${total} ${counter.dataset.name}${total === 1 ? '' : 's'}`;
}

/** `19 of 36 changes in 11 integrations` */
function shownText(shown, integrations) {
  const part = `${shown} of ${totalText()}`;
  if (shown === 0) return part;
  return `${part} in ${integrations} integration${integrations === 1 ? '' : 's'}`;
}

/** Presses the chips, and selects the server, of the filter. */
function showChoices(terms) {
  const chosen = new Set();
  for (const { token, isExcluded } of terms) {
    if (!isExcluded) chosen.add(token);
  }
  for (const chip of chips) {
    chip.setAttribute('aria-pressed', chosen.has(chip.dataset.token));
  }
  if (serverList === null) return;
  const servers = [...serverList.options].map(({ value }) => value);
  const selected = servers.filter((server) => chosen.has(server));
  serverList.value = selected.length === 1 ? selected[0] : '';
}

function setFilter(query) {
  if (filterBox === null) return;
  filterBox.value = query;
  filter();
  remember();
}

/** Writes the filter into the address, without a step of history. */
function remember() {
  history.replaceState(null, '', addressOf(filterBox.value.trim()));
}

function addressOf(query, place = '') {
  const states = [];
  if (query !== '') states.push(`q=${encodeURIComponent(query)}`);
  if (place !== '') states.push(place);
  if (states.length > 0) return `#${states.join('&')}`;
  return location.pathname + location.search;
}

function toggle(token) {
  const words = wordsOf(filterBox.value);
  const others = words.filter((word) => !isChosen(termOf(word), token));
  const isNew = others.length === words.length;
  setFilter([...others, ...(isNew ? [token] : [])].join(' '));
}

function isChosen(term, token) {
  return term.token === token && !term.isExcluded;
}

/** The filter and the place of an address. */
function restore() {
  const states = location.hash.slice(1).split('&');
  const query = states.find((state) => state.startsWith('q='));
  const place = states.find((state) => state !== '' && state !== query);
  const isStart = query === undefined && place === undefined;
  if (filterBox !== null && (query !== undefined || isStart)) {
    filterBox.value = decoded(query?.slice(2) ?? '');
    filter();
  }
  if (place !== undefined) go(elementAt(place));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The element of an id, which people may have typed unencoded. */
function elementAt(id) {
  const typed = `${id.slice(0, 2)}${encodeURIComponent(decoded(id.slice(2)))}`;
  return document.getElementById(id) ?? document.getElementById(typed);
}

function cardAt(hash) {
  return document.getElementById(hash.slice(1))?.closest('.card');
}

/** Shows an element, whatever hides it, and moves the focus there. */
function go(target) {
  if (target === null) return;
  for (
    let around = target.closest('details');
    around !== null;
    around = around.parentElement.closest('details')
  ) {
    if (!around.classList.contains('inline')) around.open = true;
  }
  const card = target.closest('.card');
  if (card?.hidden) setFilter('');
  const element = card ?? target;
  element.scrollIntoView({ block: 'start' });
  element.focus({ preventScroll: true });
}

/** Follows a link in the page; the filter stays in the address. */
function follow(link) {
  const place = link.hash.slice(1);
  const target = document.getElementById(place);
  const query = filterBox?.value.trim() ?? '';
  history.pushState(null, '', addressOf(query, place));
  go(target);
}

/** Goes to the next or the previous card that is shown. */
function step(direction) {
  const open = cards
    .map(({ element }) => element)
    .filter((element) => !element.hidden);
  const current = open.indexOf(document.activeElement?.closest('.card'));
  const below = open.findIndex(
    (element) => element.getBoundingClientRect().top > 100,
  );
  const next = current < 0 ? below : current + direction;
  go(open[Math.min(Math.max(next, 0), open.length - 1)] ?? null);
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.value);
  } catch {
    copyBySelection(button);
  }
  button.classList.add('copied');
  document.getElementById('said').textContent = `Copied ${button.value}`;
  setTimeout(() => button.classList.remove('copied'), 1_500);
}

/** Copies where a browser keeps the clipboard from pages of files. */
function copyBySelection(button) {
  const area = document.createElement('textarea');
  area.value = button.value;
  button.after(area);
  area.select();
  document.execCommand('copy');
  area.remove();
  button.focus();
}

function onClick(event) {
  const at = (selector) => event.target.closest(selector);
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey;
  if (at('.chip')) toggle(at('.chip').dataset.token);
  else if (at('#clear')) setFilter('');
  else if (at('.copy')) copy(at('.copy'));
  else if (at('a[href^="#"]') && !hasModifier) {
    event.preventDefault();
    follow(at('a'));
  }
}

function onKey(event) {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.key === 'Escape' && filterBox?.value) {
    filterBox.blur();
    setFilter('');
  }
  if (event.target.closest('input, select, textarea')) return;
  if (event.key === '/' && filterBox !== null) {
    event.preventDefault();
    filterBox.focus();
    filterBox.select();
  }
  if (event.key === 'j') step(1);
  if (event.key === 'k') step(-1);
}

function onServer() {
  const isServer = ({ kind, isExcluded }) => kind === 'server' && !isExcluded;
  const words = wordsOf(filterBox.value);
  const others = words.filter((word) => !isServer(termOf(word)));
  setFilter([...others, serverList.value].join(' ').trim());
}

/** Says how old the page is; a plan of yesterday may hold no more. */
function showAge() {
  const time = document.querySelector('time');
  const made = Date.parse(time?.dateTime);
  const minutes = Math.round((Date.now() - made) / 60_000);
  if (!(minutes > 0)) return;
  const [age, unit] = ageOf(minutes);
  const label = document.getElementById('age');
  label.textContent = `, ${age} ${unit}${age === 1 ? '' : 's'} ago`;
  label.classList.toggle('aged', unit === 'day');
}

function ageOf(minutes) {
  if (minutes < 90) return [minutes, 'minute'];
  if (minutes < 48 * 60) return [Math.round(minutes / 60), 'hour'];
  return [Math.round(minutes / (24 * 60)), 'day'];
}

document.documentElement.classList.add('live');
document.addEventListener('click', onClick);
document.addEventListener('keydown', onKey);
addEventListener('hashchange', restore);
if (filterBox !== null) {
  document.querySelector('.tools').hidden = false;
  filterBox.addEventListener('input', () => {
    filter();
    remember();
  });
  serverList?.addEventListener('change', onServer);
  filter();
}
showAge();
restore();
