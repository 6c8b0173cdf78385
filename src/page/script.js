// Filters the changes, leads to them, and copies addresses. The state is in
// the address of the page: #q=WORDS&risk=RISK&server=NAME, or #i-INTEGRATION.

const $ = (id) => document.getElementById(id);
const all = (selector, inside = document) => [
  ...inside.querySelectorAll(selector),
];
const box = $('filter');
const list = $('servers');
const chips = all('.chip[data-token]');
const cards = all('.card');
const rows = cards.flatMap((card) => {
  const head = card.querySelector('.head');
  return all('.row', card).map((row) => ({ row, head, ...row.dataset }));
});

/** Tokens that are on, such as `risk=exposes-secret`. */
const on = new Set();

const total = changesIn(rows);

/** Counts the changes of rows, on the servers that are asked for. */
function changesIn(some) {
  let changes = 0;
  const asked = tokensOf('server');
  for (const { facts } of some) {
    const servers = facts
      .split('&')
      .filter((fact) => kindOf(fact) === 'server');
    const isAsked = (server) => asked.length === 0 || asked.includes(server);
    changes += servers.filter(isAsked).length;
  }
  return changes;
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
  if (list) list.value = tokensOf('server')[0] ?? '';
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
  const known = [...chips.map(({ dataset }) => dataset.token)];
  for (const { value } of list?.options ?? []) known.push(value);
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

async function copy(button) {
  const { addresses } = button.closest('.row').dataset;
  await navigator.clipboard.writeText(addresses);
  $('said').textContent = `Copied ${addresses}`;
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), 1500);
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
  if (target.matches('.copy')) copy(target);
});

document.addEventListener('keydown', (event) => {
  const { key, target, metaKey, ctrlKey, altKey } = event;
  if (box === null || metaKey || ctrlKey || altKey) return;
  if (key === 'Escape' && target === box) {
    clear();
    filter();
    box.blur();
  }
  if (key === '/' && !target.closest('input, select')) {
    event.preventDefault();
    box.focus();
  }
});

list?.addEventListener('change', () => {
  for (const token of tokensOf('server')) on.delete(token);
  if (list.value !== '') on.add(list.value);
  filter();
});

box?.addEventListener('input', () => {
  filter();
  // The first changes that are kept stand just below.
  if ($('changes').getBoundingClientRect().top > innerHeight / 2) {
    box.scrollIntoView();
  }
});

/** How long ago a page was made; the plan of another day may be stale. */
function showAge() {
  const made = Date.parse(document.querySelector('time')?.dateTime);
  const minutes = Math.round((Date.now() - made) / 60_000);
  if (!(minutes > 0)) return;
  const hours = Math.round(minutes / 60);
  let [age, unit] = [minutes, 'minute'];
  if (minutes >= 90) [age, unit] = [hours, 'hour'];
  if (hours >= 48) [age, unit] = [Math.round(hours / 24), 'day'];
  $('age').textContent = `, ${age} ${unit}${age === 1 ? '' : 's'} ago`;
  $('age').classList.toggle('old', unit === 'day');
}

document.body.classList.add('live');
// Only pages of files and of https have a clipboard.
if (!navigator.clipboard)
  for (const button of all('.copy')) button.hidden = true;
addEventListener('hashchange', restore);
showAge();
restore();
