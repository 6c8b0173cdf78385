import { distinctPlaces } from '../../findings/diagnostic.ts';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { at, listed } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan-document.ts';
import { serversText } from './facts.ts';

export type Finding = Document['diagnostics'][number];

/** Findings of one cause, told once. */
export interface Cause {
  code: string;
  severity: Severity;
  /** Its sentence, with the servers if it does not name them. */
  text: string;
  message: string;
  servers: readonly string[];
  /** That of the finding whose words these are. */
  place?: Place | undefined;
  /** Where else it is; empty if nowhere. */
  also: string;
  hints: readonly string[];
  /** Lines of YAML to write by hand. */
  yaml: readonly string[];
}

/** The most hints (those of servers may differ), and names beside a cause. */
const MOST = 8;

/** Findings by their causes, the worst first, what follows from others last. */
export function causesOf(findings: readonly Finding[]): Cause[] {
  const groups = grouped(findings, causeKey).values();
  const causes = [...groups].map(causeOf);
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

/**
 * Codes whose cause is elsewhere: an unset variable, a role that hides, a
 * server that refuses.
 */
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
  // It is about a server as a whole, whichever fields show it.
  if (code === 'hides-secrets') return code;
  const [name = ''] = finding.integrations ?? [];
  const words = message.split(' ').map((word) => {
    return word.startsWith(name) ? word.slice(name.length) : word;
  });
  const place = ELSEWHERE.has(code) ? undefined : places[0];
  return JSON.stringify([code, severity, words, place, yaml]);
}

function causeOf(group: readonly [Finding, ...Finding[]]): Cause {
  const [finding] = group;
  const { code, severity, message, yaml = [] } = finding;
  const servers = [...new Set(group.flatMap(({ server }) => server ?? []))];
  const words = message.split(/[\s,;()]+|[.:](?=\s|$)/);
  const isNamed = servers.every((name) => words.includes(name));
  const where = `${message.replace(/\.$/, '')} (${serversText(servers)}).`;
  const hints = new Set(group.flatMap(({ hint }) => hint ?? []));
  const [place, ...places] = distinctPlaces(
    group.flatMap((each) => each.places ?? []),
  );
  const others = othersIn(group);
  const names = others.length > 0 ? others : places.map(at);
  const also = `Also ${others.length > 0 ? 'in' : 'at'} ${listed(names, MOST)}.`;
  return {
    code,
    severity,
    text: isNamed ? message : where,
    message,
    servers,
    place,
    also: names.length > 0 ? also : '',
    hints: [...hints].slice(0, MOST),
    yaml,
  };
}

/** The integrations of all findings that the words of the first do not name. */
function othersIn(group: readonly [Finding, ...Finding[]]): string[] {
  const [{ integrations = [], addresses = [] }] = group;
  // Integrations that share defaults share what is wrong with a field.
  const isShared =
    addresses.length > 0 && addresses.length < integrations.length;
  const named = integrations.filter((name) => {
    return !isShared || addresses.some((text) => text.startsWith(`${name}.`));
  });
  const all = new Set(group.flatMap((each) => each.integrations ?? []));
  return [...all].filter((name) => !named.includes(name));
}
