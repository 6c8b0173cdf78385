import { setterIn } from '../config/declaration.ts';
import { aboutOption, selectorOf, selectorText } from '../config/entry.ts';
import type { ResolvedEntry } from '../config/resolve.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type Clues, shownReference } from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import type { Trait } from '../model/subject.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import { type ShownSides, shownValue } from '../plan/compare.ts';
import {
  type IntegrationPlan,
  NOTHING,
  type ShownChange,
} from '../plan/plan.ts';
import {
  type Decision,
  type HeldOption,
  type Policy,
  riskFinder,
} from '../plan/risk.ts';
import {
  type ConfigPair,
  compareConfigs,
  type EntryPair,
  type FieldComparison,
  isChanged,
} from './compare-configs.ts';

/** Two configurations, and how risks are treated. */
export interface DiffInput extends ConfigPair {
  readonly policy?: Policy | undefined;
}

/** Diffs two configurations: each field that differs, by the names of the entries. */
export function diffConfigs(input: DiffInput): readonly IntegrationPlan[] {
  const integrations: IntegrationPlan[] = [];
  for (const { pair, fields } of compareConfigs(input)) {
    const { name, head } = pair;
    integrations.push({
      ...NOTHING,
      ...{ name, id: name, status: null, place: head?.entry.place },
      shown: [...traitChanges(pair), ...fieldChanges(fields, input.policy)],
    });
  }
  return integrations;
}

/** The changes of what an entry is called, of what it selects, and of what it says about its secrets. */
function traitChanges({
  name: integration,
  base,
  head,
}: EntryPair): ShownChange[] {
  const then = base?.entry;
  const now = head?.entry;
  const changes: ShownChange[] = [];
  if (then !== undefined && now !== undefined) {
    const before = { place: then.place, value: then.name };
    const after = { place: now.place, value: now.name };
    changes.push(...traitChange({ kind: 'name', integration }, before, after));
  }
  const match = { kind: 'match', integration } as const;
  changes.push(...traitChange(match, matchIn(then), matchIn(now)));
  const before = expectationIn(then);
  const after = expectationIn(now);
  // An entry that comes or goes with the default says nothing.
  if ((before?.value ?? 'one') !== (after?.value ?? 'one')) {
    const expect = { kind: 'expect', integration } as const;
    changes.push(...traitChange(expect, before, after));
  }
  const options = [base, head].flatMap((declared) => [
    ...(declared?.settings.options.keys() ?? []),
  ]);
  for (const option of new Set(options)) {
    for (const kind of ['sensitive', 'rotated'] as const) {
      const old = then && setterIn(aboutOption(then, option), kind);
      const own = now && setterIn(aboutOption(now, option), kind);
      changes.push(...traitChange({ kind, integration, option }, old, own));
    }
  }
  return changes;
}

/** The selector of an entry, which is its name if it has no match. */
function matchIn(entry: ResolvedEntry | undefined): Fact | undefined {
  if (entry === undefined) return undefined;
  const { place, comment } = entry.match ?? { place: entry.place };
  return { place, comment, value: selectorText(selectorOf(entry)) };
}

/** How many integrations an entry expects. */
function expectationIn(entry: ResolvedEntry | undefined): Fact | undefined {
  if (entry === undefined) return undefined;
  const { place, expect } = entry;
  return expect ?? { place, value: 'one' };
}

/** A declaration that is no field of a server. */
interface Fact {
  readonly place: Place;
  readonly comment?: string | undefined;
  readonly value: string | boolean;
}

/** The change of a fact; none if both revisions declare the same. */
function traitChange(
  subject: Trait,
  before: Fact | undefined,
  after: Fact | undefined,
): ShownChange[] {
  if (before?.value === after?.value) return [];
  const sides = { before: before?.value ?? null, after: after?.value ?? null };
  const declared = declaringSides(before, after);
  const { place } = after ?? before ?? {};
  return [{ subject, sides, declared, comment: after?.comment, place }];
}

/** The changes of what servers hold. */
function fieldChanges(
  fields: readonly FieldComparison[],
  policy: Policy | undefined,
): ShownChange[] {
  const decisions: Decision[] = [];
  const permissions = new Map<string, HeldOption>();
  for (const field of fields) {
    const { comparison, base, head } = field;
    const { subject } = comparison;
    if (head !== undefined) {
      const fate = isChanged(field) ? 'change' : 'none';
      decisions.push({ comparison, fate });
    }
    if (base?.kind === 'permission' && subject.kind === 'permission') {
      permissions.set(subject.option, { permission: base.want });
    }
  }
  const risksOf = riskFinder(decisions, permissions, policy);
  return fields.filter(isChanged).map((field) => {
    const { comparison, base, head } = field;
    const { subject, setting } = comparison;
    return {
      subject,
      sides: sidesOf(field),
      declared: declaringSides(base, head),
      risks: head === undefined ? [] : risksOf(comparison),
      comment: head?.comment,
      place: setting.place,
    };
  });
}

/** Both sides of a field as far as they may be shown: references as they are written, other secrets not at all. */
function sidesOf(field: FieldComparison): ShownSides {
  const { comparison, base, clues } = field;
  const { before, after } = comparison;
  const beforeReference = referenceIn(before, clues);
  const afterReference = referenceIn(after, clues);
  // The difference may be in a file, or in a part that is not shown.
  const isAlike =
    afterReference !== undefined && afterReference === beforeReference;
  const reference = isAlike ? `${afterReference} (changed)` : afterReference;
  if (holdsSecretText(field)) {
    return {
      before: base === undefined ? '' : null,
      after: null,
      secret: true,
      ...present({ reference, beforeReference }),
    };
  }
  return {
    before: beforeReference ?? shownValue(before),
    after: reference ?? shownValue(after),
  };
}

/** Whether a secret is written in the YAML itself. */
function holdsSecretText({ comparison, base, head }: FieldComparison): boolean {
  if (!comparison.isSecret) return false;
  return [base, head].some(
    (setting) => setting?.kind === 'value' && setting.want.kind === 'literal',
  );
}

/** A value with references as it may be shown; undefined if it has none. */
function referenceIn(side: Side, clues: Clues): string | undefined {
  if (side.kind !== 'written') return undefined;
  const { written } = side;
  const textIn = (member: OptionValue): string =>
    shownReference(textsOf(member)[0] ?? '', clues);
  if (!isChoiceList(written)) return textIn(written);
  return `[${written.map(textIn).join(', ')}]`;
}

/** Which sides declare a field. */
function declaringSides(
  before: object | undefined,
  after: object | undefined,
): 'before' | 'after' | 'both' {
  if (before === undefined) return 'after';
  return after === undefined ? 'before' : 'both';
}
