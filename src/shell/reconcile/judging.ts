import { type Matched, matchEntries } from '../../core/match/match.ts';
import { fieldAddress } from '../../core/model/address.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { dayOf } from '../../core/model/waiver.ts';
import type { Fingerprints } from '../../core/plan/fingerprint.ts';
import type { LeaveAlone } from '../../core/plan/left-alone.ts';
import { type Origins, originsSince, sinceReview } from '../../core/plan/origins.ts';
import { type Past, pastAt, withPast } from '../../core/plan/past.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import type { Run } from '../run.ts';
import { namesOf, type Prepared } from './preparation.ts';

/** What is compared on one server. */
interface Compared {
  readonly matched: Pick<Matched, 'value'>;
  readonly live: readonly LiveIntegration[];
  readonly reviewed: ServerPlan<null> | undefined;
  readonly fingerprints: Fingerprints | undefined;
}

/** How the differences of a server are judged: where they come from, and which are left alone. */
export interface Judging {
  /** What is desired, with what was a secret at the base. */
  readonly desired: DesiredState;
  readonly origins: Origins | undefined;
  readonly leaves: LeaveAlone;
  /** Whether this branch changed what is declared of the value at an address. */
  readonly isTouched: (address: string) => boolean;
}

/** Judges by the base of the run, as git has it: a reviewed plan may have been edited. */
export function judgingOf(run: Run, server: Prepared, compared: Compared): Judging {
  const { waivers, onlyLabels } = server;
  const { matched, reviewed } = compared;
  const { origins, past } = sinceBase(server, compared);
  const desired = { ...matched.value, integrations: withPast(matched.value.integrations, past) };
  const ids = new Map(
    // Without origins nobody asks.
    (origins === undefined ? [] : desired.integrations).flatMap(({ id, name, options }) =>
      options.map(({ key }) => [fieldAddress(name, { field: 'value', option: key }), id] as const),
    ),
  );
  return {
    desired,
    origins,
    leaves: { waivers, today: dayOf(run.runtime.now()), onlyLabels, reviewed, entries: namesOf([server]) },
    isTouched: (address) => {
      const id = ids.get(address);
      return id !== undefined && origins?.isTouched(id, address) === true;
    },
  };
}

/**
 * Where differences come from, and what was a secret at the base. Integrations are matched again with references open: what they
 * ask for is compared as text.
 */
function sinceBase(
  { comparison }: Prepared,
  { live, reviewed, fingerprints }: Compared,
): { readonly origins: Origins | undefined; readonly past: Past } {
  if (comparison === undefined) return { origins: undefined, past: () => undefined };
  const before = matchEntries(comparison.before, live).value;
  const origins = originsSince(comparison.base, before, matchEntries(comparison.after, live).value);
  return {
    origins: reviewed === undefined ? origins : sinceReview(origins, reviewed, fingerprints),
    past: pastAt(before),
  };
}
