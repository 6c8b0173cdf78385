import { distinctPlaces } from '../../findings/diagnostic.ts';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';

type Finding = Document['diagnostics'][number];

/** Findings of one cause, told once. */
export interface Cause {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hints: readonly string[];
  readonly servers: readonly string[];
  /** The integrations of all of them. */
  readonly integrations: readonly string[];
  /** Those that its words do not name. */
  readonly others: readonly string[];
  /** The fields of all of them. */
  readonly addresses: readonly string[];
  readonly places: readonly Place[];
  /** The finding that its words are from. */
  readonly finding: Finding;
}

/** Causes of one code. */
export interface CodeFindings {
  readonly code: string;
  readonly severity: Severity;
  readonly causes: readonly Cause[];
}

/** The most servers whose own hint is shown. */
const MOST_HINTS = 8;

/** Findings by their causes, in the order in which those first come. */
export function causesOf(findings: readonly Finding[]): Cause[] {
  const alike = [...grouped(findings, causeKey).values()];
  const causes: Cause[] = [];
  for (const [group, ...others] of grouped(alike, wordsKey).values()) {
    causes.push(causeOf([...group, ...others.flat()]));
  }
  return causes;
}

/** Makes one of groups in the same words: layers repeat a mistake in a field. */
function wordsKey([finding]: readonly [Finding, ...Finding[]]): string {
  const { code, severity, message, addresses = [], yaml } = finding;
  const isAboutField = addresses.length > 0;
  return isAboutField
    ? JSON.stringify([code, severity, message, yaml])
    : causeKey(finding);
}

/** Causes by their codes, the worst first. */
export function findingsByCode(findings: readonly Finding[]): CodeFindings[] {
  const byCode: CodeFindings[] = [];
  const groups = grouped(causesOf(findings), ({ code, severity }) =>
    JSON.stringify([code, severity]),
  );
  for (const causes of groups.values()) {
    const [{ code, severity }] = causes;
    byCode.push({ code, severity, causes });
  }
  const rank = ({ severity }: CodeFindings): number =>
    SEVERITIES.indexOf(severity);
  return byCode.sort((one, other) => rank(one) - rank(other));
}

/** Codes about a server as a whole, whichever fields show it. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  'hidden-field',
  'hides-secrets',
]);

/** Codes whose cause is elsewhere: an unset variable, a role that hides. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'reference-missing',
  'unknown-option',
]);

/**
 * The key by which findings are grouped: their words without the integration's
 * name, their YAML to write by hand, and their line unless the cause is
 * elsewhere.
 */
function causeKey(finding: Finding): string {
  const { code, severity, message, yaml } = finding;
  if (OF_SERVERS.has(code)) return JSON.stringify([code, severity]);
  const [name = ''] = finding.integrations ?? [];
  const isName = (word: string): boolean =>
    word.startsWith(name) && !/^[^.:]/.test(word.slice(name.length));
  const words = message
    .split(' ')
    .map((word) => (isName(word) ? word.slice(name.length) : word));
  const place = ELSEWHERE.has(code) ? undefined : finding.places?.[0];
  return JSON.stringify([code, severity, words, place, yaml]);
}

function causeOf(group: readonly [Finding, ...Finding[]]): Cause {
  const [finding] = group;
  const { code, severity, message } = finding;
  const servers = new Set<string>();
  const integrations = new Set<string>();
  const addresses = new Set<string>();
  for (const {
    server,
    integrations: names = [],
    addresses: fields = [],
  } of group) {
    if (server !== undefined) servers.add(server);
    for (const name of names) integrations.add(name);
    for (const address of fields) addresses.add(address);
  }
  return {
    code,
    severity,
    message,
    hints: hintsOf(group),
    servers: [...servers],
    integrations: [...integrations],
    others: othersThan(finding, integrations),
    addresses: [...addresses],
    places: distinctPlaces(group.flatMap((each) => each.places ?? [])),
    finding,
  };
}

/** The integrations that the words of a finding do not name. */
function othersThan(
  { integrations = [], addresses = [] }: Finding,
  all: Iterable<string>,
): string[] {
  let named = integrations;
  // Integrations that share defaults share what is wrong with a field.
  const isShared = addresses.length < integrations.length;
  if (isShared && addresses.length > 0) {
    named = integrations.filter((name) => {
      return addresses.some((address) => address.startsWith(`${name}.`));
    });
  }
  const own = new Set(named);
  return [...all].filter((name) => !own.has(name));
}

/** The first hint of each server, as their variables differ. */
function hintsOf(findings: readonly Finding[]): string[] {
  const byServer = new Map<string | undefined, string>();
  for (const { server, hint } of findings) {
    if (hint === undefined || byServer.has(server)) continue;
    byServer.set(server, hint);
  }
  return [...new Set(byServer.values())].slice(0, MOST_HINTS);
}
