import { SEVERITIES } from '../../findings/entry.ts';
import { at, count, listed } from '../../findings/words.ts';
import type { Sources } from '../../model/place.ts';
import { forLog, visible } from '../escape.ts';
import { type Cause, causesOf, type Finding } from '../model/causes.ts';
import type { View } from '../report.ts';
import { frameLines } from './frame.ts';
import {
  filled,
  hanging,
  painted,
  paragraphs,
  span,
  widthOfView,
} from './spans.ts';

/** The most findings that are shown; the others are counted. */
const SHOWN_AT_MOST = 100;

/** The most servers that one finding names. */
const NAMED_AT_MOST = 8;

/** How findings are shown. */
export interface FindingsView extends View {
  sources: Sources;
  /** Whether a total follows, below an empty line. */
  isBeforeTotal?: boolean | undefined;
}

/**
 * Findings for a person, those of one cause once, errors last: each with its
 * place, an excerpt and the remedy. Ends with an empty line before a total.
 */
export function renderFindings(
  findings: readonly Finding[],
  view: FindingsView,
): string {
  // That a server may hide its secrets is always noted.
  const noted = findings.filter(({ code, severity }) => {
    return view.verbose || severity !== 'note' || code === 'hides-secrets';
  });
  const causes = causesOf(noted);
  if (causes.length === 0) return '';
  const weight = ({ severity }: Cause): number => SEVERITIES.indexOf(severity);
  const shown = causes.slice(0, SHOWN_AT_MOST);
  shown.sort((one, other) => weight(other) - weight(one));
  const blocks = shown.map((cause) => causeLines(cause, view));
  const left = causes.length - SHOWN_AT_MOST;
  if (left > 0) blocks.push([`${count(left, 'more finding')} not shown.`]);
  const text = paragraphs(blocks);
  return forLog(view.isBeforeTotal === true ? `${text}\n` : text);
}

/** Findings of one cause: the first in full, and where else it shows. */
function causeLines(cause: Cause, view: FindingsView): string[] {
  const { code, severity, message, servers, place, also, hints, yaml } = cause;
  const { paint } = view;
  const columns = widthOfView(view);
  const on = servers.length === 0 ? '' : ` [${listed(servers, NAMED_AT_MOST)}]`;
  const head = span(`${severity}[${code}]:`, severity);
  const sentence = hanging([], [head, span(` ${message}${on}`)], columns, 4);
  const lines = sentence.map((line) => painted(line, view));
  if (place !== undefined) {
    lines.push(paint.dim(`  --> ${visible(at(place))}`));
    lines.push(...frameLines(place, view.sources.get(place.file), view));
  }
  for (const text of [also, ...hints]) {
    if (text === '') continue;
    lines.push(...filled(visible(text), columns, 6, '    = '));
  }
  // People copy these lines, so they are never wrapped.
  for (const line of yaml) lines.push(`      ${visible(line)}`);
  return lines;
}
