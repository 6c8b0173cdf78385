import widthOf from 'fast-string-width';
import type { Diagnostic } from '../../findings/diagnostic.ts';
import { SEVERITIES } from '../../findings/entry.ts';
import { at, count, listed } from '../../findings/words.ts';
import { grouped, present } from '../../model/json.ts';
import type { Place, SourceText, Span } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, visible } from '../escape.ts';
import { hintsOf } from '../hints.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';

/** What takes the place of a part of a line that is not shown, and of each of its characters until then. */
const HIDDEN_PART = '•••';
const HIDDEN_UNIT = '\ue000';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** Columns on both sides of a place that are looked at: a line may have 2 MiB. */
const NEAR = 2_000;

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
export function renderFindings(
  findings: readonly Finding[],
  view: FindingsView,
): string {
  const isShown = ({ code, severity }: Finding) =>
    view.notes || code === 'hides-secrets' || severity !== 'note';
  const groups = [...grouped(findings.filter(isShown), causeOf).values()];
  // A warning never hides an error.
  const bySeverity = SEVERITIES.flatMap((each) =>
    groups.filter(([{ severity }]) => severity === each),
  );
  const weightiest = new Set(bySeverity.slice(0, SHOWN_AT_MOST));
  const shown = groups
    .filter((group) => weightiest.has(group))
    .map((group) => renderGroup(group, view));
  const sum = groups.length > 1 ? [summary(groups)] : [];
  return forLog([...shown, ...sum].join('\n'));
}

/** Codes whose cause is none of the places where it shows: a variable that is not set, a role that hides an option. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'reference-missing',
  'unknown-option',
]);

/** The key by which findings are grouped: their words without the integration's name, and their place unless the cause is elsewhere. */
function causeOf(found: Finding): string {
  const { code, severity, message, integrations: [name = ''] = [] } = found;
  const isName = (word: string) =>
    word.startsWith(name) && !/^[^.:]/.test(word.slice(name.length));
  const same = message
    .split(' ')
    .map((word) => (isName(word) ? word.slice(name.length) : word));
  return JSON.stringify([
    code,
    severity,
    same,
    ELSEWHERE.has(code) ? undefined : placeOf(found),
  ]);
}

function placeOf({
  file,
  line = 1,
  column = 1,
  endColumn,
}: Finding): Place | undefined {
  return file === undefined
    ? undefined
    : { file, line, column, ...present({ endColumn }) };
}

function summary(
  groups: readonly (readonly [Finding, ...Finding[]])[],
): string {
  const numberOf = (severity: string) =>
    groups.filter(([first]) => first.severity === severity).length;
  const counts = SEVERITIES.flatMap((each) =>
    numberOf(each) === 0 ? [] : count(numberOf(each), each),
  );
  const rest = groups.length - SHOWN_AT_MOST;
  return `${counts.join(', ')}.${rest > 0 ? ` ${rest} more are not shown.` : ''}\n`;
}

/** Findings of one cause: the first of them in full, and where else it shows. */
function renderGroup(
  group: readonly [Finding, ...Finding[]],
  view: FindingsView,
): string {
  const [first] = group;
  const { severity, message } = first;
  const { paint, width } = view;
  const place = placeOf(first);
  const [code, where] = [
    visible(first.code),
    place === undefined ? '' : `${visible(at(place))} `,
  ];
  const servers = [...new Set(group.flatMap(({ server }) => server ?? []))];
  const on = servers.length === 0 ? '' : `[${listed(servers, NAMED_AT_MOST)}] `;
  const start = `${paint.strong(where)}${paint[severity](severity)} ${code}: `;
  const below = [alsoIn(group), ...hintsOf(group)].flatMap(
    (text) => text ?? [],
  );
  return [
    ...filled(visible(`${on}${message}`), width, 2, start),
    ...(place === undefined ? [] : frameLines(first, place, view)),
    ...below.flatMap((text) => filled(visible(text), width, 2)),
    '',
  ].join('\n');
}

/** The places of a finding, its own first; none if it has none of its own. */
function placesOf(found: Finding): string[] {
  const own = placeOf(found);
  if (own === undefined) return [];
  return [own, ...(found.places ?? [])].map(at);
}

/** Where else the same was found: in other integrations, or at other places. Undefined if nowhere. */
function alsoIn(group: readonly [Finding, ...Finding[]]): string | undefined {
  const [first] = group;
  const known = new Set([...(first.integrations ?? []), placesOf(first)[0]]);
  const others = (of: (found: Finding) => readonly string[]) =>
    [...new Set(group.flatMap(of))].filter((name) => !known.has(name));
  const integrations = others((each) => each.integrations ?? []);
  const places = others(placesOf);
  const [noun, names] =
    integrations.length > 0 ? ['integration', integrations] : ['place', places];
  if (names.length === 0) return undefined;
  return `The same in ${count(names.length, `more ${noun}`)}: ${listed(names, NAMED_AT_MOST)}.`;
}

/**
 * The line of a place with its number, without its secrets, or the part of it that fits; and marks below the place. None if
 * the file is not at hand, or the line is empty.
 */
