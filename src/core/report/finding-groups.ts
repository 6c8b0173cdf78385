import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain, FIELD_END, integrationOf } from '../findings/explain.ts';
import { grouped } from '../model/grouped.ts';

/** Findings of one mistake: in a default for many integrations, or in a file that several servers share. */
export interface FindingGroup {
  readonly first: Diagnostic;
  /** The servers it was found on; none where findings name none. */
  readonly servers: readonly string[];
  /** The integrations that the findings after the first are about. */
  readonly others: readonly string[];
}

/** Groups findings by code and place that differ only in their integration or server, ordered by place. */
export function groupFindings(diagnostics: readonly Diagnostic[]): FindingGroup[] {
  const groups = grouped([...diagnostics].sort(compareDiagnostics), groupKey);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const servers = new Set(group.flatMap(({ server }) => server ?? []));
    const others = new Set(group.flatMap((found) => integrationOf(found) ?? []));
    others.delete(integrationOf(first) ?? '');
    return [{ first, servers: [...servers], others: [...others] }];
  });
}

/** Facts that say what an integration has, whatever the mistake. */
const OF_INTEGRATION = new Set(['integrations', 'known', 'choices', 'candidates', 'total']);

/** What findings of one cause have in common: all but the integration. */
function groupKey(found: Diagnostic): string {
  const { code, place, facts, said } = found;
  const isPlaced = place !== undefined && explain(found).exit === 'configuration';
  const same = Object.entries(facts).flatMap(([name, fact]) => {
    if (name === 'integration' || (isPlaced && OF_INTEGRATION.has(name))) return [];
    return [[name, name === 'address' ? (FIELD_END.exec(String(fact))?.[0] ?? fact) : fact]];
  });
  return JSON.stringify([code, place, same, said]);
}
