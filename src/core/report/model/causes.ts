import { distinctPlaces } from '../../findings/diagnostic.ts';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { whereText } from './servers.ts';

export type Finding = Document['diagnostics'][number];

/** Findings of one cause, told once. */
export interface Cause {
  readonly code: string;
  readonly severity: Severity;
  /** Its sentence, with the servers if it does not name them. */
  readonly text: string;
  readonly message: string;
  readonly hints: readonly string[];
  readonly servers: readonly string[];
  /** The integrations of all of them. */
  readonly integrations: readonly string[];
  /** Those that its words do not name. */
  readonly others: readonly string[];
  /** The fields of all of them. */
  readonly addresses: readonly string[];
  /** The first is that of the finding whose words these are. */
  readonly places: readonly Place[];
  /** Lines of YAML to write by hand. */
  readonly yaml: readonly string[];
}

/** What an apply refuses on all servers of a document. */
export function refusalsIn({ servers }: Document): Finding[] {
  return servers.flatMap(({ refusals }) => refusals);
}

/** The most servers whose own hint is shown. */
const MOST_HINTS = 8;

/**
 * Findings by their causes, the worst first, what follows from others last.
 * `servers` is how many the document has, to name some of them.
 */
export function causesOf(findings: readonly Finding[], servers = 0): Cause[] {
  const alike = [...grouped(findings, causeKey).values()];
  const causes: Cause[] = [];
  for (const [group, ...others] of grouped(alike, wordsKey).values()) {
    causes.push(causeOf([...group, ...others.flat()], servers));
  }
  return causes.sort((one, other) => rankOf(one) - rankOf(other));
}

/** What a person sees first of findings that are equally severe. */
const FIRST = ['apply-failed', 'stale'];

function rankOf({ severity, code }: Cause): number {
  const weight = SEVERITIES.indexOf(severity) * 10;
  if (code === 'not-attempted') return weight + 9;
  const first = FIRST.indexOf(code);
  return weight + (first < 0 ? FIRST.length : first);
}

/** Makes one of groups in the same words: layers repeat a mistake in a field. */
function wordsKey([finding]: readonly [Finding, ...Finding[]]): string {
  const { code, severity, message, addresses = [], yaml } = finding;
  if (addresses.length === 0) return causeKey(finding);
  return JSON.stringify([code, severity, message, yaml]);
}

/** Codes about a server as a whole, whichever fields show it. */
const OF_SERVERS: ReadonlySet<string> = new Set(['hides-secrets']);

/** Codes whose cause is elsewhere: an unset variable, a role that hides, a server that refuses. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'apply-failed',
  'apply-unknown',
  'not-permitted',
  'reference-missing',
  'unknown-option',
]);

/**
 * The key by which findings are grouped: their words without the integration's
 * name, their YAML to write by hand, and their line unless the cause is
 * elsewhere.
 */
function causeKey(finding: Finding): string {
  const { code, severity, message, yaml, places = [] } = finding;
  if (OF_SERVERS.has(code)) return JSON.stringify([code, severity]);
  const [name = ''] = finding.integrations ?? [];
  const isName = (word: string): boolean =>
    word.startsWith(name) && !/^[^.:]/.test(word.slice(name.length));
  const words = message.split(' ').map((word) => {
    return isName(word) ? word.slice(name.length) : word;
  });
  const place = ELSEWHERE.has(code) ? undefined : places[0];
  return JSON.stringify([code, severity, words, place, yaml]);
}

function causeOf(
  group: readonly [Finding, ...Finding[]],
  allServers: number,
): Cause {
  const [finding] = group;
  const { code, severity, message, yaml = [] } = finding;
  const servers = new Set(group.flatMap(({ server }) => server ?? []));
  const named = group.flatMap((each) => each.integrations ?? []);
  const addresses = group.flatMap((each) => each.addresses ?? []);
  const where = whereText([...servers], allServers, message);
  const integrations = [...new Set(named)];
  return {
    code,
    severity,
    text: where ? `${message.replace(/\.$/, '')} (${where}).` : message,
    message,
    hints: hintsOf(group),
    servers: [...servers],
    integrations,
    others: othersThan(finding, integrations),
    addresses: [...new Set(addresses)],
    places: distinctPlaces(group.flatMap((each) => each.places ?? [])),
    yaml,
  };
}

/** The integrations that the words of a finding do not name. */
function othersThan(
  { integrations = [], addresses = [] }: Finding,
  all: readonly string[],
): string[] {
  // Integrations that share defaults share what is wrong with a field.
  const isShared =
    addresses.length > 0 && addresses.length < integrations.length;
  const named = integrations.filter((name) => {
    return !isShared || addresses.some((text) => text.startsWith(`${name}.`));
  });
  const own = new Set(named);
  return all.filter((name) => !own.has(name));
}

/** The first hint of each server, as their variables differ. */
function hintsOf(findings: readonly Finding[]): string[] {
  const hinting = findings.filter(({ hint }) => hint !== undefined);
  const byServer = grouped(hinting, ({ server }) => server).values();
  const hints = [...byServer].map(([{ hint = '' }]) => hint);
  return [...new Set(hints)].slice(0, MOST_HINTS);
}
