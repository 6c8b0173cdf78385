import { type SetterOf, setterIn } from '../config/declaration.ts';
import { aboutOption, selectorOf, selectorText } from '../config/entry.ts';
import type { ResolvedEntry } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type Clues, shownComment, shownReference } from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import { addressOf } from '../model/subject.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import type {
  ChangeDocument,
  IntegrationDocument,
  PlaceDocument,
} from '../plan/plan.ts';
import {
  type Decision,
  type HeldOption,
  type Policy,
  type Risk,
  riskFinder,
} from '../plan/risk.ts';
import { shownValue } from '../plan/shown-sides.ts';
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
export function diffConfigs(input: DiffInput): readonly IntegrationDocument[] {
  const integrations: IntegrationDocument[] = [];
  for (const { pair, fields } of compareConfigs(input)) {
    const changes: ChangeDocument[] = [];
    addSelection(changes, pair);
    addMarks(changes, pair);
    addFields(changes, fields, input.policy);
    const source = pair.head && sourceOf(pair.head.entry.place);
    integrations.push({
      name: pair.name,
      id: pair.name,
      status: null,
      ...present({ source }),
      changes: changes.sort((a, b) => compareText(a.address, b.address)),
      left: [],
    });
  }
  return integrations;
}

/** Adds the changes of the name of an entry, and of what it selects. */
function addSelection(changes: ChangeDocument[], pair: EntryPair): void {
  const { name } = pair;
  const base = pair.base?.entry;
  const head = pair.head?.entry;
  if (base !== undefined && head !== undefined) {
    const before = { place: base.place, value: base.name };
    const after = { place: head.place, value: head.name };
    addFact(changes, { address: `${name}.name`, before, after });
  }
  const match = { before: matchIn(base), after: matchIn(head) };
  addFact(changes, { address: `${name}.match`, ...match });
  const before = expectationIn(base);
  const after = expectationIn(head);
  // An entry that comes or goes with the default says nothing.
  if ((before?.value ?? 'one') !== (after?.value ?? 'one')) {
    addFact(changes, { address: `${name}.expect`, before, after });
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
function addMarks(changes: ChangeDocument[], pair: EntryPair): void {
  const { name, base, head } = pair;
  for (const option of optionsIn(pair)) {
    for (const mark of ['sensitive', 'rotated'] as const) {
      const address = `${name}.options.${option}.${mark}`;
      const before = markIn(base, option, mark);
      const after = markIn(head, option, mark);
      addFact(changes, { address, before, after });
    }
  }
}

function optionsIn({ base, head }: EntryPair): ReadonlySet<string> {
  const options = new Set(base?.settings.options.keys());
  for (const option of head?.settings.options.keys() ?? []) {
    options.add(option);
  }
  return options;
}

function markIn(
  declared: DeclaredEntry | undefined,
  option: string,
  mark: Mark,
): SetterOf<Mark> | undefined {
  if (declared === undefined) return undefined;
  return setterIn(aboutOption(declared.entry, option), mark);
}

/** Where something is declared. */
interface Origin {
  readonly place: Place;
  readonly comment?: string | undefined;
}

/** A declaration that is no field of a server. */
interface Fact extends Origin {
  readonly value: string | boolean;
}

/** A fact at two revisions. */
interface FactPair {
  readonly address: string;
  readonly before: Fact | undefined;
  readonly after: Fact | undefined;
}

/** Adds the change of a fact, if it is one. */
function addFact(changes: ChangeDocument[], pair: FactPair): void {
  const { before, after } = pair;
  const origin = after ?? before;
  if (origin === undefined || before?.value === after?.value) return;
  const sides = { before: before?.value ?? null, after: after?.value ?? null };
  changes.push(changeDocument({ ...pair, origin, sides, risks: [] }));
}

/** Adds the changes of what servers hold. */
function addFields(
  changes: ChangeDocument[],
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
    const document = changeDocument({
      address: addressOf(comparison.subject),
      origin: comparison.setting,
      before: base,
      after: head,
      sides: shownSides(field),
      risks: head === undefined ? [] : risksOf(comparison),
    });
    changes.push(document);
  }
}

/** Both sides of a change as a document has them. */
type Sides = Partial<ChangeDocument> & Pick<ChangeDocument, 'before' | 'after'>;

/** Both sides of a field as far as they may be shown: references as they are written, other secrets not at all. */
function shownSides(field: FieldComparison): Sides {
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

/** A change, and where its sides are declared. */
interface DeclaredChange {
  readonly address: string;
  /** The declaration that counts now, or the last one. */
  readonly origin: Origin;
  readonly before: Origin | undefined;
  readonly after: Origin | undefined;
  readonly sides: Sides;
  readonly risks: readonly Risk[];
}

function changeDocument(change: DeclaredChange): ChangeDocument {
  const { address, origin, before, after, sides, risks } = change;
  return {
    address,
    ...sides,
    declared: declaringSides(before, after),
    label: 'change',
    risks,
    ...present({ comment: shownComment(after?.comment) }),
    source: sourceOf(origin.place),
  };
}

function sourceOf({ file, line, column }: Place): PlaceDocument {
  return { file, line, column };
}

/** Which sides declare a field. */
function declaringSides(
  before: Origin | undefined,
  after: Origin | undefined,
): 'before' | 'after' | 'both' {
  if (before === undefined) return 'after';
  return after === undefined ? 'before' : 'both';
}
