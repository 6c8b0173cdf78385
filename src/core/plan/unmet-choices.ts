import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type DesiredIntegration, fieldsOf } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { addressOf, isNamedBy, type Subject } from '../model/subject.ts';
import type { ServerPlan } from './plan.ts';

/** The plan of a server, and what it was made from. */
interface Selected {
  readonly plan: ServerPlan;
  readonly desired: readonly DesiredIntegration[];
  readonly live: readonly LiveIntegration[];
  /** The names of what errors leave out of it. */
  readonly leftOut?: readonly string[];
}

/**
 * Finds an `--only`, a glob on names and ids, that selects nothing on any server, and addresses of hidden fields to write that
 * name no managed field; `all` names any. `entries` are the names of all entries of the configuration.
 */
export function unmetChoices(
  {
    only,
    writeHidden = [],
  }: {
    readonly only?: string | undefined;
    readonly writeHidden?: readonly string[] | undefined;
  },
  entries: readonly string[],
  planned: readonly Selected[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const unmet = writeHidden.flatMap((word) => unmetAddress(word, planned));
  const isEmpty = planned.every(
    ({ plan, leftOut }) => plan.summary.managed === 0 && !leftOut?.length,
  );
  if (only === undefined || !isEmpty) return unmet;
  const known = planned.flatMap(({ live }) => live.map(({ id }) => id));
  return [...unmetOnly(only, entries, known), ...unmet];
}

/** Warns of an `--only` that names no entry, and that selects nothing. `known` are the ids of what is installed. */
export function unmetOnly(
  only: string,
  entries: readonly string[],
  known: readonly string[],
): Diagnostic[] {
  const names = [...new Set(entries)];
  // An optional entry may match nothing.
  if (names.some(globMatcher(only))) return [];
  const near = new Set(known.flatMap(spellings));
  const facts = { word: only, of: 'entry or integration', names } as const;
  return [
    diagnostic('unknown-name', {
      ...facts,
      known: [...near],
      severity: 'warning',
    }),
  ];
}

/** An id, and the globs that people write for it. */
function spellings(id: string): string[] {
  return [id, globOfId(id), `${baseOfId(id)}_*`];
}

function unmetAddress(
  word: string,
  planned: readonly Selected[],
): Diagnostic[] {
  const subjects: Subject[] = [];
  for (const { desired } of planned) {
    for (const { name, settings } of desired) {
      for (const { subject } of fieldsOf(name, settings))
        subjects.push(subject);
    }
  }
  const isAll = word === 'all' && subjects.length > 0;
  if (isAll || subjects.some((subject) => isNamedBy(word, subject))) return [];
  const known: string[] = [];
  for (const subject of subjects) {
    known.push(addressOf(subject));
    if (subject.kind !== 'value') continue;
    known.push(`${subject.integration}.${subject.option}`);
  }
  const names = subjects.map(({ integration }) => integration);
  const facts = {
    word,
    of: 'managed field',
    names: [...new Set(names)],
    known,
  };
  return [diagnostic('unknown-name', facts)];
}
