import { type Checked, compareText, type Diagnostic, diagnostic } from '../diagnostic.ts';
import type {
  DesiredField,
  DesiredIntegration,
  DesiredOption,
  DesiredState,
  DesiredValue,
  LiveIntegration,
} from '../model.ts';
import type { Permission } from '../permission.ts';
import { optionKeysOf, optionPath, type WrittenField } from './entry.ts';
import { globMatcher } from './glob.ts';
import { addressOf, fieldOf, type MergedConfig, type MergedEntry } from './layers.ts';
import type { ResolvedValue } from './resolve.ts';

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/**
 * Finds the installed integration that each entry means, and gathers per integration what is asked of it: specific
 * entries over defaults (`expect: any`), field by field. Finds every entry that matches none or several.
 */
export function matchEntries(
  config: MergedConfig,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
  live: readonly LiveIntegration[],
): Checked<DesiredState> {
  const matches = config.entries.map((entry) => ({ entry, found: live.filter(matcherOf(entry)) }));
  const unmet = matches.flatMap(({ entry, found }) => expectation(entry, found, live));
  const gathered = [...live]
    .sort((a, b) => compareText(a.id, b.id))
    .map((integration) => {
      const meant = matches.filter(({ found }) => found.includes(integration)).map(({ entry }) => entry);
      return gather(integration.id, meant, resolved);
    });
  const integrations = gathered
    .flatMap(({ value }) => value ?? [])
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  const diagnostics = [...unmet, ...gathered.flatMap((each) => each.diagnostics)];
  return diagnostics.length > 0 ? { diagnostics } : { value: { integrations }, diagnostics };
}

function matcherOf(entry: MergedEntry): (integration: LiveIntegration) => boolean {
  const selector = entry.fields.get('match')?.value;
  if (selector === undefined) return (integration) => integration.id === entry.name;
  if (typeof selector === 'string') {
    const matches = globMatcher(selector);
    return (integration) => matches(integration.id);
  }
  const tests = Object.entries(Object(selector)).map(([attribute, glob]) => ({
    attribute,
    matches: globMatcher(String(glob)),
  }));
  return (integration) =>
    tests.every(({ attribute, matches }) => {
      const text = attributeText(integration, attribute);
      return text !== undefined && matches(text);
    });
}

function attributeText(integration: LiveIntegration, attribute: string): string | undefined {
  if (attribute === 'id') return integration.id;
  return attribute === 'name' ? integration.name : integration.acronym;
}

function isDefault(entry: MergedEntry): boolean {
  return entry.fields.get('expect')?.value === 'any';
}

/** Whether an entry manages anything; one that only stops management need not find its integration. */
function manages(entry: MergedEntry): boolean {
  return [...entry.fields].some(
    ([path, field]) => path !== 'match' && path !== 'expect' && field.value !== null,
  );
}

function expectation(
  entry: MergedEntry,
  found: readonly LiveIntegration[],
  live: readonly LiveIntegration[],
): Diagnostic[] {
  const expect = entry.fields.get('expect')?.value ?? 'one';
  if (expect === 'any' || found.length === 1) return [];
  if (found.length === 0 && (expect === 'optional' || !manages(entry))) return [];
  const field = entry.fields.get('match');
  const place = field?.place ?? entry.place;
  const selector = selectorText(entry);
  if (found.length > 1) {
    return [
      diagnostic('several-matches', { selector, candidates: candidates(found), total: found.length }, place),
    ];
  }
  const near = nearest(entry, live);
  return [diagnostic('no-match', { selector, candidates: candidates(near), total: near.length }, place)];
}

function selectorText(entry: MergedEntry): string {
  const selector = entry.fields.get('match')?.value ?? entry.name;
  if (typeof selector === 'string') return selector;
  return Object.entries(Object(selector))
    .map(([attribute, glob]) => `${attribute}: ${String(glob)}`)
    .join(', ');
}

