import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { annotationMessage, annotationProperty } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The runner shows so many annotations of a level in a step, and drops the others. */
const SHOWN_AT_MOST = 10;

/** The most integrations or servers that one annotation names. */
const NAMED_AT_MOST = 5;

/** Annotations of GitHub's runner, the most severe first, then a line for each level that has more. */
export const renderGithub: Renderer = (document) => {
  const lines = (['error', 'warning', 'note'] as const).map((level) => {
    const same = grouped(
      remarksOf(document).filter((each) => each.level === level),
      ({ code, place, message }) => JSON.stringify([code, place, message]),
    );
    return { level, all: [...same.values()].map(annotation) };
  });
  const rest = lines.flatMap(({ level, all }) => {
    const more = all.length - SHOWN_AT_MOST;
    return more > 0 ? [`${count(more, `more ${COMMANDS[level]}`)} without an annotation.`] : [];
  });
  const shown = lines.flatMap(({ all }) => all.slice(0, SHOWN_AT_MOST));
  return [...shown, ...rest].map((line) => `${line}\n`).join('');
};

/** Remarks that say the same at one place, about several integrations or servers. */
function annotation(remarks: readonly Remark[]): string {
  const [first] = remarks;
  if (first === undefined) return '';
  const { level, code, title, place, message } = first;
  const names = [...new Set(remarks.flatMap(({ integrations }) => integrations))];
  const servers = [...new Set(remarks.flatMap(({ server }) => server ?? []))];
  const about = names.length === 0 ? '' : `${listed(names, NAMED_AT_MOST)}: `;
  const on = servers.length === 0 ? '' : ` on ${listed(servers, NAMED_AT_MOST)}`;
  const properties = [
    `file=${annotationProperty(place.file)}`,
    `line=${place.line}`,
    `col=${place.column}`,
    ...(place.endColumn === undefined ? [] : [`endColumn=${place.endColumn}`]),
    `title=${annotationProperty(`${title} (${code})${on}`)}`,
  ];
  return `::${COMMANDS[level]} ${properties.join(',')}::${annotationMessage([`${about}${message}`])}`;
}
