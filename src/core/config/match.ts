import { compareText, type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { DesiredIntegration, DesiredState, LiveIntegration } from '../model.ts';
import type { WrittenField } from './entry.ts';
import { gather } from './gather.ts';
import { globMatcher } from './glob.ts';
import type { MergedConfig, MergedEntry } from './layers.ts';
import type { ResolvedValue } from './resolve.ts';

/** What a configuration asks of the integrations that are there, beside all that could not be matched. */
export interface Matched {
  readonly value: DesiredState;
  readonly diagnostics: readonly Diagnostic[];
}

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/**
 * Finds the installed integration that each entry means, and gathers per integration what is asked of it: specific
 * entries over defaults (`expect: any`), field by field. Finds every entry that matches none or several; such entries are
 * not in the value.
 */
export function matchEntries(
  config: MergedConfig,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
  live: readonly LiveIntegration[],
): Matched {
  const matches = config.entries.map((entry) => {
    const found = live.filter(matcherOf(entry));
    return { entry, found, unmet: expectation(entry, found, live) };
  });
  const gathered = [...live]
    .sort((a, b) => compareText(a.id, b.id))
    .map((integration) => {
      const meant = matches
        .filter(({ found, unmet }) => unmet.length === 0 && found.includes(integration))
        .map(({ entry }) => entry);
      return gather(integration.id, meant, resolved);
    });
  const integrations = gathered
    .flatMap(({ value }) => value ?? [])
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  const diagnostics = [
    ...matches.flatMap(({ unmet }) => unmet),
    ...gathered.flatMap((each) => each.diagnostics),
    ...ambiguousNames(integrations),
  ];
  return { value: { integrations }, diagnostics };
}

/** Two integrations with one name would have the same field addresses. */
function ambiguousNames(integrations: readonly DesiredIntegration[]): Diagnostic[] {
  const ids = new Set(integrations.map(({ id }) => id));
  return integrations
    .filter(({ name, id }) => name !== id && ids.has(name))
    .map(({ name, id, place }) => diagnostic('ambiguous-name', { name, id }, place));
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
