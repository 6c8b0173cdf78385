// What a report does in a browser: it filters, opens, moves by keys and changes its colours. It writes no HTML.
const root = document.documentElement;
const find = (id) => document.getElementById(id);

const THEMES = ['auto', 'dark', 'light'];
const theme = find('theme');
theme.hidden = false;
theme.addEventListener('click', () => {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? 'auto') + 1) % THEMES.length];
  root.dataset.theme = next;
  theme.textContent = `Theme: ${next}`;
});

/** Shows all that a filter hides. */
let showAll = () => {};

/** Opens what a link leads to, also where the filter hides it. */
function openTarget() {
  const target = find(location.hash.slice(1));
  if (target?.tagName !== 'DETAILS') return;
  if (target.closest('[hidden]')) showAll();
  target.open = true;
  target.scrollIntoView();
  target.firstElementChild.focus();
}
addEventListener('hashchange', openTarget);
openTarget();

/** On paper all is open. */
const closed = new Set();
addEventListener('beforeprint', () => {
  for (const each of document.querySelectorAll('details:not([open])')) closed.add(each);
  for (const each of closed) each.open = true;
});
addEventListener('afterprint', () => {
  for (const each of closed) each.open = false;
  closed.clear();
});

const groups = [...document.querySelectorAll('.group')];

/** Moves to the next block that is in sight, or to the one before. */
function step(by) {
  const shown = groups.filter((each) => !each.hidden && !each.parentElement.hidden);
  const current = shown.findIndex((each) => each.contains(document.activeElement));
  const next = current < 0 ? (by > 0 ? 0 : shown.length - 1) : current + by;
  shown[next]?.firstElementChild.focus();
}

const controls = find('controls');
if (controls) {
  const [query, label, risk, count] = ['query', 'label', 'risk', 'count'].map(find);
  const items = [...document.querySelectorAll('[data-item]')].map((item) => ({
    item,
    group: item.closest('.group'),
    section: item.closest('section'),
  }));
  const textOf = ({ item, group, section }) =>
    [
      section.dataset.server,
      group === item ? '' : group?.firstElementChild.textContent,
      item.dataset.address,
      item.textContent,
    ]
      .join(' ')
      .toLowerCase();
  const hasRisk = (risks, wanted) =>
    !wanted || (wanted === 'any risk' ? risks !== '' : risks.split(' ').includes(wanted));

  const filter = () => {
    const words = query.value.toLowerCase().split(' ').filter(Boolean);
    const isNarrowed = words.length > 0 || Boolean(label?.value) || Boolean(risk?.value);
    const kept = new Set();
    let shown = 0;
    for (const each of items) {
      const { item, group, section } = each;
      each.text ??= textOf(each);
      const isShown =
        words.every((word) => each.text.includes(word)) &&
        (!label?.value || item.dataset.label === label.value) &&
        hasRisk(item.dataset.risks ?? '', risk?.value);
      item.hidden = !isShown;
      if (isShown) {
        shown += 1;
        kept.add(group).add(section);
      }
    }
    for (const { group, section } of items) {
      if (group) group.hidden = !kept.has(group);
      section.hidden = isNarrowed && !kept.has(section);
    }
    count.textContent = isNarrowed ? `${shown} of ${items.length} shown` : '';
  };
  for (const each of [query, label, risk]) each?.addEventListener('input', filter);
  showAll = () => {
    for (const each of [query, label, risk]) if (each) each.value = '';
    filter();
  };

  const setOpen = (isOpen) => {
    for (const each of groups) if (!each.hidden) each.open = isOpen;
  };
  find('open')?.addEventListener('click', () => setOpen(true));
  find('close')?.addEventListener('click', () => setOpen(false));

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      showAll();
      document.activeElement?.blur();
      return;
    }
    if (event.key === 'Enter' && event.target === query) {
      event.preventDefault();
      step(1);
      return;
    }
    if (event.target.matches('input, select')) return;
    if (event.key === '/') {
      event.preventDefault();
      query.focus();
    }
    if (event.key === 'j') step(1);
    if (event.key === 'k') step(-1);
  });
  controls.hidden = false;
  // A page that was left and came back keeps its words.
  filter();
}
