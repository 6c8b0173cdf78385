import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';

/** Findings that one mistake leads to: in a default that is for many integrations, or in a file of several servers. */
export interface FindingGroup {
  readonly first: Diagnostic;
  /** The servers that it was found on, where findings name one. */
  readonly servers: readonly string[];
  /** The integrations that the others are about. */
  readonly others: readonly string[];
}

/** Groups findings by code and place where they say the same but for the integration, ordered by place. */
export function groupFindings(diagnostics: readonly Diagnostic[]): FindingGroup[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const found of [...diagnostics].sort(compareDiagnostics)) {
    const key = groupKey(found);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [found]);
    else group.push(found);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ first, servers: serversOf(group), others: othersOf(first, group) }];
  });
}

/** Facts that say which integration it is, or what that one has. */
const OF_INTEGRATION = new Set([
  'integration',
  'integrations',
  'known',
  'choices',
  'candidates',
  'total',
  'neighbour',
]);

/** What came of an apply is told of each integration, as is what has no place. */
function groupKey(found: Diagnostic): string {
  const { code, place, facts } = found;
  const isOneMistake = place !== undefined && explain(found).exit === 'configuration';
  const same = Object.entries(facts).flatMap(([name, fact]) => {
    if (!isOneMistake) return [[name, fact]];
    if (name === 'address') return [[name, FIELD.exec(String(fact))?.[0] ?? fact]];
    return OF_INTEGRATION.has(name) ? [] : [[name, fact]];
  });
  return JSON.stringify([code, place, same]);
}

/** What follows the integration in the address of a field. */
const FIELD = /\.(options\..*|autosubscribe)$/;

function serversOf(group: readonly Diagnostic[]): string[] {
  return [...new Set(group.flatMap(({ server }) => server ?? []))];
}

function othersOf(first: Diagnostic, group: readonly Diagnostic[]): string[] {
  const own = integrationOf(first);
  return [...new Set(group.flatMap((found) => integrationOf(found) ?? []))].filter((name) => name !== own);
}

/** The integration that a finding is about: by itself, or as the first part of a field address. */
function integrationOf({ facts }: Diagnostic): string | undefined {
  if ('integration' in facts) return facts.integration;
  return 'address' in facts ? facts.address.replace(FIELD, '') : undefined;
}