/** Installed integrations whose id or name shares its first letters with the entry; all where none does. */
function nearest(entry: MergedEntry, live: readonly LiveIntegration[]): readonly LiveIntegration[] {
  const selector = selectorText(entry).replace(/^(id|name|acronym): /, '');
  const start = (/^[A-Za-z0-9]+/.exec(selector)?.[0] ?? entry.name).slice(0, 3).toLowerCase();
  const near = live.filter(({ id, name }) =>
    [id, name ?? ''].some((text) => text.toLowerCase().startsWith(start)),
  );
  return near.length > 0 ? near : live;
}

function candidates(live: readonly LiveIntegration[]): string[] {
  return [...live]
    .sort((a, b) => compareText(a.id, b.id))
    .slice(0, CANDIDATES_SHOWN)
    .map(({ id, name, acronym }) => [name ?? '-', acronym ?? '-', id].join(', '));
}

/** What all entries that mean one integration ask of it; nothing where none manages it. */
function gather(
  id: string,
  entries: readonly MergedEntry[],
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): Checked<DesiredIntegration> {
  const specific = entries.filter((entry) => !isDefault(entry));
  const ranks = [specific, entries.filter(isDefault)];
  const first = specific[0] ?? entries[0];
  if (first === undefined) return { diagnostics: [] };
  const name = specific[0]?.name ?? id;
  const winner = new FieldPicker(name, ranks);
  const keys = optionKeysOf(entries.flatMap((entry) => [...entry.fields.keys()]));
  const options = keys.flatMap((key) => desiredOption(key, winner, resolved));
  const autosubscribe = desiredField(winner.pick('autosubscribe'), (value) => value === true);
  const { diagnostics } = winner;
  if (options.length === 0 && autosubscribe === undefined) return { diagnostics };
  return { value: { name, id, place: first.place, ...present({ autosubscribe }), options }, diagnostics };
}

/** Picks the declaration that wins for each field, and finds fields that two equal entries set. */
class FieldPicker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #name: string;
  readonly #ranks: readonly (readonly MergedEntry[])[];

  constructor(name: string, ranks: readonly (readonly MergedEntry[])[]) {
    this.#name = name;
    this.#ranks = ranks;
  }

  pick(path: string): WrittenField | undefined {
    const found = this.#ranks
      .map((rank) => rank.flatMap((entry) => fieldOf(entry, path) ?? []))
      .find((rank) => rank.length > 0);
    const [winner, other] = found ?? [];
    if (winner !== undefined && other !== undefined) {
      this.diagnostics.push(
        diagnostic(
          'duplicate-field',
          { address: addressOf(this.#name, path), other: winner.place },
          other.place,
        ),
      );
    }
    return winner?.value === null ? undefined : winner;
  }
}

function desiredOption(
  key: string,
  winner: FieldPicker,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): DesiredOption | [] {
  const path = optionPath(key);
  const sensitive = winner.pick(`${path}/sensitive`)?.value === true;
  const written = winner.pick(`${path}/value`);
  const permission = desiredField(winner.pick(`${path}/permission`), asPermission);
  const value = written === undefined ? undefined : desiredValue(written, sensitive, resolved);
  const place = value?.place ?? permission?.place;
  return place === undefined ? [] : { key, place, ...present({ value, permission }) };
}

function desiredValue(
  field: WrittenField,
  sensitive: boolean,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): DesiredValue | undefined {
  const found = resolved.get(field);
  if (found === undefined) return undefined;
  const { reference } = found;
  return {
    ...placed(field),
    value: found.value,
    sensitive: sensitive || found.sensitive,
    ...present({ reference }),
  };
}

function desiredField<T>(
  field: WrittenField | undefined,
  decode: (value: unknown) => T,
): DesiredField<T> | undefined {
  return field === undefined ? undefined : { ...placed(field), value: decode(field.value) };
}

function placed(field: WrittenField): Pick<DesiredField<never>, 'place' | 'comment'> {
  return { place: field.place, ...present({ comment: field.comment }) };
}

/** The schema lets only these words through. */
function asPermission(value: unknown): Permission {
  return value as Permission;
}

/** An object without the properties that are undefined, as optional properties are meant here. */
function present<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
