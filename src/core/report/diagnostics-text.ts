import type { Diagnostic } from '../findings/diagnostic.ts';
import type { Severity } from '../findings/entry.ts';
import { explain, severityOf, withCleanFacts } from '../findings/explain.ts';
import type { Place, SourceText } from '../model/place.ts';
import { cells } from './cells.ts';
import { count } from './count.ts';
import { forTerminal } from './escape.ts';
import { type FindingGroup, groupFindings } from './finding-groups.ts';
import { type Frame, framer } from './frame.ts';
import type { Paint } from './paint.ts';
import type { View } from './report.ts';
import { wrapAfter, wrapWords } from './wrap.ts';

/** The most findings that are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** The most servers or integrations that one finding names. */
const NAMED_AT_MOST = 8;

/** Columns kept for the number of a line before its frame. */
const GUTTER = 10;

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** How findings are shown. */
export interface DiagnosticsView extends Pick<View, 'paint' | 'scrub' | 'width'> {
  /** The text of each configuration file, by path, for code frames. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** Whether notes are shown too. */
  readonly notes: boolean;
}

/** Findings for a person, by file, each with its place, a frame of the line and the remedy. One mistake is shown once. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const groups = groupFindings(diagnostics.filter((found) => view.notes || severityOf(found) !== 'note'));
  const shown = weightiest(groups);
  const frameAt = frameFinder(view);
  const blocks = shown.map((group) => renderGroup(group, view, frameAt));
  return [...blocks, ...(groups.length > 1 ? [summary(groups, shown.length)] : [])].join('\n');
}

/** The findings to show where there are too many: a warning never hides an error. */
function weightiest(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  if (groups.length <= SHOWN_AT_MOST) return groups;
  const bySeverity = SEVERITIES.flatMap((severity) => groups.filter(isOf(severity)));
  const shown = new Set(bySeverity.slice(0, SHOWN_AT_MOST));
  return groups.filter((group) => shown.has(group));
}

function isOf(severity: Severity): (group: FindingGroup) => boolean {
  return ({ first }) => severityOf(first) === severity;
}

function summary(groups: readonly FindingGroup[], shown: number): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const times = groups.filter(isOf(severity)).length;
    return times === 0 ? [] : [count(times, severity)];
  });
  const rest = groups.length - shown;
  return `${counts.join(', ')}.${rest > 0 ? ` ${rest} more are not shown.` : ''}\n`;
}

type FrameAt = (place: Place) => Frame | undefined;

/** Frames of places; each file is prepared once. */
function frameFinder({ sources, width, scrub }: DiagnosticsView): FrameAt {
  const frames = new Map<string, FrameAt>();
  return (place) => {
    const source = sources.get(place.file);
    if (source === undefined) return undefined;
    const make = frames.get(place.file) ?? framer(source, scrub, width - GUTTER);
    frames.set(place.file, make);
    return make(place);
  };
}

function renderGroup(group: FindingGroup, view: DiagnosticsView, frameAt: FrameAt): string {
  const { place, severity, code, message, hint } = explain(withCleanFacts(group.first, view.scrub));
  const { paint } = view;
  const where = place === undefined ? '' : `${forTerminal(place.file)}:${place.line}:${place.column} `;
  const servers = group.servers.length === 0 ? '' : `[${listed(group.servers)}] `;
  const words = forTerminal(`${servers}${message}`).split(' ');
  const [beside = '', ...rest] = wrapAfter(`${where}${severity} ${code}:`, words, view.width);
  const frame = place === undefined ? undefined : frameAt(place);
  return [
    `${paint.strong(where)}${paint[severity](severity)} ${code}:${beside}`,
    ...rest.map((line) => `  ${line}`),
    ...(frame === undefined ? [] : frameLines(frame, place?.line ?? 0, paint)),
    ...indented(alsoIn(group.others), view),
    ...indented(hint, view),
    '',
  ].join('\n');
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_AT_MOST;
  return `${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function alsoIn(others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined;
  const integrations = others.length === 1 ? 'one more integration' : `${others.length} more integrations`;
  return `The same in ${integrations}: ${listed(others)}.`;
}

function indented(text: string | undefined, { width }: DiagnosticsView): string[] {
  if (text === undefined) return [];
  return wrapWords(forTerminal(text).split(' '), width - 2).map((line) => `  ${line}`);
}

function frameLines(frame: Frame, line: number, paint: Paint): string[] {
  const gutter = `  ${line} | `;
  const before = cells(frame.text.slice(0, frame.start));
  // A mark past the end of the line takes a column too.
  const marked = Math.max(1, cells(frame.text.slice(frame.start, frame.start + frame.width)));
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(before)}${'^'.repeat(marked)}`;
  return [paint.faint(gutter) + frame.text, paint.faint(caret)];
}
