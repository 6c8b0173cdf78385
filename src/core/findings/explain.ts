import type { Types } from '../../generated/plan-types.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  compareText,
  type Diagnostic,
  type DiagnosticCode,
  distinctPlaces,
  FINDINGS,
  type Reached,
} from './diagnostic.ts';
import {
  type Entry,
  KINDS,
  type Kind,
  type Part,
  type Severity,
} from './entry.ts';
import { listed } from './words.ts';

type Worded = Types['diagnostic'];

type PlaceDocument = NonNullable<Worded['places']>[number];

/** Makes the place of a document. */
export type Placing = (place: Place) => PlaceDocument;

/** Findings as documents have them, by their places, with some of others. */
export function diagnosticDocuments(
  diagnostics: readonly Diagnostic[],
  others: readonly Worded[] = [],
  placing?: Placing,
): Worded[] {
  const own = diagnostics.map((finding) => explain(finding, placing));
  return [...others, ...own].sort(compareFindings);
}

/**
 * Puts a finding into words, as documents have it. They may hold foreign text:
 * escape them for the sink.
 */
export function explain(
  diagnostic: Diagnostic,
  placing: Placing = (place) => placeDocument(place, place.file),
): Worded {
  const { code, facts, server, place, places = [] } = diagnostic;
  const { title, message, hint }: Entry<never> = FINDINGS[code];
  const { detail, reached, yaml } = facts;
  let sentence = partOf(message, facts) ?? `${title}.`;
  if (detail) sentence = sentence.replace(/\.$/, () => `: ${detail}`);
  if (reached) sentence = `${sentence} ${reachedText(reached)}`;
  // The most certain place comes first.
  const all = place === undefined ? places : [place, ...places];
  const isOfRisk = diagnostic.code === 'risk-refused';
  return present({
    code,
    severity: severityOf(diagnostic),
    message: sentence,
    hint: facts.hint ?? partOf(hint, facts),
    yaml,
    server,
    risk: isOfRisk ? diagnostic.facts.risk : undefined,
    integrations: unlessEmpty(integrationsOf(diagnostic)),
    addresses: unlessEmpty(addressesOf(diagnostic)),
    places: unlessEmpty(distinctPlaces(all).map(placing)),
  });
}

/** The kind of a finding, for which no sentence is worded. */
export function kindOf({ code, facts }: Diagnostic): Kind {
  const { kind }: Entry<never> = FINDINGS[code];
  return partOf(kind, facts);
}

/** The severity of a finding, for which no sentence is worded. */
export function severityOf(diagnostic: Diagnostic): Severity {
  return KINDS[kindOf(diagnostic)].severity;
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((finding) => severityOf(finding) === 'error');
}

/** How far an apply came: counts and the first names. */
function reachedText({ applied, notApplied, unknown }: Reached): string {
  const ends = { applied, 'not applied': notApplied, unknown };
  const texts: string[] = [];
  for (const [word, names] of Object.entries(ends)) {
    if (names.length === 0) continue;
    texts.push(`${names.length} ${word} (${listed(names, 10)})`);
  }
  if (texts.length === 0) return 'Nothing was written.';
  return `Integrations: ${texts.join(', ')}.`;
}

/** A part of the entry of a code for the facts of the same code. */
function partOf<Result extends string | undefined>(
  part: Part<never, Result>,
  facts: object,
): Result {
  return typeof part === 'function' ? part(facts as never) : part;
}

/** A place in a file, under the name that a document has for that. */
export function placeDocument(
  { line, column, endColumn }: Place,
  file: string,
): PlaceDocument {
  return present({ file, line, column, endColumn });
}

const NOWHERE = { file: '', line: 0, column: 0 };

/** Orders findings by place and code. Equal ones keep the order of servers. */
function compareFindings(a: Worded, b: Worded): number {
  const [one = NOWHERE] = a.places ?? [];
  const [other = NOWHERE] = b.places ?? [];
  return (
    compareText(one.file, other.file) ||
    one.line - other.line ||
    one.column - other.column ||
    compareText(a.code, b.code)
  );
}

/** The integrations that a finding is about, each once. */
function integrationsOf({ facts }: Diagnostic): readonly string[] {
  if ('integrations' in facts) return facts.integrations ?? [];
  if ('integration' in facts && facts.integration !== undefined)
    return [facts.integration];
  return [];
}

/** The addresses of the fields that a finding is about. */
function addressesOf({ facts }: Diagnostic): readonly string[] {
  if ('addresses' in facts) return facts.addresses;
  if ('moved' in facts) return facts.moved.map(({ address }) => address);
  if (!('address' in facts)) return [];
  const { address, integration } = facts;
  // A named value is no field, and neither is a whole entry.
  const isField = integration !== undefined && address !== integration;
  return isField ? [address] : [];
}

function unlessEmpty<Item>(
  items: readonly Item[],
): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** The help for a code: all that does not depend on facts. */
export interface FindingHelp {
  code: DiagnosticCode;
  title: string;
  message: string | undefined;
  why: string | undefined;
  hint: string | undefined;
  /** Undefined if it depends on the facts. */
  severity: Severity | undefined;
  /** Of an error alone. */
  exit: number | undefined;
}

/** The help for a code; undefined for any other word. */
export function findingHelp(word: string): FindingHelp | undefined {
  if (!isCode(word)) return undefined;
  const { title, kind, message, hint, why }: Entry<never> = FINDINGS[word];
  const weight = typeof kind === 'string' ? KINDS[kind] : undefined;
  const isError = weight?.severity === 'error';
  return {
    code: word,
    title,
    message: typeof message === 'string' ? message : undefined,
    why,
    hint: typeof hint === 'string' ? hint : undefined,
    severity: weight?.severity,
    exit: isError ? weight.exit : undefined,
  };
}

function isCode(word: string): word is DiagnosticCode {
  return Object.hasOwn(FINDINGS, word);
}
