import { type Matched, matchEntries } from '../../core/match/match.ts';
import { fieldAddress } from '../../core/model/address.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { dayOf } from '../../core/model/waiver.ts';
import type { WritesHidden } from '../../core/plan/diff.ts';
import type { ServerDocument } from '../../core/plan/document.ts';
import { type Origins, originsSince } from '../../core/plan/origins.ts';
import { type Past, pastAt, reviewedPast, withPast } from '../../core/plan/past.ts';
import type { LeaveAlone } from '../../core/plan/waivers.ts';
import { isChosen } from '../../core/plan/write-choice.ts';
import type { Run } from '../run.ts';
import type { Prepared } from './preparation.ts';

/** What is compared on one server. */
interface Compared {
  readonly matched: Pick<Matched, 'value'>;
  readonly live: readonly LiveIntegration[];
  readonly reviewed: ServerDocument | undefined;
}

/** How the differences of a server are judged: where they come from, and which are left alone. */
interface Judging {
  /** What is desired, with what was a secret at the base. */
  readonly desired: DesiredState;
  readonly origins: Origins | undefined;
  readonly leaves: LeaveAlone;
  /** Whether to write a field that the server does not show. */
  readonly writesHidden: WritesHidden;
}

/** Judges by the base of the run, as git has it: a reviewed plan may have been edited. */
export function judgingOf(run: Run, server: Prepared, compared: Compared): Judging {
  const { waivers } = server;
  const { matched, reviewed } = compared;
  const { origins, past } = sinceBase(server, compared);
  const desired = { ...matched.value, integrations: withPast(matched.value.integrations, past) };
  return {
    desired,
    origins,
    leaves: { waivers, today: dayOf(run.runtime.now()), reviewed },
    writesHidden: writingHidden(server, origins, reviewed),
  };
}

/** Hidden fields are written if a flag or the reviewed plan names them, or the branch changed their declaration. */
function writingHidden(
  { writeHidden = [] }: Prepared,
  origins: Origins | undefined,
  reviewed: ServerDocument | undefined,
): WritesHidden {
  const changes = reviewed?.integrations.flatMap((each) => each.changes) ?? [];
  const addresses = new Set(changes.map(({ address }) => address));
  return ({ id, name }, field) => {
    const address = fieldAddress(name, field);
    return (
      addresses.has(address) || isChosen(writeHidden, name, field) || origins?.isTouched(id, address) === true
    );
  };
}

/**
 * Where differences come from, and what was a secret at the base. Integrations are matched again with references open: what they
 * ask for is compared as text.
 */
function sinceBase(
  { comparison }: Prepared,
  { live, reviewed }: Compared,
): { readonly origins: Origins | undefined; readonly past: Past } {
  if (comparison === undefined)
    return { origins: undefined, past: reviewed === undefined ? () => undefined : reviewedPast(reviewed) };
  const before = matchEntries(comparison.before, live).value;
  const origins = originsSince(comparison.base, before, matchEntries(comparison.after, live).value);
  return {
    origins,
    past: pastAt(before),
  };
}
