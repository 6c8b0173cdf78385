import type { findingHelp } from '../../findings/explain.ts';
import { count } from '../../findings/words.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';

/** One code in full, or the titles of several. */
export function renderExplanations(
  findings: readonly NonNullable<ReturnType<typeof findingHelp>>[],
  { paint, width }: View,
): string {
  const [one, ...others] = findings;
  if (one !== undefined && others.length === 0) {
    const wrapped = (line: string) => filled(line, Math.min(80, width));
    const { severity, exit } = one;
    const weight = exit === undefined ? severity : `${severity}, exit code ${exit}`;
    const heading = wrapped(`${one.code}: ${one.title}${weight && ` (${weight})`}`).map(paint.strong);
    const texts = [one.message, one.why, one.hint].flatMap((text) => text ?? []);
    const blocks = texts.map((text) =>
      text.split('\n').flatMap((line) => (line.startsWith(' ') ? [line] : wrapped(line))),
    );
    return paragraphs([heading, ...blocks]);
  }
  const widest = Math.max(...findings.map(({ code }) => code.length));
  const rows = findings.map(({ code, title }) => `${code.padEnd(widest)}  ${title}`);
  return paragraphs([rows, ['setpoint explain CODE says more about one.']]);
}

/** How much `validate` checked, if nothing is wrong: findings go to stderr. */
export function renderValidation(validation: {
  readonly files: number;
  readonly integrations: number;
  readonly valid: boolean;
  /** Whether options were compared with a catalog or a snapshot. */
  readonly optionsChecked: boolean;
  readonly snapshots?: readonly { readonly takenAt: string }[];
}): string {
  const { files, integrations, valid, optionsChecked, snapshots = [] } = validation;
  if (!valid) return '';
  const about = snapshots.map(
    ({ takenAt }) => `From a snapshot of ${takenAt.slice(0, 'yyyy-mm-dd'.length)}.`,
  );
  const checked = `Valid: ${count(files, 'file')}, ${count(integrations, 'entry', 'entries')}.`;
  const unchecked = 'Options were not checked. Pass --catalog DIR or --live FILE.';
  return [...about, checked, ...(optionsChecked ? [] : [unchecked]), ''].join('\n');
}
