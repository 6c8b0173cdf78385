import { parseConfig } from '../config/config.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import { type Diagnostic, FINDINGS } from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { Gathering } from '../match/gather.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { hide } from '../model/secret.ts';
import { diffIntegration } from '../plan/diff.ts';

import type { NeededVariable } from './variables.ts';

/** What keeps a file from being found valid and as desired, and the line that it is about. */
export interface Flaw {
  readonly line: number | undefined;
  readonly reason: string;
}

/**
 * Reads an entry as `validate` and `plan` would, once all it needs is in the environment, and says what they would find. Nothing
 * is left to a second opinion on what rules, types and choices allow.
 */
export function flawsOf(
  text: string,
  live: LiveIntegration,
  needed: readonly NeededVariable[],
): readonly Flaw[] {
  const { value: config = [], diagnostics } = parseConfig([[{ path: '', text }]]);
  const found = diagnostics.filter(isTold);
  if (found.length > 0) return found.map(flawOf);
  const resolved = resolveConfig(config, { env: environmentOf(needed), file: new Map() });
  const { value: desired, diagnostics: gathered } = new Gathering().of(live.id, resolved);
  if (desired === undefined) return gathered.map(flawOf);
  const diff = diffIntegration(desired, live, UNWRITTEN, new Suggestions());
  const hidden = new Set(needed.filter((each) => each.text === undefined).map(({ address }) => address));
  const differing = [...diff.changes, ...diff.cannotTell.filter(({ address }) => !hidden.has(address))];
  return [
    ...[...gathered, ...diff.diagnostics].filter(isTold).map(flawOf),
    ...differing.map(({ source }) => ({ line: source.line, reason: 'would not read back the same' })),
  ];
}

/** The environment as it will be: any text stands for a secret that cannot be read. */
function environmentOf(needed: readonly NeededVariable[]): ReferenceTable['env'] {
  return new Map(needed.map(({ variable, text = hide('unread') }) => [variable, { text }]));
}

/** Nothing is written, and no secret is compared with those of other integrations. */
const UNWRITTEN = {
  isKnown: () => false,
  writesHidden: () => false,
};

function isTold(found: Diagnostic): boolean {
  return severityOf(found) !== 'note';
}

function flawOf({ code, place }: Diagnostic): Flaw {
  return { line: place?.line, reason: lowered(FINDINGS[code].title) };
}

function lowered(title: string): string {
  return /^[A-Z][a-z ]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
