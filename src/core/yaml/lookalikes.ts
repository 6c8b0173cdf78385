import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { codePoint } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import type { Place, SourceFile } from '../model/place.ts';

/** Blanks that YAML takes for text. */
const BLANK = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';

const INDENT = `^[ \\t${BLANK}]*`;

/** Where characters stand that are meant as syntax, and what is meant. */
const MEANT: readonly (readonly [pattern: RegExp, meant: string])[] = [
  [new RegExp(`(?<=${INDENT})[‐-―−－](?=[ ${BLANK}])`), '-'],
  [new RegExp(`(?<=(${INDENT}(- +)*|[{,] *)["'\\w.-]+ *)[：﹕︓]`, 'g'), ': '],
  [new RegExp(`(?<=${INDENT}|[:,[{-][ \\t]*)[${BLANK}]`, 'g'), ' '],
  [/［(.*)］/, '[$1]'],
  [/｛(.*)｝/, '{$1}'],
  [/(?<=^ *| )＃/, '#'],
  [/(?<=^ *|[:,[{-] +)[“„＂]([^"“”＂]*)[“”＂](?= *([,\]}:#]|$))/g, '"$1"'],
  [/(?<=^ *|[:,[{-] +)[‘‚＇]([^'‘’＇]*)[‘’＇](?= *([,\]}:#]|$))/g, "'$1'"],
];

const NAMES: Readonly<Record<string, string>> = {
  '\u00a0': 'a no-break space',
  '：': 'a full-width colon',
  '–': 'an en dash',
  '“': 'a curly quote',
};

/** How many lines are looked at one by one; of more, the text was copied. */
const MOST_LINES = 20;

/**
 * Replaces the problems of a file that are none if characters which look like
 * syntax are taken for it: the findings for these name them.
 */
export function withoutLookalikes(
  { path, text }: SourceFile,
  problems: readonly Diagnostic[],
  problemsOf: (text: string) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const lines = text.split('\n');
  const mended = lines.map((line) =>
    MEANT.reduce((text, [form, meant]) => text.replace(form, meant), line),
  );
  const odd = [...lines.keys()].filter((at) => lines[at] !== mended[at]);
  if (odd.length === 0) return problems;
  const rest = problemsOf(mended.join('\n'));
  const known = new Set(rest.map((problem) => JSON.stringify(problem)));
  const isNew = (problem: Diagnostic) => !known.has(JSON.stringify(problem));
  if (!problems.some(isNew)) return problems;
  const found: Cause[] = [];
  for (const index of odd) {
    const line = lines[index] ?? '';
    const restored = mended.with(index, line).join('\n');
    const isCause = odd.length > MOST_LINES || problemsOf(restored).some(isNew);
    if (!isCause) continue;
    const start = { file: path, line: index + 1, column: 1 };
    found.push(causeIn(line, mended[index] ?? '', start));
  }
  if (found.length === 0) return problems;
  const findings: Diagnostic[] = [];
  for (const [problem, same] of grouped(found, (cause) => cause.problem)) {
    const places = same.map(({ place }) => place);
    const finding = diagnostic('yaml-syntax', { problem }, places[0]);
    findings.push(withPlaces(finding, places));
  }
  return [...findings, ...rest];
}

/** A character that is taken for text. */
interface Cause {
  readonly problem: string;
  readonly place: Place;
}

/** Says where a line and the mended one differ first. */
function causeIn(line: string, mended: string, start: Place): Cause {
  let at = 0;
  while (line.charAt(at) === mended.charAt(at)) at += 1;
  const character = line.charAt(at);
  const meant = mended.charAt(at);
  const name = NAMES[character] ?? 'this character';
  const remedy = meant === ' ' ? 'an ordinary space' : `${meant} instead`;
  const problem = `YAML takes ${name} (${codePoint(character)}) for text; write ${remedy}.`;
  return { problem, place: { ...start, column: at + 1 } };
}
