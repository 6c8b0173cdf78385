import type { Severity } from '../catalogue/entry.ts';
import { type Explained, explain, severityOf, withCleanFacts } from '../catalogue.ts';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts';
import type { Place } from '../model.ts';
import { cells } from './cells.ts';
import { forTerminal } from './escape.ts';
import { type Frame, framer } from './frame.ts';
import type { Paint } from './paint.ts';
import type { Scrub } from './secret.ts';
import { wrapWords } from './wrap.ts';

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
  /** How many columns there are; a number without end where lines are not to be broken. */
  readonly width: number;
}

/** Findings for a person: grouped by file, each with its place, a frame of the line, and the remedy; errors of all kinds. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const wanted = diagnostics.filter((found) => view.notes || severityOf(found) !== 'note');
  const shown = [...weightiest(wanted)].sort(compareDiagnostics);
  const frameAt = frameFinder(view, brokenFiles(diagnostics));
  const blocks = shown.map((found) => renderOne(explain(withCleanFacts(found, view.scrub)), view, frameAt));
  return [...blocks, ...(wanted.length > 1 ? [summary(wanted, shown.length)] : [])].join('\n');
}

/** The findings that are shown where they are too many: no error is hidden behind a warning. */
function weightiest(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= SHOWN_AT_MOST) return diagnostics;
  const sorted = [...diagnostics].sort(compareDiagnostics);
  return SEVERITIES.flatMap((severity) => sorted.filter((found) => severityOf(found) === severity)).slice(
    0,
    SHOWN_AT_MOST,
  );
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

function summary(diagnostics: readonly Diagnostic[], shown: number): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const times = diagnostics.filter((found) => severityOf(found) === severity).length;
    return times === 0 ? [] : [`${times} ${severity}${times === 1 ? '' : 's'}`];
  });
  const rest = diagnostics.length - shown;
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

function renderOne(found: Explained, view: DiagnosticsView, frameAt: FrameAt): string {
  const { place, severity } = found;
  const { paint } = view;
  const where = place === undefined ? '' : `${forTerminal(place.file)}:${place.line}:${place.column} `;
  const code = `${severity} ${found.code}:`;
  const server = found.server === undefined ? '' : `[${forTerminal(found.server)}] `;
  const message = forTerminal(`${server}${found.message}`);
  const painted = `${paint.strong(where)}${LABEL_PAINT[severity](paint)(severity)} ${found.code}:`;
  const head =
    where.length + code.length + 1 + message.length <= view.width
      ? [`${painted} ${message}`]
      : [painted, ...indented(message, view)];
  const frame = place === undefined ? undefined : frameAt(place);
  const lines = frame === undefined ? [] : frameLines(frame, place?.line ?? 0, paint);
  const hint = found.hint === undefined ? [] : indented(forTerminal(found.hint), view);
  return [...head, ...lines, ...hint, ''].join('\n');
}

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
