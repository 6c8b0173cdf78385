import { error, failure, guard, unapplied, varying, warning } from './entry.ts';
import { count, cut, ending, listed, type Reached, reachedText } from './words.ts';

type Names = readonly string[];

/** A field and two of its states, in words that show no secret. */
type Sides = { readonly address: string; readonly before: string; readonly now: string };

/** A field or integration that is no longer as planned, and which side moved; both states if they may be shown. */
export interface Moved extends Partial<Omit<Sides, 'address'>> {
  readonly address: string;
  readonly by: 'server' | 'configuration';
}

/** A risk that is refused, by its default or by a policy. */
type Risky = { risk: string; addresses: Names; by: 'default' | 'policy'; command?: 'plan' | 'apply' };

/** How many integrations change, the limit of --allow-changes, and the servers where most would change. */
type Size = {
  changed: number;
  allowed?: number;
  command?: 'plan' | 'apply';
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
};

/** A plan warns of what its apply refuses. */
const refusedBy = (f: { command?: 'plan' | 'apply' }) => (f.command === 'apply' ? 'guard' : 'refusal');

/** Integrations that did not change for one reason; `taken` names the fields that changed in spite of it. */
type Failed = { integrations: Names; detail: string; taken: Names; isStopped?: true };

/** Integrations that an apply did not come to; `because` of another server, or of errors in their own plan. */
type NotAttempted = { integrations: Names; because?: keyof typeof NOT_ATTEMPTED };

/** Secrets that read as empty, after an apply has sent them or before. */
type Empty = { addresses: Names; isSent: boolean };

/** The new errors, or why they are unknown; `isDecisive` under --fail-on-errors. */
type NewErrors = { errors: Names; detail?: string; isDecisive: boolean };

/** A file that is no plan, or a plan for another server: `now` is its address in this run. */
type UnusablePlan =
  | { path: string; problem: string }
  | { name: string; planned: string | undefined; now: string | undefined };

const NOT_ATTEMPTED = {
  unplanned: 'Fix that server, leave it out with --server, or pass --keep-going.',
  failed: 'A server before it failed. Pass --keep-going to go on after a failure.',
  errors: 'Pass --fail-fast to apply nothing if one cannot be planned.',
} as const;

function several(names: Names): string {
  return names.length > 10 ? `${names.length} integrations (${listed(names, 10)})` : names.join(', ');
}

