import { SEVERITIES } from '../../findings/entry.ts';
import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { annotationMessage, annotationProperty } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The runner shows so many annotations of a level in a step, and drops the others. */
const SHOWN_AT_MOST = 10;

/** Annotations of GitHub's runner, the most severe first, with a count of what it would drop of a level. */
export const renderGithub: Renderer = (document) => {
  const same = grouped(remarksOf(document), ({ level, code, place, message }) =>
    JSON.stringify([level, code, place, message]),
  );
  const lines = SEVERITIES.flatMap((level) => {
    const all = [...same.values()].filter(([first]) => first?.level === level);
    const more = count(all.length - SHOWN_AT_MOST, `more ${COMMANDS[level]}`);
    const rest = all.length > SHOWN_AT_MOST ? [`${more} without an annotation.`] : [];
    return [...all.slice(0, SHOWN_AT_MOST).map(annotation), ...rest];
  });
  return lines.map((line) => `${line}\n`).join('');
};

/** Remarks that say the same at one place, about several integrations or servers. */
function annotation(remarks: readonly Remark[]): string {
  const [first] = remarks;
  if (first === undefined) return '';
  const { level, code, title, place, message } = first;
  const names = listed([...new Set(remarks.flatMap(({ integration }) => integration ?? []))]);
  const servers = listed([...new Set(remarks.flatMap(({ server }) => server ?? []))]);
  const where = place && `file=${annotationProperty(place.file)},line=${place.line},col=${place.column},`;
  const on = annotationProperty(`${title} (${code})${servers === '' ? '' : ` on ${servers}`}`);
  const text = annotationMessage(names === '' ? message : `${names}: ${message}`);
  return `::${COMMANDS[level]} ${where ?? ''}title=${on}::${text}`;
}
