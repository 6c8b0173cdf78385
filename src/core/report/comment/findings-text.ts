import type { Severity } from '../../findings/entry.ts';
import type { Cause } from '../model/cause.ts';
import type { Model } from '../model/model.ts';
import { nameList } from './inline.ts';
import { sentence } from './sentence.ts';
import { placeNames, serverNames } from './where.ts';

/** A code with a section for its integrations: only its remedy is shown. */
const NOT_ATTEMPTED = 'not-attempted';

/** Errors, those that only follow from others last. */
export function errorsOf(model: Model): Cause[] {
  const causes: Cause[] = [];
  const others: Cause[] = [];
  for (const cause of causesWith('error', model)) {
    if (cause.code === NOT_ATTEMPTED) others.push(cause);
    else causes.push(cause);
  }
  return [...causes, ...others];
}

export function warningsOf(model: Model): Cause[] {
  return causesWith('warning', model);
}

function causesWith(severity: Severity, { findings }: Model): Cause[] {
  const causes: Cause[] = [];
  for (const group of findings) {
    if (group.severity === severity) causes.push(...group.causes);
  }
  return causes;
}

/** The most hints of a cause. */
const MOST_HINTS = 2;

/** A cause in a line: its code, servers, words, places, and the remedy. */
export function causeText(cause: Cause, { document }: Model): string {
  const { code, servers, places, hints } = cause;
  const where = serverNames(servers, document);
  const parts = [
    servers.length === 0 ? `**${code}**:` : `**${code}** on ${where}:`,
  ];
  const hasSection = code === NOT_ATTEMPTED && cause.severity === 'error';
  if (!hasSection) {
    parts.push(sentence(cause.message));
    const { others } = cause;
    if (others.length > 0) parts.push(`The same for ${nameList(others, 5)}.`);
  }
  if (places.length > 0) parts.push(placeNames(places, document));
  for (const hint of hints.slice(0, MOST_HINTS)) parts.push(sentence(hint));
  return parts.join(' ');
}