function frameLines(
  { code }: Finding,
  place: Place,
  { sources, width, paint }: FindingsView,
): string[] {
  const { file, line: number, column, endColumn = column + 1 } = place;
  const source = sources.get(file);
  const lines = source?.text.replace(/^\ufeff/, '').split('\n', number) ?? [];
  const line = lines[number - 1]?.replace(/\r$/, '').trimEnd() ?? '';
  if (source === undefined || line === '') return [];
  const offset = lines
    .slice(0, -1)
    .reduce((sum, { length }) => sum + length + 1, 0);
  const spans = source.hidden();
  const hidden =
    spans === undefined
      ? hiddenInBroken(line)
      : withoutShown(hiddenInLine(line, offset, spans), line, {
          code,
          place,
          shown: source.shown,
        });
  const first = Math.max(0, column - NEAR);
  const near = withoutHidden(line, hidden, [first, column + NEAR]);
  const text = shownUpTo(near, near.length);
  const [start = 0, end = 0] = [column, endColumn].map(
    (each) => shownUpTo(near, each - 1 - first).length,
  );
  const gutter = `  ${number} | `;
  // A dot stands on each side that is cut.
  const columns = Math.min(width - gutter.length - 2, WIDTH);
  const wanted = Math.min(
    start - Math.floor(columns / 3),
    text.length - columns,
  );
  const from = end < columns ? 0 : Math.max(0, wanted);
  const until = from + columns;
  const before = (from > 0 ? '…' : '') + text.slice(from, start);
  const marked = text.slice(start, Math.min(Math.max(end, start + 1), until));
  const after =
    text.slice(start + marked.length, until) + (until < text.length ? '…' : '');
  const marks = ' '.repeat(widthOf(before)) + '^'.repeat(widthOf(marked) || 1);
  return [
    paint.faint(gutter) + before + marked + after,
    paint.faint(`${' '.repeat(gutter.length - 2)}| ${marks}`),
  ];
}

/** The texts of files, of which excerpts also show what findings are about, if that is no secret. */
export function withShownTexts(
  sources: ReadonlyMap<string, SourceText>,
  findings: readonly Diagnostic[],
): ReadonlyMap<string, SourceText> {
  const all = new Map(sources);
  const byFile = grouped(findings, ({ place }) => place?.file);
  for (const [file = '', found] of byFile) {
    const source = sources.get(file);
    const shown = shownPlaces(found);
    if (source !== undefined && shown.size > 0)
      all.set(file, { ...source, shown });
  }
  return all;
}

/** The places in one file at which all findings may show the text: on another server it may be a secret. */
function shownPlaces(findings: readonly Diagnostic[]): ReadonlySet<string> {
  const shown = new Set<string>();
  const hidden = new Set<string>();
  for (const { place, facts } of findings) {
    if (place === undefined) continue;
    (facts.showsText ? shown : hidden).add(placeKey(place));
  }
  for (const key of hidden) shown.delete(key);
  return shown;
}

function placeKey({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** What a finding is about in its line. */
interface Subject {
  readonly code: string;
  readonly place: Place;
  readonly shown: ReadonlySet<string> | undefined;
}

/** Findings about the beginning of an address, of which that is shown. */
const ABOUT_SCHEMES: ReadonlySet<string> = new Set(['bad-url', 'broken-url']);

/** Schemes of HTTP, also mistyped or twice: no secret begins so that means anything without its rest. */
const SCHEMES =
  /^["']?(?:(?:https?|htttps?|hhttps?|htps?|htt|ttps?):?\/{1,3}){1,2}/i;

/** The hidden spans of a line without what a finding is about, if that is no secret. */
function withoutShown(
  hidden: readonly Span[],
  line: string,
  { code, place, shown }: Subject,
): Span[] {
  const start = place.column - 1;
  const end = (place.endColumn ?? place.column + 1) - 1;
  const isTextShown = shown?.has(placeKey(place)) === true;
  const scheme = ABOUT_SCHEMES.has(code)
    ? (SCHEMES.exec(line.slice(start, start + 64))?.[0] ?? '')
    : '';
  const kept: Span[] = [];
  for (const [from, to] of hidden) {
    if (isTextShown && from >= start && from < end) continue;
    kept.push([from === start ? from + scheme.length : from, to]);
  }
  return kept;
}

/** Text that is not valid YAML shows only the first key of a line, and only if it is all letters: the rest may be values. */
function hiddenInBroken(line: string): Span[] {
  const key =
    /^\s*(?:[-?] +)*(["']?)[a-z][A-Za-z]{0,31}\1\s*:(?=\s|$)/.exec(line)?.[0] ??
    '';
  return [[key.length, line.length]];
}

/** The hidden spans of a file by their columns in one of its lines, and any comment there. */
function hiddenInLine(
  line: string,
  start: number,
  hidden: readonly Span[],
): Span[] {
  const spans = hidden
    .map(([from, to]): Span => [from - start, to - start])
    .filter(([from, to]) => from < line.length && to > 0);
  const at = line.length - (/(?:^|\s)#\s*(\S.*)$/.exec(line)?.[1] ?? '').length;
  const isText = spans.some(([from, to]) => from < at && to >= at);
  return isText ? spans : [...spans, [at, line.length]];
}

/** The part of a line between two columns, without what is hidden in it; blanks before that stay. */
function withoutHidden(
  line: string,
  hidden: readonly Span[],
  [first, last]: Span,
): string {
  const units = line.slice(first, last).split('');
  for (const [start, end] of hidden) {
    const [from, to] = [Math.max(start, first), Math.min(end, last)];
    const indent = line.slice(from, to).search(/\S/);
    if (indent >= 0) units.fill(HIDDEN_UNIT, from + indent - first, to - first);
  }
  return units.join('');
}

/** What is shown of a line up to a column; a hidden part counts once it has ended. */
function shownUpTo(line: string, column: number): string {
  const part = line.slice(0, column);
  const ended =
    line[column] === HIDDEN_UNIT ? part.replace(/\ue000+$/, '') : part;
  return visible(ended.replace(/\ue000+/g, HIDDEN_PART));
}