/** Findings that stop an apply, or say how it ended. */
export const APPLY = {
  'plan-unusable': varying(
    'A saved plan cannot be applied',
    (f: UnusablePlan) => ('name' in f ? 'guard' : 'error'),
    {
      message: (f) => {
        if ('problem' in f) return `${f.path} cannot be applied: ${f.problem}.`;
        return f.planned === undefined
          ? `The plan has no server ${f.name}.`
          : `The plan for ${f.name} was made for ${f.planned}, not for ${f.now ?? 'a server of this configuration'}.`;
      },
      hint: (f) =>
        'problem' in f
          ? 'Save one with setpoint plan --report json=FILE.'
          : 'Name the server and the files as when you planned, or plan again.',
      why: 'Only the plan of the same server can be applied: not an apply, a snapshot, or another version of the format.',
    },
  ),
  'risk-refused': varying('A risk is refused', refusedBy, {
    message: (f: Risky) => `The risk ${f.risk} is refused: ${listed(f.addresses, 5)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy makes this risk an error, which no flag can lift.'
        : `Apply with --allow ${f.risk}.`,
    why: 'Some changes reach people: all users see a secret, or their own values stop applying. A person has to agree to them, unless policy in setpoint.yaml decides.',
  }),
  'many-changes': varying('Many integrations would change', refusedBy, {
    message: ({ changed, allowed, large }: Size) =>
      allowed === undefined
        ? `On ${listed(large.map((each) => `${each.server}, ${each.changed} of ${each.managed} integrations`))} would change (the limit is 30 %).`
        : `${count(changed, 'integration')} would change, and --allow-changes allows ${allowed}.`,
    hint: ({ changed, large }: Size) =>
      `To allow all ${changed}${large.some((each) => each.changed === changed) ? '' : ' on all servers'}: --allow-changes ${changed}.`,
    why: 'A wrong match or a lost file changes much at once. More than 30 % of the managed integrations of a server need a number that you name.',
  }),
  'not-confirmed': guard('The answer was not yes', {
    message: 'Not confirmed: nothing was changed.',
    why: 'Only the whole word yes counts.',
  }),
  'needs-confirmation': error('A command that writes needs to be confirmed', {
    message: 'There is no terminal to ask on.',
    hint: 'Pass --yes to go on without a question.',
    why: 'Without a terminal, as in a pipeline, nobody can answer. --yes says that the plan was reviewed.',
  }),
  'apply-failed': unapplied('An integration was not changed', {
    message: ({ integrations, taken, detail }: Failed) =>
      `${several(integrations)} ${integrations.length === 1 ? 'was' : 'were'} ${taken.length === 0 ? 'not changed' : `changed in part (done: ${listed(taken)})`}${ending(detail)}`,
    hint: (f) => (f.isStopped ? 'Start what is not running, and apply again.' : undefined),
    why: 'The server refused the change, or answered with an error. The other integrations were still applied, unless --fail-fast was given.',
  }),
  'apply-unknown': unapplied('It is unknown whether an integration changed', {
    message: (f: { integrations: Names; detail: string; acknowledged: boolean }) =>
      `The change of ${several(f.integrations)} ${f.acknowledged ? 'was accepted, but cannot be read back' : 'may or may not have happened'}${ending(f.detail)}`,
    hint: 'Run setpoint plan to see what the server holds.',
    why: 'The connection ended before the answer, or the server could not be read again. Nothing is sent twice.',
  }),
  stale: unapplied('An integration changed after it was planned', {
    message: (f: { integration: string; moved: readonly Moved[] }) =>
      `${f.integration} changed ${whereChanged(f.moved)} after it was planned: ${f.moved.map(staleText).join('; ')}.`,
    hint: 'Nothing was written to it. Plan again.',
    why: 'Applying it would do something else than what was reviewed.',
  }),
  'not-reviewed': warning('Some differences are not in the saved plan', {
    message: (f: { differences: number }) =>
      `Left out, because the plan does not have them: ${count(f.differences, 'difference')}.`,
    hint: 'To apply them too, plan again.',
    why: 'A saved plan is applied as it was reviewed. What differs since then waits for a plan of its own.',
  }),
  'not-converged': unapplied('An integration holds something else than was written', {
    message: (f: { integration: string; held: readonly (Sides & { readonly isStored: boolean })[] }) =>
      `${f.integration} accepted the change, but holds something else: ${f.held.map((each) => sidesText(each, 'was set to', 'is')).join('; ')}.`,
    hint: (f) =>
      f.held.some(({ isStored }) => isStored)
        ? 'The server may normalise this value. Write the stored form in the YAML, or every apply sends it again.'
        : undefined,
    why: 'Everything that was written is read back and compared.',
  }),
  // The first secrets of a new server read the same.
  'hides-secrets': varying('Secrets read back empty', ({ isSent }: Empty) => (isSent ? 'warning' : 'note'), {
    message: (f) =>
      f.isSent
        ? `The server accepted ${listed(f.addresses)}, but shows nothing there: sent, not verified.`
        : `Every managed secret reads as empty: ${listed(f.addresses)}.`,
    hint: 'If this server hides secrets, say hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
    why: 'An empty secret is written, because it looks as if it were not set. If the server only hides it, each plan would write it again.',
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
      why: 'Nothing was sent to them. Errors in the configuration of one integration, a failed server or an interruption can be the reason.',
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
      why: 'An integration can accept its configuration and then fail with it. Its errors are read before and after the change.',
    },
  ),
  interrupted: failure('The run was interrupted', {
    message: (f: { signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; reached?: Reached }) =>
      `Interrupted.${reachedText(f.reached)}`,
    hint: ({ reached }) => (isUnfinished(reached) ? 'The same command finishes the run.' : undefined),
    why: 'A first Ctrl-C lets requests in flight end, a second one stops at once. What is done already is not sent again.',
  }),
  unexpected: failure('setpoint has a bug', {
    message: (f: { reason: string }) => `Unexpected: ${f.reason}`,
    hint: 'This is a bug in setpoint. Please report it with the command that you ran.',
    why: 'No input should lead here.',
  }),
};

/** Whether something is left to do. */
function isUnfinished(reached: Reached | undefined): boolean {
  return reached !== undefined && reached.notApplied.length + reached.unknown.length > 0;
}

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
