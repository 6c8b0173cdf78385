import { at, listed } from '../../findings/words.ts';
import type { Cause } from '../model/cause.ts';
import type { PageContext } from './context.ts';
import { placeLinks } from './links.ts';
import { type Child, element, type Markup } from './markup.ts';
import { dim, serverTags } from './parts.ts';

/** Findings of one cause, as a paragraph that links can lead to. */
export function causeLine(
  cause: Cause,
  context: PageContext,
  ...end: readonly Child[]
): Markup {
  const { servers, message, places, hints, others } = cause;
  const { document } = context.model;
  return element(
    'p',
    { id: context.causes.ids.get(cause), tabindex: -1 },
    serverTags(servers),
    ` ${message} `,
    placeLinks(document, places, at),
    ' ',
    hintOf(hints),
    others.length > 0 ? dim(` Also in ${listed(others, 3)}.`) : undefined,
    ...end,
  );
}

/** A flag with what it takes: people copy it. */
const FLAG = /(--[a-z]+(?:-[a-z]+)*(?: (?:[A-Z]+|\d+|[a-z]+(?:-[a-z]+)+)\b)?)/;

/** Sentences on what to do, their flags as code. */
export function hintOf(hints: readonly string[]): Markup | undefined {
  if (hints.length === 0) return undefined;
  const parts: Child[] = [];
  for (const [position, part] of hints.join(' ').split(FLAG).entries()) {
    // A split by a group has the flags at every second place.
    const isFlag = position % 2 === 1;
    parts.push(isFlag ? element('code', { class: 'flag' }, part) : part);
  }
  return dim(...parts);
}

/** Links to findings from what they are about. */
export function causeLinks(
  causes: readonly Cause[],
  context: PageContext,
): Child[] {
  const links: Child[] = [];
  const codes = new Set<string>();
  for (const cause of causes) {
    if (codes.has(cause.code)) continue;
    codes.add(cause.code);
    const look = cause.severity === 'error' ? 'bad' : 'risk';
    const href = `#${context.causes.ids.get(cause)}`;
    links.push(' ', element('a', { class: `tag ${look}`, href }, cause.code));
  }
  return links;
}
