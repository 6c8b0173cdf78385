import type { Diagnostic } from '../findings/diagnostic.ts';
import type { Severity } from '../findings/entry.ts';
import { explain, severityOf, withCleanFacts } from '../findings/explain.ts';
import type { Place } from '../model/place.ts';
import { cells } from './cells.ts';
import { forTerminal } from './escape.ts';
import { type FindingGroup, groupFindings } from './finding-groups.ts';
import { type Frame, framer } from './frame.ts';
import type { Paint } from './paint.ts';
import type { Scrub } from './secret.ts';
import { wrapAfter, wrapWords } from './wrap.ts';

/** How many findings are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** What the rendering of findings needs beside them. */
export interface DiagnosticsView {
  /** The text of each configuration file, by path, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  readonly paint: Paint;
  readonly scrub: Scrub;
  /** Notes are for those who ask for them. */
  readonly notes: boolean;
  /** How many columns there are. */
  readonly width: number;
}

/**
 * Findings for a person: grouped by file, each with its place, a frame of the line, and the remedy; errors of all kinds.
 * What one mistake leads to is shown once.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const wanted = groupFindings(diagnostics.filter((found) => view.notes || severityOf(found) !== 'note'));
  const shown = weightiest(wanted);
  const frameAt = frameFinder(view, brokenFiles(diagnostics));
  const blocks = shown.map((group) => renderGroup(group, view, frameAt));
  return [...blocks, ...(wanted.length > 1 ? [summary(wanted, shown.length)] : [])].join('\n');
}

/** The findings that are shown where they are too many: no error is hidden behind a warning. */
function weightiest(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  if (groups.length <= SHOWN_AT_MOST) return groups;
  const bySeverity = SEVERITIES.flatMap((severity) =>
    groups.filter(({ first }) => severityOf(first) === severity),
  );
  const shown = new Set(bySeverity.slice(0, SHOWN_AT_MOST));
  return groups.filter((group) => shown.has(group));
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

function summary(groups: readonly FindingGroup[], shown: number): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const times = groups.filter(({ first }) => severityOf(first) === severity).length;
    return times === 0 ? [] : [`${times} ${severity}${times === 1 ? '' : 's'}`];
  });
  const rest = groups.length - shown;
  return `${counts.join(', ')}.${rest > 0 ? ` ${rest} more are not shown.` : ''}\n`;
}

type FrameAt = (place: Place) => Frame | undefined;

/** The files that are not valid YAML. */
function brokenFiles(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const broken = diagnostics.filter(({ code }) => BROKEN.has(code));
  return new Set(broken.flatMap(({ place }) => (place === undefined ? [] : [place.file])));
}

const BROKEN: ReadonlySet<string> = new Set(['yaml-syntax', 'stray-character', 'too-deep', 'too-complex']);

function frameFinder({ sources, width }: DiagnosticsView, broken: ReadonlySet<string>): FrameAt {
  const frames = new Map<string, FrameAt>();
  return (place) => {
    const text = sources.get(place.file);
    if (text === undefined) return undefined;
    const make =
      frames.get(place.file) ?? framer(text, { columns: width - GUTTER, isSound: !broken.has(place.file) });
    frames.set(place.file, make);
    return make(place);
  };
}

/** Columns that are left for the number of a line before its frame. */
const GUTTER = 10;

function renderGroup(group: FindingGroup, view: DiagnosticsView, frameAt: FrameAt): string {
  const found = explain(withCleanFacts(group.first, view.scrub));
  const { place, severity } = found;
  const { paint } = view;
  const where = place === undefined ? '' : `${forTerminal(place.file)}:${place.line}:${place.column} `;
  const code = `${severity} ${found.code}:`;
  const servers = group.servers.length === 0 ? '' : `[${listed(group.servers)}] `;
  const message = forTerminal(`${servers}${found.message}`);
  const painted = `${paint.strong(where)}${LABEL_PAINT[severity](paint)(severity)} ${found.code}:`;
  const [start = '', ...rest] = wrapAfter(`${where}${code}`, message.split(' '), view.width);
  const head = [`${painted}${start}`, ...rest.map((line) => `  ${line}`)];
  const frame = place === undefined ? undefined : frameAt(place);
  const lines = frame === undefined ? [] : frameLines(frame, place?.line ?? 0, paint);
  const hint = found.hint === undefined ? [] : indented(forTerminal(found.hint), view);
  return [...head, ...lines, ...alsoIn(group.others, view), ...hint, ''].join('\n');
}

function alsoIn(others: readonly string[], view: DiagnosticsView): string[] {
  if (others.length === 0) return [];
  const integrations = others.length === 1 ? 'one more integration' : `${others.length} more integrations`;
  return indented(forTerminal(`The same in ${integrations}: ${listed(others)}.`), view);
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_AT_MOST;
  return `${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** How many servers and integrations are named. */
const NAMED_AT_MOST = 8;

function indented(text: string, { width }: DiagnosticsView): string[] {
  return wrapWords(text.split(' '), width - 2).map((line) => `  ${line}`);
}

const LABEL_PAINT: Record<Severity, (paint: Paint) => (text: string) => string> = {
  error: (paint) => paint.error,
  warning: (paint) => paint.warning,
  note: (paint) => paint.faint,
};

function frameLines(frame: Frame, line: number, paint: Paint): string[] {
  const gutter = `  ${line} | `;
  const before = cells(frame.text.slice(0, frame.start));
  // Behind the end of the line a mark has a column too.
  const marked = Math.max(1, cells(frame.text.slice(frame.start, frame.start + frame.width)));
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(before)}${'^'.repeat(marked)}`;
  return [paint.faint(gutter) + frame.text, paint.faint(caret)];
}
