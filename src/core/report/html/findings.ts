import type { Diagnostic } from '../../findings/diagnostic.ts';
import { explain } from '../../findings/explain.ts';
import { at, count, listed } from '../../findings/words.ts';
import { type FindingGroup, groupFindings } from '../finding-groups.ts';
import { alsoIn } from '../text/diagnostics.ts';
import { element, type Markup } from './element.ts';
import { badge } from './field.ts';

/** The most findings of one severity that are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** The most servers that one finding names. */
const NAMED_AT_MOST = 8;

/** All findings, the weightiest first; notes are folded. */
export function findingsSection(findings: readonly Diagnostic[]): Markup[] {
  const worded = groupFindings(findings).map((each) => ({ ...each, ...explain(each.first) }));
  if (worded.length === 0) return [];
  const refused = worded.filter(({ exit }) => exit === 'guard');
  const others = worded.filter(({ exit }) => exit !== 'guard');
  const of = (severity: WordedFinding['severity']) => others.filter((each) => each.severity === severity);
  const notes = of('note');
  const weighty = [refused, of('error'), of('warning')].filter(({ length }) => length > 0);
  return [
    element(
      'section',
      { class: 'findings' },
      element('h2', {}, 'Findings'),
      weighty.map(findingList),
      notes.length === 0
        ? []
        : element('details', {}, element('summary', {}, count(notes.length, 'note')), findingList(notes)),
    ),
  ];
}

type WordedFinding = FindingGroup & ReturnType<typeof explain>;

function findingList(found: readonly WordedFinding[]): Markup {
  const rest = found.length - SHOWN_AT_MOST;
  return element(
    'ul',
    {},
    found.slice(0, SHOWN_AT_MOST).map(findingItem),
    rest > 0 ? element('li', {}, `${rest} more are not shown.`) : [],
  );
}

function findingItem(found: WordedFinding): Markup {
  const { severity, exit, code, message, hint, place, servers, others } = found;
  const look = { error: 'bad', warning: 'doubtful', note: 'plain' } as const;
  const also = alsoIn(others);
  return element(
    'li',
    {},
    badge(exit === 'guard' ? 'refused' : severity, look[severity]),
    ' ',
    element('code', {}, code),
    servers.length === 0 ? [] : [' ', element('small', {}, `[${listed(servers, NAMED_AT_MOST)}]`)],
    place === undefined ? [] : [' ', element('small', {}, at(place))],
    element('p', {}, message),
    [also, hint].flatMap((text) => (text === undefined ? [] : [element('p', { class: 'hint' }, text)])),
  );
}
