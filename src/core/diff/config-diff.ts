import { setterIn } from '../config/declaration.ts';
import { aboutOption, selectorOf, selectorText } from '../config/entry.ts';
import type { Place } from '../model/place.ts';
import { type Clues, shownReference } from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import { addressOf, type Trait } from '../model/subject.ts';
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
  type DeclaredEntry,
  type EntryPair,
  type FieldComparison,
  isChanged,
} from './compare-configs.ts';

/** Two configurations, and how risks are treated. */
export interface DiffInput extends ConfigPair {
  policy?: Policy | undefined;
}

/**
 * Diffs two configurations: each field that differs, by the names of the
 * entries.
 */
export function diffConfigs(input: DiffInput): readonly IntegrationPlan[] {
  const integrations: IntegrationPlan[] = [];
  for (const { pair, fields } of compareConfigs(input)) {
    const { name, head } = pair;
    integrations.push({
      ...NOTHING,
      name,
      id: name,
      status: null,
      place: head?.entry.place,
      shown: [...traitChanges(pair), ...fieldChanges(fields, input.policy)],
    });
  }
  return integrations;
}

/** A declaration that is no field of a server. */
interface Fact {
  subject: Trait;
  place: Place;
  comment?: string | undefined;
  value: string | boolean;
}

/**
 * The changes of what an entry is called, of what it selects, and of what it
 * says about its secrets.
 */
function traitChanges({ name, base, head }: EntryPair): ShownChange[] {
  const before = factsOf(name, base);
  const after = factsOf(name, head);
  const changes: ShownChange[] = [];
  for (const [address, fact] of new Map([...before, ...after])) {
    const { subject, place } = fact;
    const then = before.get(address);
    const now = after.get(address);
    if (then?.value === now?.value) continue;
    // An entry that comes or goes has no other name.
    const isOneSided = then === undefined || now === undefined;
    if (isOneSided && subject.kind === 'name') continue;
    changes.push({
      subject,
      sides: { before: then?.value ?? null, after: now?.value ?? null },
      declared: declaringSides(then, now),
      comment: now?.comment,
      place,
    });
  }
  return changes;
}

/**
 * What an entry says beside its fields, by addresses. Without a match it
 * selects its name.
 */
function factsOf(
  integration: string,
  declared: DeclaredEntry | undefined,
): ReadonlyMap<string, Fact> {
  if (declared === undefined) return new Map();
  const { entry, settings } = declared;
  const { name, place, match, expect } = entry;
  const facts: Fact[] = [
    { subject: { kind: 'name', integration }, place, value: name },
    {
      subject: { kind: 'match', integration },
      place: (match ?? entry).place,
      comment: match?.comment,
      value: selectorText(selectorOf(entry)),
    },
  ];
  // The default says nothing.
  if (expect !== undefined && expect.value !== 'one') {
    facts.push({ ...expect, subject: { kind: 'expect', integration } });
  }
  for (const option of settings.options.keys()) {
    for (const kind of ['sensitive', 'rotated'] as const) {
      const setter = setterIn(aboutOption(entry, option), kind);
      if (setter === undefined) continue;
      facts.push({ ...setter, subject: { kind, integration, option } });
    }
  }
  return new Map(facts.map((fact) => [addressOf(fact.subject), fact]));
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

/**
 * Both sides of a field as far as they may be shown: references as they are
 * written, other secrets not at all.
 */
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
      reference,
      beforeReference,
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
