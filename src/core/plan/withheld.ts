import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';

type Unknown = Extract<Diagnostic, { code: 'unknown-option' }>;

/**
 * The findings of a plan, with one for all options that the server may withhold from the account in place of one for each;
 * undefined where it withholds none: it shows hidden options, or each unknown key is nearly one that it shows.
 */
export function mayBeWithheld(
  diagnostics: readonly Diagnostic[],
  desired: DesiredState,
  live: readonly LiveIntegration[],
): readonly Diagnostic[] | undefined {
  const unknown = diagnostics.filter((found): found is Unknown => found.code === 'unknown-option');
  const missing = unknown.filter((found) => !isTypo(found));
  const [first] = missing;
  if (first === undefined || live.some(showsHidden)) return undefined;
  const addresses = addressesByPlace(desired);
  const named = missing.flatMap(({ facts, place }) => addresses.get(place) ?? [facts.key]);
  const withheld = diagnostic('not-permitted', { addresses: named }, first.place);
  const replaced = new Set<Diagnostic>(missing);
  return [withheld, ...diagnostics.filter((found) => !replaced.has(found))];
}

/** Whether the hint of a finding suggests a key: then it lists no others, so there is no total. */
function isTypo({ facts: { known = [], total } }: Unknown): boolean {
  return known.length > 0 && total === undefined;
}

function showsHidden({ traits }: LiveIntegration): boolean {
  return traits.has('hidden-options');
}

/** What is asked for at one place: of defaults the option of each integration. */
function addressesByPlace({ integrations }: DesiredState): ReadonlyMap<Place | undefined, readonly string[]> {
  const asked = integrations.flatMap(({ name, options }) =>
    options.map(({ key, place }) => ({ place, address: `${name}.options.${key}` })),
  );
  const byPlace = grouped(asked, ({ place }) => place);
  return new Map([...byPlace].map(([place, all]) => [place, all.map(({ address }) => address)]));
}
