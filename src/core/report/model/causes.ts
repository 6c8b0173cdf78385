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

/** The most hints: those of servers may differ. */
const MOST_HINTS = 8;

/**
 * Findings by their causes, the worst first, what follows from others last.
 * `servers` is how many the document has, to name some of them.
 */
export function causesOf(findings: readonly Finding[], servers = 0): Cause[] {
  const groups = [...grouped(findings, causeKey).values()];
  const causes = groups.map((group) => causeOf(group, servers));
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
  const integrations = new Set(
    group.flatMap((each) => each.integrations ?? []),
  );
  const addresses = new Set(group.flatMap((each) => each.addresses ?? []));
  const hints = new Set(group.flatMap(({ hint }) => hint ?? []));
  const named = namedIn(finding);
  const where = whereText([...servers], allServers, message);
  return {
    code,
    severity,
    text: where ? `${message.replace(/\.$/, '')} (${where}).` : message,
    message,
    hints: [...hints].slice(0, MOST_HINTS),
    servers: [...servers],
    integrations: [...integrations],
    others: [...integrations].filter((name) => !named.has(name)),
    addresses: [...addresses],
    places: distinctPlaces(group.flatMap((each) => each.places ?? [])),
    yaml,
  };
}

/** The integrations that the words of a finding name. */
function namedIn({ integrations = [], addresses = [] }: Finding): Set<string> {
  // Integrations that share defaults share what is wrong with a field.
  const isShared =
    addresses.length > 0 && addresses.length < integrations.length;
  const own = integrations.filter((name) => {
    return !isShared || addresses.some((text) => text.startsWith(`${name}.`));
  });
  return new Set(own);
}
