// Filters the changes, and leads to them. The state is in
// the address of the page: #q=WORDS&risk=RISK, or #i-INTEGRATION.

const $ = (id) => document.getElementById(id);
const all = (selector, inside = document) => [
  ...inside.querySelectorAll(selector),
];
const box = $('filter');
const chips = all('.chip[data-token]');
const cards = all('.card');
const rows = cards.flatMap((card) => {
  const head = card.querySelector('.head');
  return all('.row', card).map((row) => ({ row, head, ...row.dataset }));
});

/** Tokens that are on, such as `risk=exposes-secret`. */
const on = new Set();

const total = changesIn(rows);

/** Counts the changes of rows: one on each server. */
function changesIn(some) {
  const facts = some.flatMap((row) => row.facts.split('&'));
  return facts.filter((fact) => kindOf(fact) === 'server').length;
}

function kindOf(token) {
  return token.split('=')[0];
}

function tokensOf(kind) {
  return [...on].filter((token) => kindOf(token) === kind);
}

/** What people read of a row, its addresses in both forms, and its servers. */
function textOf(each) {
  const { row, head, facts, addresses } = each;
  each.text ??= [
    head.textContent,
    row.textContent,
    addresses,
    addresses.replaceAll('.options.', '.'),
    ...new Set(new URLSearchParams(facts).values()),
  ]
    .join(' ')
    .toLowerCase();
  return each.text;
}

/** Whether a row has all words, none of `-word`, and a token of each kind. */
function matches(each) {
  const words = box.value.toLowerCase().split(/\s+/);
  const facts = each.facts.split('&');
  return (
    words.every((word) => {
      if (!/^-./.test(word)) return word === '-' || textOf(each).includes(word);
      return !textOf(each).includes(word.slice(1));
    }) &&
    [...on].every((token) =>
      tokensOf(kindOf(token)).some((other) => facts.includes(other)),
    )
  );
}

function show() {
  if (box === null) return;
  const shown = rows.filter(matches);
  const kept = new Set(shown.map(({ row }) => row));
  for (const { row } of rows) row.hidden = !kept.has(row);
  for (const card of cards) {
    card.hidden = card.querySelector('.row:not([hidden])') === null;
  }
  for (const part of all('.part')) {
    part.hidden = part.querySelector('.card:not([hidden])') === null;
  }
  for (const chip of chips) chip.ariaPressed = on.has(chip.dataset.token);
  const isFiltered = state() !== '';
  $('shown').textContent = isFiltered
    ? `${changesIn(shown)} of ${total} shown`
    : '';
  $('none').hidden = shown.length > 0 || rows.length === 0;
}

/** The filter as the end of the address. */
function state() {
  const words = box.value.trim();
  const query = words === '' ? [] : [new URLSearchParams({ q: words })];
  return [...query, ...on].join('&');
}

/** Shows what the filter keeps, and has it in the address. */
function filter() {
  show();
  const hash = state();
  const { pathname, search } = location;
  history.replaceState(null, '', hash ? `#${hash}` : pathname + search);
}

function clear() {
  box.value = '';
  on.clear();
}

/** Filters or leads to a card, as the address says. */
function restore() {
  const hash = location.hash.slice(1);
  const query = new URLSearchParams(hash);
  const [name = ''] = query.keys();
  const target = $(name);
  if (target) {
    goTo(target);
    return;
  }
  if (box === null) return;
  clear();
  box.value = query.get('q') ?? '';
  const known = chips.map(({ dataset }) => dataset.token);
  for (const token of hash.split('&')) {
    if (token !== '' && known.includes(token)) on.add(token);
  }
  show();
}

function goTo(target) {
  const card = target.closest('.card');
  if (card === null) return;
  if (card.hidden) {
    clear();
    show();
  }
  card.scrollIntoView();
  card.focus({ preventScroll: true });
}

document.addEventListener('click', ({ target }) => {
  const { token } = target.closest('.chip')?.dataset ?? {};
  if (token !== undefined) {
    if (!on.delete(token)) on.add(token);
    filter();
  }
  if (target.id === 'clear') {
    clear();
    filter();
  }
});

box?.addEventListener('input', () => {
  filter();
  // The first changes that are kept stand just below.
  if ($('changes').getBoundingClientRect().top > innerHeight / 2) {
    box.scrollIntoView();
  }
});

document.body.classList.add('live');
addEventListener('hashchange', restore);
restore();
