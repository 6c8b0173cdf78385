import { error, failure, guard, unapplied, varying, warning } from './entry.ts';
import { count, cut, ending, listed, type Reached, reachedText } from './words.ts';

/** A field and two of its states, in words that show no secret. */
type Sides = { readonly address: string; readonly before: string; readonly now: string };

/** A field or integration that is no longer as planned, and which side moved; both states if they may be shown. */
export interface Moved extends Partial<Omit<Sides, 'address'>> {
  readonly address: string;
  readonly by: 'server' | 'configuration';
}

/** A risk that is refused, by its default or by a policy. */
type Risky = {
  risk: string;
  addresses: readonly string[];
  by: 'default' | 'policy';
  command?: 'plan' | 'apply';
};

/** How many integrations change in all, and on each server where they are a large part of the managed ones. */
type Size = {
  changed: number;
  /** The limit of --allow-changes; absent without it. */
  allowed?: number;
  command?: 'plan' | 'apply';
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
};

/** A plan warns of what its apply refuses. */
const refusedBy = (f: { readonly command?: 'plan' | 'apply' }) =>
  f.command === 'apply' ? 'guard' : 'refusal';

/** Integrations that did not change for one reason; `taken` names the fields that changed in spite of it. */
type Failed = { integrations: readonly string[]; detail: string; taken: readonly string[]; isStopped?: true };

/** Integrations that an apply did not come to; `because` of another server, or of errors in their own plan. */
type NotAttempted = { integrations: readonly string[]; because?: keyof typeof NOT_ATTEMPTED };

/** Secrets that read as empty, after an apply has sent them or before. */
type Empty = { addresses: readonly string[]; isSent: boolean };

/** The new errors, or why they are unknown; `isDecisive` under --fail-on-errors. */
type NewErrors = { errors: readonly string[]; detail?: string; isDecisive: boolean };

const NOT_ATTEMPTED = {
  unplanned: 'Fix that server, leave it out with --server, or pass --keep-going.',
  failed: 'A server before it failed. Pass --keep-going to go on after a failure.',
  errors: 'Pass --fail-fast to apply nothing if one cannot be planned.',
} as const;

/** Names, with a count if there are many. */
function several(names: readonly string[]): string {
  return names.length > 10 ? `${names.length} integrations (${listed(names, 10)})` : names.join(', ');
}

