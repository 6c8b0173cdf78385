import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { annotationMessage, annotationProperty } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { LEVELS, type Remark, remarksOf } from './remarks.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The runner shows so many annotations of a level in a step, and drops the others. */
const SHOWN_AT_MOST = 10;

/** The most integrations or servers that one annotation names. */
const NAMED_AT_MOST = 5;

/** Annotations of GitHub's runner, the most severe first, then a line for each level that has more. */
export const renderGithub: Renderer = (document) => {
  const same = grouped(remarksOf(document), ({ level, code, place, message }) =>
    JSON.stringify([level, code, place, message]),
  );
  const lines = LEVELS.map((level) =>
    [...same.values()].filter(([first]) => first?.level === level).map(annotation),
  );
  const rest = LEVELS.flatMap((level, at) => {
    const more = (lines[at]?.length ?? 0) - SHOWN_AT_MOST;
    return more > 0 ? [`${count(more, `more ${COMMANDS[level]}`)} without an annotation.`] : [];
  });
  return [...lines.flatMap((all) => all.slice(0, SHOWN_AT_MOST)), ...rest]
    .map((line) => `${line}\n`)
    .join('');
};

/** Remarks that say the same at one place, about several integrations or servers. */
function annotation(remarks: readonly Remark[]): string {
  const [first] = remarks;
  if (first === undefined) return '';
  const { level, code, title, place, message } = first;
  const names = listed([...new Set(remarks.flatMap(({ integrations }) => integrations))], NAMED_AT_MOST);
  const servers = listed([...new Set(remarks.flatMap(({ server }) => server ?? []))], NAMED_AT_MOST);
  const properties = {
    ...(place && { file: place.file, line: place.line, col: place.column, endColumn: place.endColumn }),
    title: `${title} (${code})${servers === '' ? '' : ` on ${servers}`}`,
  };
  const pairs = Object.entries(properties).filter(([, value]) => value !== undefined);
  const shown = pairs.map(([key, value]) => `${key}=${annotationProperty(`${value}`)}`).join(',');
  return `::${COMMANDS[level]} ${shown}::${annotationMessage(names === '' ? message : `${names}: ${message}`)}`;
}
