import { type SetterOf, setterIn } from '../config/declaration.ts';
import { aboutOption, selectorOf, selectorText } from '../config/entry.ts';
import type { ResolvedEntry } from '../config/resolve.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type Clues, shownReference } from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import type { Trait } from '../model/subject.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
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
import { type ShownSides, shownValue } from '../plan/shown-sides.ts';
import {
  type ConfigPair,
  compareConfigs,
  type FieldComparison,
  isChanged,
} from './compare-configs.ts';
import type { DeclaredEntry, EntryPair } from './entries.ts';

/** Two configurations, and how risks are treated. */
export interface DiffInput extends ConfigPair {
  readonly policy?: Policy | undefined;
}

/** Diffs two configurations: each field that differs, by the names of the entries. */
export function diffConfigs(input: DiffInput): readonly IntegrationPlan[] {
  const integrations: IntegrationPlan[] = [];
  for (const { pair, fields } of compareConfigs(input)) {
    const { name, head } = pair;
    const shown: ShownChange[] = [];
    addSelection(shown, pair);
    addMarks(shown, pair);
    addFields(shown, fields, input.policy);
    const place = head?.entry.place;
    integrations.push({
      ...NOTHING,
      ...{ name, id: name, status: null, place, shown },
    });
  }
  return integrations;
}

/** Adds the changes of the name of an entry, and of what it selects. */
function addSelection(changes: ShownChange[], pair: EntryPair): void {
  const { name: integration } = pair;
  const base = pair.base?.entry;
  const head = pair.head?.entry;
  if (base !== undefined && head !== undefined) {
    const before = { place: base.place, value: base.name };
    const after = { place: head.place, value: head.name };
    addFact(changes, { subject: { kind: 'name', integration }, before, after });
  }
  const match = { before: matchIn(base), after: matchIn(head) };
  addFact(changes, { subject: { kind: 'match', integration }, ...match });
  const before = expectationIn(base);
  const after = expectationIn(head);
  // An entry that comes or goes with the default says nothing.
  if ((before?.value ?? 'one') !== (after?.value ?? 'one')) {
    const subject = { kind: 'expect', integration } as const;
    addFact(changes, { subject, before, after });
  }
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

/** What is said about an option, and is no field of a server. */
type Mark = 'sensitive' | 'rotated';

/** Adds the changes of what an entry says about its secrets. */
function addMarks(changes: ShownChange[], pair: EntryPair): void {
  const { name: integration, base, head } = pair;
  for (const option of optionsIn(pair)) {
    for (const kind of ['sensitive', 'rotated'] as const) {
      const before = markIn(base, option, kind);
      const after = markIn(head, option, kind);
      const subject = { kind, integration, option };
      addFact(changes, { subject, before, after });
    }
  }
}

function optionsIn({ base, head }: EntryPair): ReadonlySet<string> {
  const then = base?.settings.options.keys() ?? [];
  const now = head?.settings.options.keys() ?? [];
  return new Set([...then, ...now]);
}

function markIn(
  declared: DeclaredEntry | undefined,
  option: string,
  mark: Mark,
): SetterOf<Mark> | undefined {
  if (declared === undefined) return undefined;
  return setterIn(aboutOption(declared.entry, option), mark);
}

/** A declaration that is no field of a server. */
interface Fact {
  readonly place: Place;
  readonly comment?: string | undefined;
  readonly value: string | boolean;
}

/** A fact at two revisions. */
interface FactPair {
  readonly subject: Trait;
  readonly before: Fact | undefined;
  readonly after: Fact | undefined;
}

/** Adds the change of a fact, if it is one. */
function addFact(changes: ShownChange[], pair: FactPair): void {
  const { subject, before, after } = pair;
  const origin = after ?? before;
  if (origin === undefined || before?.value === after?.value) return;
  const sides = { before: before?.value ?? null, after: after?.value ?? null };
  const declared = declaringSides(before, after);
  const { comment } = after ?? {};
  changes.push({ subject, sides, declared, comment, place: origin.place });
}

/** Adds the changes of what servers hold. */
function addFields(
  changes: ShownChange[],
  fields: readonly FieldComparison[],
  policy: Policy | undefined,
): void {
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
  for (const field of fields) {
    if (!isChanged(field)) continue;
    const { comparison, base, head } = field;
    const { subject, setting } = comparison;
    changes.push({
      subject,
      sides: sidesOf(field),
      declared: declaringSides(base, head),
      risks: head === undefined ? [] : risksOf(comparison),
      comment: head?.comment,
      place: setting.place,
    });
  }
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