/** Findings that stop an apply, or say how it ended. */
export const APPLY = {
  'plan-malformed': error('A file is not a plan that can be applied', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} is not a plan that can be applied: ${f.problem}.`,
    hint: 'Save one with setpoint plan --report json=FILE.',
  }),
  'plan-of-other-server': guard('A saved plan is for another server', {
    /** The addresses in the plan and in the configuration; `undefined` if that does not name the server. */
    message: (f: { name: string; planned: string | undefined; now: string | undefined }) =>
      f.planned === undefined
        ? `The plan has no server ${f.name}.`
        : `The plan for ${f.name} was made for ${f.planned}, not for ${f.now ?? 'a server of this configuration'}.`,
    hint: 'Name the server and the files as when you planned, or plan again.',
  }),
  'risk-refused': varying('A risk is refused', refusedBy, {
    message: (f: Risky) => `The risk ${f.risk} is refused: ${listed(f.addresses, 5)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy makes this risk an error, which no flag can lift.'
        : `Apply with --allow ${f.risk}.`,
  }),
  'many-changes': varying('Many integrations would change', refusedBy, {
    message: ({ changed, allowed, large }: Size) =>
      allowed === undefined
        ? `On ${listed(large.map((each) => `${each.server}, ${each.changed} of ${each.managed} integrations`))} would change (the limit is 30 %).`
        : `${count(changed, 'integration')} would change, and --allow-changes allows ${allowed}.`,
    hint: ({ changed, large }: Size) =>
      `To allow all ${changed}${large.some((each) => each.changed === changed) ? '' : ' on all servers'}: --allow-changes ${changed}.`,
  }),
  'not-confirmed': guard('The answer was not yes', { message: 'Not confirmed: nothing was changed.' }),
  'needs-confirmation': error('A command that writes needs to be confirmed', {
    message: 'There is no terminal to ask on.',
    hint: 'Pass --yes to go on without a question.',
  }),
  'apply-failed': unapplied('An integration was not changed', {
    message: (f: Failed) =>
      f.taken.length === 0
        ? `${several(f.integrations)} ${f.integrations.length === 1 ? 'was' : 'were'} not changed${ending(f.detail)}`
        : `${listed(f.integrations)} was changed in part (done: ${listed(f.taken)})${ending(f.detail)}`,
    hint: (f) => (f.isStopped ? 'Start what is not running, and apply again.' : undefined),
  }),
  'apply-unknown': unapplied('It is unknown whether an integration changed', {
    message: (f: { integrations: readonly string[]; detail: string; acknowledged: boolean }) =>
      f.acknowledged
        ? `The server accepted the change of ${several(f.integrations)}, but it could not be read back${ending(f.detail)}`
        : `${several(f.integrations)} may or may not have changed${ending(f.detail)}`,
    hint: 'Run setpoint plan to see what the server holds.',
  }),
  stale: unapplied('An integration changed after it was planned', {
    message: (f: { integration: string; moved: readonly Moved[] }) =>
      `${f.integration} changed ${whereChanged(f.moved)} after it was planned: ${f.moved.map(staleText).join('; ')}.`,
    hint: 'Nothing was written to it. Plan again.',
  }),
  'not-reviewed': warning('Some differences are not in the saved plan', {
    message: (f: { differences: number }) =>
      `Left out, because the plan does not have them: ${count(f.differences, 'difference')}.`,
    hint: 'To apply them too, plan again.',
  }),
  'not-converged': unapplied('An integration holds something else than was written', {
    /** `isStored` if the server made something of its own of a value. */
    message: (f: { integration: string; held: readonly (Sides & { readonly isStored: boolean })[] }) =>
      `${f.integration} accepted the change, but holds something else: ${f.held.map((each) => sidesText(each, 'was set to', 'is')).join('; ')}.`,
    hint: (f) =>
      f.held.some(({ isStored }) => isStored)
        ? 'The server may normalise this value. Write the stored form in the YAML, or every apply sends it again.'
        : undefined,
  }),
  // The first secrets of a new server read the same.
  'hides-secrets': varying('Secrets read back empty', ({ isSent }: Empty) => (isSent ? 'warning' : 'note'), {
    message: (f) =>
      f.isSent
        ? `The server accepted ${listed(f.addresses)}, but shows nothing there: sent, not verified.`
        : `Every managed secret reads as empty: ${listed(f.addresses)}.`,
    hint: 'If this server hides secrets, say hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
  }),
  'not-attempted': varying(
    'Integrations were not attempted',
    (f: NotAttempted) => (f.because === 'unplanned' ? 'warning' : 'unapplied'),
    {
      message: (f) =>
        f.because === 'unplanned'
          ? 'Nothing was written, because a server could not be planned.'
          : `${f.because === 'errors' ? 'Left out because of their errors' : 'Not attempted'}: ${several(f.integrations)}.`,
      hint: (f) => (f.because === undefined ? undefined : NOT_ATTEMPTED[f.because]),
    },
  ),
  'integration-errors': varying(
    'Integrations have new errors after their change',
    (f: NewErrors) => (f.isDecisive ? 'unapplied' : 'warning'),
    {
      message: (f) =>
        f.detail === undefined
          ? `${count(f.errors.length, 'new or rising integration error')} since the change: ${listed(f.errors, 10)}.`
          : `New integration errors are unknown${ending(f.detail)}`,
      hint: 'Run setpoint errors for details.',
    },
  ),
  interrupted: failure('The run was interrupted', {
    message: (f: { signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; reached?: Reached }) =>
      `Interrupted (${f.signal}).${reachedText(f.reached)}`,
    hint: 'Run again to finish.',
  }),
  unexpected: failure('setpoint has a bug', {
    message: (f: { reason: string }) => `Unexpected: ${f.reason}`,
    hint: 'This is a bug in setpoint. Please report it with the command that you ran.',
  }),
};

function whereChanged(moved: readonly Moved[]): string {
  const sides = new Set(moved.map(({ by }) => (by === 'server' ? 'on the server' : 'in the configuration')));
  return [...sides].sort().reverse().join(' and ');
}

function staleText({ address, before, now, by }: Moved): string {
  if (before === undefined || now === undefined) return address;
  const sides = { address, before, now };
  return by === 'server'
    ? sidesText(sides, 'was', 'is now')
    : sidesText(sides, 'was to become', 'is now to become');
}

function sidesText({ address, before, now }: Sides, was: string, is: string): string {
  return `${address} ${was} ${cut(before, now)}, ${is} ${cut(now, before)}`;
}
