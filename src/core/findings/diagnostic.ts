import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { APPLY_FINDINGS } from './apply.ts';
import { CONFIGURATION_FINDINGS } from './configuration.ts';
import type { Entry } from './entry.ts';
import { SERVER_FINDINGS } from './server.ts';
import { USAGE_FINDINGS } from './usage.ts';

/** Every code with its entry. */
export const FINDINGS = {
  ...USAGE_FINDINGS,
  ...CONFIGURATION_FINDINGS,
  ...SERVER_FINDINGS,
  ...APPLY_FINDINGS,
};

/** The code of a finding. */
type DiagnosticCode = keyof typeof FINDINGS;

/** How far an apply came, by the names of the integrations that it was to change. */
export interface Reached {
  readonly applied: readonly string[];
  readonly notApplied: readonly string[];
  readonly unknown: readonly string[];
}

/** Facts that any finding may have. */
interface CommonFacts {
  /** What a server said, which ends the sentence. */
  readonly detail?: string;
  /** A hint in place of that of the code. */
  readonly hint?: string;
  readonly reached?: Reached;
  /** Whether excerpts show the text at its place: the finding is about that, and it is no secret. */
  readonly showsText?: true;
}

/** The facts of a code: what the sentences of its entry take. */
type FactsOf<Code extends DiagnosticCode> =
  (typeof FINDINGS)[Code] extends Entry<infer Facts>
    ? Readonly<Facts> & CommonFacts
    : never;

/** A finding: a code, its facts, and its place in a configuration file if it has one. */
export type Diagnostic = {
  readonly [Code in DiagnosticCode]: {
    readonly code: Code;
    readonly facts: FactsOf<Code>;
    readonly place?: Place;
    /** The places of all its causes, if it is reported once for several. */
    readonly places?: readonly Place[];
    /** The name of the server that it is about, if a run has several. */
    readonly server?: string;
  };
}[DiagnosticCode];

/** Makes a diagnostic; the facts are checked against the code. */
export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  facts: FactsOf<Code>,
  place?: Place,
) {
  // A member of the union, which the compiler cannot see through the type parameter.
  return { code, facts, ...present({ place }) } as Diagnostic;
}

/** A finding that is reported once, with the places of all its causes. */
export function withPlaces(
  found: Diagnostic,
  places: readonly Place[],
): Diagnostic {
  const byPlace = new Map(places.map((place) => [keyOf(place), place]));
  const isOwn = byPlace.size === 1 && byPlace.has(keyOf(found.place));
  if (byPlace.size === 0 || isOwn) return found;
  return { ...found, places: [...byPlace.values()] };
}

/** The result of a step of the core: a value if it could be made, and all findings. */
export interface Checked<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Findings without repetitions, as servers share files, and without `likely-secret` beside `plain-secret`. */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = [
    ...new Map(
      diagnostics.map((found) => [JSON.stringify(found), found]),
    ).values(),
  ];
  const places = new Set(
    unique.map((found) => `${found.code} ${placeKey(found)}`),
  );
  return unique.filter(
    (found) =>
      found.code !== 'likely-secret' ||
      !places.has(`plain-secret ${placeKey(found)}`),
  );
}

/** Findings at places that no other finding has: one reason to refuse is enough. */
export function elsewhere(
  findings: readonly Diagnostic[],
  others: readonly Diagnostic[],
): Diagnostic[] {
  const taken = new Set(others.map(placeKey));
  return findings.filter((found) => !taken.has(placeKey(found)));
}

function placeKey({ place }: Diagnostic): string {
  return keyOf(place);
}

function keyOf(place: Place | undefined): string {
  return `${place?.file}:${place?.line}:${place?.column}`;
}

/** Orders text by code units: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
