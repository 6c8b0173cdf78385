import { type Matched, matchEntries } from '../../core/match/match.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fieldAddress } from '../../core/model/place.ts';
import { dayOf } from '../../core/model/waiver.ts';
import type { DiffRules } from '../../core/plan/diff.ts';
import type { ServerDocument } from '../../core/plan/document.ts';
import {
  type BaseSecrecy,
  baseSecrecyIn,
  isTouched,
  type Revisions,
  reviewedSecrecy,
  revisionsOf,
  withBaseSecrecy,
} from '../../core/plan/labels.ts';
import type { LeaveAlone } from '../../core/plan/plan-server.ts';
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
  readonly revisions: Revisions | undefined;
  readonly leaves: LeaveAlone;
  readonly writesHidden: DiffRules['writesHidden'];
}

/** Judges by the base of the run, as git has it: a reviewed plan may have been edited. */
export function judgingOf(run: Run, server: Prepared, compared: Compared): Judging {
  const { matched, reviewed } = compared;
  const { revisions, secrecy } = sinceBase(server, compared);
  const { integrations } = matched.value;
  return {
    desired:
      secrecy === undefined
        ? matched.value
        : { ...matched.value, integrations: withBaseSecrecy(integrations, secrecy) },
    revisions,
    leaves: { waivers: server.waivers, today: dayOf(run.runtime.now()), reviewed },
    writesHidden: writingHidden(server, revisions, reviewed),
  };
}

/** Hidden fields are written if a flag or the reviewed plan names them, or the branch changed their declaration. */
function writingHidden(
  { writeHidden = [] }: Prepared,
  revisions: Revisions | undefined,
  reviewed: ServerDocument | undefined,
): DiffRules['writesHidden'] {
  const changes = reviewed?.integrations.flatMap((each) => each.changes) ?? [];
  const addresses = new Set(changes.map(({ address }) => address));
  return ({ id, name }, setting) =>
    addresses.has(fieldAddress(name, setting)) ||
    isChosen(writeHidden, name, setting) ||
    (revisions !== undefined && isTouched(revisions, id, setting));
}

/** What this branch and its base declare, matched again with references open, and what was a secret at the base. */
function sinceBase(
  { comparison }: Prepared,
  { live, reviewed }: Compared,
): { readonly revisions?: Revisions; readonly secrecy?: BaseSecrecy | undefined } {
  if (comparison === undefined)
    return { secrecy: reviewed === undefined ? undefined : reviewedSecrecy(reviewed) };
  const before = matchEntries(comparison.before, live).value;
  const revisions = revisionsOf(comparison.base, before, matchEntries(comparison.after, live).value);
  return { revisions, secrecy: baseSecrecyIn(before) };
}
