import type { Severity } from '../findings/entry.ts';
import { count, listed } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import { asOfTexts } from './as-of.ts';
import { annotationMessage, annotationProperty } from './escape-sinks.ts';
import { LEVELS, type Remark, remarksOf } from './remark.ts';
import type { Renderer } from './report.ts';

/** The command of GitHub's runner for each level. */
const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The runner shows so many annotations of a kind in a step, and drops the others. */
const SHOWN_AT_MOST = 10;

/** The most integrations that one annotation names. */
const NAMED_AT_MOST = 5;

/** Annotations of GitHub's runner, the most severe first, then a line for each kind that has more than it shows. */
export const renderGithub: Renderer = (report, findings, view) => {
  const remarks = remarksOf(report, findings, view);
  const asOf = report.kind === 'plan' ? asOfTexts(report.servers) : [];
  const lines = LEVELS.map((level) => [
    ...(level === 'note' ? asOf.map(snapshotAnnotation) : []),
    ...foldRemarks(remarks.filter((each) => each.level === level)).map(annotation),
  ]);
  const shown = lines.flatMap((each) => each.slice(0, SHOWN_AT_MOST));
  const rest = LEVELS.flatMap((level, index) => restLine(level, (lines[index]?.length ?? 0) - SHOWN_AT_MOST));
  return [...shown, ...rest].map((line) => `${line}\n`).join('');
};

function snapshotAnnotation(text: string): string {
  return `::${COMMANDS.note} title=Snapshot::${annotationMessage([text])}`;
}

/** Remarks that say the same at one place, about several integrations or servers. */
function foldRemarks(remarks: readonly Remark[]): (readonly Remark[])[] {
  return [
    ...grouped(remarks, ({ code, place, message, integration, identity }) =>
      JSON.stringify([code, place, message, integration === undefined && identity]),
    ).values(),
  ];
}

function annotation(remarks: readonly Remark[]): string {
  const [first] = remarks;
  if (first === undefined) return '';
  const { level, code, title, place, message, hint } = first;
  const names = [...new Set(remarks.flatMap(({ integration }) => integration ?? []))];
  const about = names.length === 0 ? '' : `${listed(names, NAMED_AT_MOST)}: `;
  const properties = [
    ...(place === undefined
      ? []
      : [
          `file=${annotationProperty(place.file)}`,
          `line=${place.line}`,
          `col=${place.column}`,
          ...(place.endColumn === undefined ? [] : [`endColumn=${place.endColumn}`]),
        ]),
    `title=${annotationProperty(`${title} (${code})${serverText(remarks)}`)}`,
  ];
  const lines = [`${about}${message}`, ...(hint === undefined ? [] : [hint])];
  return `::${COMMANDS[level]} ${properties.join(',')}::${annotationMessage(lines)}`;
}

function serverText(remarks: readonly Remark[]): string {
  const servers = [...new Set(remarks.flatMap(({ server }) => server ?? []))];
  return servers.length === 0 ? '' : ` on ${listed(servers, NAMED_AT_MOST)}`;
}

function restLine(level: Severity, left: number): string[] {
  return left > 0 ? [`${count(left, `more ${COMMANDS[level]}`)} without an annotation.`] : [];
}
