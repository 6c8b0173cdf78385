import { grouped } from '../model/lists.ts';
import { type Place, placeKey } from '../model/place.ts';
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
export type DiagnosticCode = keyof typeof FINDINGS;

/** How far an apply came, by the names of the integrations it was to change. */
export interface Reached {
  applied: readonly string[];
  notApplied: readonly string[];
  unknown: readonly string[];
}

/** Facts that any finding may have. */
interface CommonFacts {
  /** The words of a server, which end the sentence. */
  detail?: string | undefined;
  /** A hint in place of that of the code. */
  hint?: string | undefined;
  /** The YAML that the hint says to write by hand, line by line. */
  yaml?: readonly string[] | undefined;
  reached?: Reached | undefined;
  /** Set if it is about the text at its place, which excerpts may show. */
  showsText?: true | undefined;
}

/**
 * The facts of a code: those that the sentences of its entry take, readonly.
 */
type FactsOf<Code extends DiagnosticCode> =
  (typeof FINDINGS)[Code] extends Entry<infer Facts>
    ? Readonly<Facts> & CommonFacts
    : never;

/** A finding: a code, its facts, and its place in a configuration file. */
export type Diagnostic = {
  readonly [Code in DiagnosticCode]: {
    code: Code;
    facts: FactsOf<Code>;
    /** Absent if it is about no file. */
    place?: Place | undefined;
    /** The places of all its causes, if it is reported once for several. */
    places?: readonly Place[] | undefined;
    /** The name of the server that it is about, if a run has several. */
    server?: string | undefined;
  };
}[DiagnosticCode];

/** Makes a diagnostic; the facts are checked against the code. */
export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  facts: FactsOf<Code>,
  place?: Place,
): Diagnostic {
  // Absent, not undefined: a place may be added by a spread.
  const parts = place === undefined ? { code, facts } : { code, facts, place };
  // The compiler cannot see a member of the union through the type parameter.
  return parts as Diagnostic;
}

/** Adds the places of all its causes to a finding that is reported once. */
export function withPlaces(
  finding: Diagnostic,
  places: readonly Place[],
): Diagnostic {
  if (places.length === 0) return finding;
  return { ...finding, places: distinctPlaces(places) };
}

/** The result of a step of the core: a value if one was made, all findings. */
export interface Checked<T> {
  value?: T;
  diagnostics: readonly Diagnostic[];
}

/**
 * Drops repetitions, as servers share files, and a likely secret where a
 * certain one is reported.
 */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byText = grouped(diagnostics, (finding) => JSON.stringify(finding));
  const unique = [...byText.values()].map(([finding]) => finding);
  const certain = new Set<string>();
  for (const { code, facts, place } of unique) {
    if (code === 'plain-secret' && facts.isCertain) {
      certain.add(placeKey(place));
    }
  }
  return unique.filter(({ code, facts, place }) => {
    const isLikely = code === 'plain-secret' && !facts.isCertain;
    return !isLikely || !certain.has(placeKey(place));
  });
}

/** Findings at places that no other has: one reason to refuse is enough. */
export function elsewhere(
  findings: readonly Diagnostic[],
  others: readonly Diagnostic[],
): Diagnostic[] {
  const taken = new Set(others.map(({ place }) => placeKey(place)));
  return findings.filter(({ place }) => !taken.has(placeKey(place)));
}

/** Places, each once. */
export function distinctPlaces<P extends Place>(places: readonly P[]): P[] {
  return [...grouped(places, placeKey).values()].map(([place]) => place);
}

/** Orders text by code units: the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
