import { compareDiagnostics, type Diagnostic } from '../../findings/diagnostic.ts';
import { CONFIGURATION, type Severity } from '../../findings/entry.ts';
import { explain, FIELD_END, integrationsOf, severityOf } from '../../findings/explain.ts';
import { at, count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { Place, SourceText } from '../../model/place.ts';
import { forLog, forTerminal, shortened, visible } from '../escape.ts';
import { frameOf } from '../frame.ts';
import type { View } from '../report.ts';
import { filled, widthOf, wrapAfter } from '../wrap.ts';

/** The most findings that are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** The most servers or integrations that one finding names. */
const NAMED_AT_MOST = 8;

/** Columns kept for the number of a line before its frame. */
const GUTTER = 10;

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** How findings are shown. */
export interface DiagnosticsView extends Pick<View, 'paint' | 'width'> {
  /** The text of each configuration file, by path, for code frames. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** Whether all notes are shown; that a server may hide its secrets is always noted. */
  readonly notes: boolean;
}

/** Findings for a person, by file, each with its place, a frame of the line and the remedy. One mistake is shown once. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const isShown = (found: Diagnostic) =>
    view.notes || found.code === 'hides-secrets' || severityOf(found) !== 'note';
  const shown = diagnostics.filter(isShown);
  const groups = groupFindings(shown).map(({ first, ...group }) => ({
    ...explain(first),
    ...group,
  }));
  return renderGroups(groups, view);
}

/** A finding in words, and whom it is about. */
interface WordedGroup
  extends Omit<FindingGroup, 'first'>,
    Pick<ReturnType<typeof explain>, 'message' | 'severity'> {
  readonly code: string;
  readonly hint: string | undefined;
  readonly place: Place | undefined;
}

/** The same of findings in words, in the order in which they come. */
export function renderGroups(groups: readonly WordedGroup[], view: DiagnosticsView): string {
  const bySeverity = SEVERITIES.map((severity) => groups.filter((each) => each.severity === severity));
  // A warning never hides an error.
  const weightiest = new Set(bySeverity.flat().slice(0, SHOWN_AT_MOST));
  const shown = groups.filter((group) => weightiest.has(group)).map((group) => renderGroup(group, view));
  return forLog([...shown, ...(groups.length > 1 ? [summary(bySeverity)] : [])].join('\n'));
}

function summary(bySeverity: readonly (readonly WordedGroup[])[]): string {
  const counts = SEVERITIES.flatMap((severity, index) => {
    const { length } = bySeverity[index] ?? [];
    return length === 0 ? [] : [count(length, severity)];
  });
  const rest = bySeverity.flat().length - SHOWN_AT_MOST;
  return `${counts.join(', ')}.${rest > 0 ? ` ${rest} more are not shown.` : ''}\n`;
}

function renderGroup(group: WordedGroup, view: DiagnosticsView): string {
  const { place, severity, code, message, hint } = group;
  const { paint } = view;
  const where = place === undefined ? '' : `${forTerminal(at(place))} `;
  const servers =
    group.servers.length === 0 ? '' : `[${listed(group.servers.map(shortened), NAMED_AT_MOST)}] `;
  const words = visible(`${servers}${shortened(message)}`).split(' ');
  const [beside = '', ...rest] = wrapAfter(`${where}${severity} ${code}:`, words, view.width);
  return [
    `${paint.strong(where)}${paint[severity](severity)} ${code}:${beside}`,
    ...rest.map((line) => `  ${line}`),
    ...(place === undefined ? [] : frameLines(place, view)),
    ...[alsoIn(group), hint].flatMap((text) =>
      text === undefined ? [] : filled(forTerminal(text), view.width, 2),
    ),
    '',
  ].join('\n');
}

/** Where else the same was found; undefined if nowhere. */
function alsoIn({ others, places }: WordedGroup): string | undefined {
  const [noun, names] = others.length > 0 ? ['integration', others] : ['place', places.map(at)];
  if (names.length === 0) return undefined;
  return `The same in ${count(names.length, `more ${noun}`)}: ${listed(names, NAMED_AT_MOST)}.`;
}

/** The line of a place with its number, and marks below it; none where the file is not at hand. */
function frameLines(place: Place, { sources, width, paint }: DiagnosticsView): string[] {
  const source = sources.get(place.file);
  const frame = source === undefined ? undefined : frameOf(source, place, width - GUTTER);
  if (frame === undefined) return [];
  const gutter = `  ${place.line} | `;
  const before = widthOf(frame.text.slice(0, frame.start));
  // A mark past the end of the line takes a column too.
  const marked = Math.max(1, widthOf(frame.text.slice(frame.start, frame.start + frame.width)));
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(before)}${'^'.repeat(marked)}`;
  return [paint.faint(gutter) + frame.text, paint.faint(caret)];
}

/** Findings of one mistake: in a default for many integrations, or in a file that several servers share. */
export interface FindingGroup {
  readonly first: Diagnostic;
  /** The servers it was found on; none where findings name none. */
  readonly servers: readonly string[];
  /** The integrations that the findings after the first are about. */
  readonly others: readonly string[];
  /** The places of the findings after the first, if they are elsewhere. */
  readonly places: readonly Place[];
}

/** Groups findings of one cause: of one place, or of one variable or option that is missing in many. Ordered by place. */
export function groupFindings(diagnostics: readonly Diagnostic[]): FindingGroup[] {
  const groups = grouped([...diagnostics].sort(compareDiagnostics), groupKey);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const servers = new Set(group.flatMap(({ server }) => server ?? []));
    const others = new Set(group.flatMap(integrationsOf));
    for (const name of integrationsOf(first)) others.delete(name);
    const places = new Map(group.flatMap(({ place }) => (place === undefined ? [] : [[at(place), place]])));
    if (first.place !== undefined) places.delete(at(first.place));
    return [{ first, servers: [...servers], others: [...others], places: [...places.values()] }];
  });
}

/** Codes whose cause is none of the places where it shows: a variable that is not set, a role that hides an option. */
const ELSEWHERE: ReadonlySet<string> = new Set(['reference-missing', 'unknown-option']);

/** Facts that say what an integration has, whatever the mistake. */
const OF_INTEGRATION = new Set(['known', 'choices', 'candidates', 'total']);

/** What findings of one cause have in common: all but the integration, and the place if the cause is elsewhere. */
function groupKey(found: Diagnostic): string {
  const { code, place, facts, said } = found;
  const isPlaced = place !== undefined && explain(found).exit === CONFIGURATION;
  const same = Object.entries(facts).flatMap(([name, fact]) => {
    if (name === 'integration' || (isPlaced && OF_INTEGRATION.has(name))) return [];
    return [[name, name === 'address' ? (FIELD_END.exec(String(fact))?.[0] ?? fact) : fact]];
  });
  return JSON.stringify([code, ELSEWHERE.has(code) ? undefined : place, same, said]);
}
