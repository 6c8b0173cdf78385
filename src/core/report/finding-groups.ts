import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain, FIELD_END, integrationOf } from '../findings/explain.ts';
import { at } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import type { Place } from '../model/place.ts';

/** Findings of one mistake: in a default for many integrations, or in a file that several servers share. */
export interface FindingGroup {
  readonly first: Diagnostic;
  /** The servers it was found on; none where findings name none. */
  readonly servers: readonly string[];
  /** The integrations that the findings after the first are about. */
  readonly others: readonly string[];
  /** The places of the findings after the first, if they are elsewhere. */
  readonly places: readonly Place[];
}

/** Groups findings of one cause: of one place, or of one variable or option that is missing in many. Ordered by place. */
export function groupFindings(diagnostics: readonly Diagnostic[]): FindingGroup[] {
  const groups = grouped([...diagnostics].sort(compareDiagnostics), groupKey);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const servers = new Set(group.flatMap(({ server }) => server ?? []));
    const others = new Set(group.flatMap((found) => integrationOf(found) ?? []));
    others.delete(integrationOf(first) ?? '');
    const places = new Map(group.flatMap(({ place }) => (place === undefined ? [] : [[at(place), place]])));
    if (first.place !== undefined) places.delete(at(first.place));
    return [{ first, servers: [...servers], others: [...others], places: [...places.values()] }];
  });
}

/** Codes whose cause is none of the places where it shows: a variable that is not set, a role that hides an option. */
const ELSEWHERE: ReadonlySet<string> = new Set(['reference-missing', 'unknown-option']);

/** Facts that say what an integration has, whatever the mistake. */
const OF_INTEGRATION = new Set(['integrations', 'known', 'choices', 'candidates', 'total']);

/** What findings of one cause have in common: all but the integration, and the place if the cause is elsewhere. */
function groupKey(found: Diagnostic): string {
  const { code, place, facts, said } = found;
  const isPlaced = place !== undefined && explain(found).exit === 'configuration';
  const same = Object.entries(facts).flatMap(([name, fact]) => {
    if (name === 'integration' || (isPlaced && OF_INTEGRATION.has(name))) return [];
    return [[name, name === 'address' ? (FIELD_END.exec(String(fact))?.[0] ?? fact) : fact]];
  });
  return JSON.stringify([code, ELSEWHERE.has(code) ? undefined : place, same, said]);
}
