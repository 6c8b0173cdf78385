import { type Child, element, type Markup } from './element.ts';

/** A table that scrolls by itself where it is wider than the page. */
export function table(titles: readonly Child[], rows: readonly Markup[]): Markup {
  const head = element(
    'tr',
    {},
    titles.map((title) => element('th', { scope: 'col' }, title)),
  );
  return element(
    'div',
    { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    element('table', {}, element('thead', {}, head), element('tbody', {}, rows)),
  );
}
