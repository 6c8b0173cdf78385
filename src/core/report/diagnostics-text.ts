import { type Explained, explain, type Severity } from '../catalogue.ts';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts';
import type { Place } from '../model.ts';
import { forTerminal } from './escape.ts';
import { type Frame, framer } from './frame.ts';
import type { Paint } from './paint.ts';
import type { Scrub } from './secret.ts';

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
}

/** Findings for a person: grouped by file, each with its place, a frame of the line, and the remedy; errors of all kinds. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const explained = [...diagnostics].sort(compareDiagnostics).map(explain);
  const wanted = explained.filter(({ severity }) => view.notes || severity !== 'note');
  const frames = new Map<string, (place: Place) => Frame | undefined>();
  const frameAt = (place: Place) => {
    const text = view.sources.get(place.file);
    if (text === undefined) return undefined;
    const make = frames.get(place.file) ?? framer(text);
    frames.set(place.file, make);
    return make(place);
  };
  const shown = wanted.slice(0, SHOWN_AT_MOST).map((each) => renderOne(each, view, frameAt));
  const rest = wanted.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more are not shown.\n`] : [])].join('');
}

function renderOne(
  found: Explained,
  { paint, scrub }: DiagnosticsView,
  frameAt: (place: Place) => Frame | undefined,
): string {
  const { place, severity } = found;
  const where =
    place === undefined ? '' : `${paint.strong(`${forTerminal(place.file)}:${place.line}:${place.column}`)} `;
  const label = LABEL_PAINT[severity](paint)(severity);
  const head = `${where}${label} ${found.code}: ${forTerminal(scrub(found.message))}`;
  const frame = place === undefined ? undefined : frameAt(place);
  const hint = found.hint === undefined ? [] : [`  ${forTerminal(scrub(found.hint))}`];
  return [head, ...(frame === undefined ? [] : frameLines(frame, place?.line ?? 0, paint)), ...hint, ''].join(
    '\n',
  );
}

const LABEL_PAINT: Record<Severity, (paint: Paint) => (text: string) => string> = {
  error: (paint) => paint.error,
  warning: (paint) => paint.warning,
  note: (paint) => paint.faint,
};

function frameLines(frame: Frame, line: number, paint: Paint): string[] {
  const gutter = `  ${line} | `;
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(frame.start)}${'^'.repeat(frame.width)}`;
  return [paint.faint(gutter) + frame.text, paint.faint(caret)];
}
