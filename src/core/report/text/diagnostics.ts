import widthOf from 'fast-string-width';
import { SEVERITIES } from '../../findings/entry.ts';
import { at, count, listed } from '../../findings/words.ts';
import { grouped, present } from '../../model/json.ts';
import type { Place, SourceText } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, visible } from '../escape.ts';
import { frameOf } from '../frame.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';

type Finding = Document['diagnostics'][number];

/** The most findings that are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** The most servers or integrations that one finding names. */
const NAMED_AT_MOST = 8;

/** How findings are shown. */
interface FindingsView extends Pick<View, 'paint' | 'width'> {
  /** The text of each configuration file, by path, for code frames. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** Whether all notes are shown; that a server may hide its secrets is always noted. */
  readonly notes: boolean;
}

/** Findings for a person, in their order, each with its place, a frame of the line and the remedy; those of one cause once. */
export function renderFindings(findings: readonly Finding[], view: FindingsView): string {
  const isShown = ({ code, severity }: Finding) =>
    view.notes || code === 'hides-secrets' || severity !== 'note';
  const groups = [...grouped(findings.filter(isShown), causeOf).values()];
  // A warning never hides an error.
  const bySeverity = SEVERITIES.flatMap((each) => groups.filter(([{ severity }]) => severity === each));
  const weightiest = new Set(bySeverity.slice(0, SHOWN_AT_MOST));
  const shown = groups.filter((group) => weightiest.has(group)).map((group) => renderGroup(group, view));
  const sum = groups.length > 1 ? [summary(groups)] : [];
  return forLog([...shown, ...sum].join('\n'));
}

/** Codes whose cause is none of the places where it shows: a variable that is not set, a role that hides an option. */
const ELSEWHERE: ReadonlySet<string> = new Set(['reference-missing', 'unknown-option']);

/** The key by which findings are grouped: their words without the integration's name, and their place unless the cause is elsewhere. */
function causeOf(found: Finding): string {
  const { code, severity, message, integrations: [name = ''] = [] } = found;
  const isName = (word: string) => word.startsWith(name) && !/^[^.:]/.test(word.slice(name.length));
  const same = message.split(' ').map((word) => (isName(word) ? word.slice(name.length) : word));
  return JSON.stringify([code, severity, same, ELSEWHERE.has(code) ? undefined : placeOf(found)]);
}

function placeOf({ file, line = 1, column = 1, endColumn }: Finding): Place | undefined {
  return file === undefined ? undefined : { file, line, column, ...present({ endColumn }) };
}

function summary(groups: readonly (readonly [Finding, ...Finding[]])[]): string {
  const numberOf = (severity: string) => groups.filter(([first]) => first.severity === severity).length;
  const counts = SEVERITIES.flatMap((each) => (numberOf(each) === 0 ? [] : count(numberOf(each), each)));
  const rest = groups.length - SHOWN_AT_MOST;
  return `${counts.join(', ')}.${rest > 0 ? ` ${rest} more are not shown.` : ''}\n`;
}

/** Findings of one cause: the first of them in full, and where else it shows. */
function renderGroup(group: readonly [Finding, ...Finding[]], view: FindingsView): string {
  const [first] = group;
  const { severity, message, hint } = first;
  const { paint, width } = view;
  const place = placeOf(first);
  const [code, where] = [visible(first.code), place === undefined ? '' : `${visible(at(place))} `];
  const servers = [...new Set(group.flatMap(({ server }) => server ?? []))];
  const on = servers.length === 0 ? '' : `[${listed(servers, NAMED_AT_MOST)}] `;
  const start = `${paint.strong(where)}${paint[severity](severity)} ${code}: `;
  const below = [alsoIn(group), hint].flatMap((text) => text ?? []);
  return [
    ...filled(visible(`${on}${message}`), width, 2, start),
    ...(place === undefined ? [] : frameLines(place, view)),
    ...below.flatMap((text) => filled(visible(text), width, 2)),
    '',
  ].join('\n');
}

/** Where else the same was found: in other integrations, or at other places. Undefined if nowhere. */
function alsoIn(group: readonly Finding[]): string | undefined {
  const others = (of: (found: Finding) => readonly string[]) => {
    const [first = [], ...rest] = group.map(of);
    return [...new Set(rest.flat())].filter((name) => !first.includes(name));
  };
  const integrations = others((each) => each.integrations ?? []);
  const places = others((each) => [placeOf(each) ?? []].flat().map(at));
  const [noun, names] = integrations.length > 0 ? ['integration', integrations] : ['place', places];
  if (names.length === 0) return undefined;
  return `The same in ${count(names.length, `more ${noun}`)}: ${listed(names, NAMED_AT_MOST)}.`;
}

/** The line of a place with its number, and marks below it; none if the file is not at hand. */
function frameLines(place: Place, { sources, width, paint }: FindingsView): string[] {
  const source = sources.get(place.file);
  const gutter = `  ${place.line} | `;
  const frame = source === undefined ? undefined : frameOf(source, place, width - gutter.length - 2);
  if (frame === undefined) return [];
  const blank = ' '.repeat(widthOf(frame.text.slice(0, frame.start)));
  const marked = '^'.repeat(widthOf(frame.text.slice(frame.start, frame.start + frame.width)) || 1);
  return [
    paint.faint(gutter) + frame.text,
    paint.faint(`${' '.repeat(gutter.length - 2)}| ${blank}${marked}`),
  ];
}
