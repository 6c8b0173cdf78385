import { error, failure, guard, unapplied, varying, warning } from './entry.ts';
import { count, cut, ending, listed, type Reached, reachedText } from './words.ts';

/** A field and two of its states, in words that show no secret. */
type Sides = { readonly address: string; readonly before: string; readonly now: string };

/** A field or integration that is no longer as planned, and which side moved; both states if they may be shown. */
export interface Moved extends Partial<Omit<Sides, 'address'>> {
  readonly address: string;
  readonly by: 'server' | 'configuration';
}

/** A field that the server accepted and holds otherwise; \`isStored\` if it made something of its own of it. */
type Held = Sides & { readonly isStored: boolean };

/** A risk that is refused, by its default or by a policy. */
type Risky = {
  risk: string;
  addresses: readonly string[];
  by: 'default' | 'policy';
  command: 'plan' | 'apply';
};

/** How many integrations change in all, and on each server where they are a large part of the managed ones. */
type Size = {
  changed: number;
  /** What --allow-changes names; absent without it. */
  allowed?: number;
  command: 'plan' | 'apply';
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
};

/** What a plan warns of is what its apply refuses. */
const refusedBy = (f: { readonly command?: 'plan' | 'apply' }) =>
  f.command === 'apply' ? ('guard' as const) : ('refusal' as const);

/** Integrations that did not change for one reason. */
type Failed = {
  integrations: readonly string[];
  detail: string;
  /** What was changed in spite of it. */
  taken: readonly string[];
  /** True if they are not running. */
  isStopped?: true;
};

/** Integrations that an apply did not come to; \`because\` of another server, or of errors in their own plan. */
type NotAttempted = {
  integrations: readonly string[];
  because?: 'unplanned' | 'failed' | 'errors';
};

const attemptKind = (f: NotAttempted) => (f.because === 'unplanned' ? 'warning' : 'unapplied');

const errorKind = (f: NewErrors) => (f.isDecisive ? 'unapplied' : 'warning');

/** Secrets that read as empty, after an apply has sent them or before. */
type Empty = { addresses: readonly string[]; isSent: boolean };

const emptyKind = ({ isSent }: Empty) => (isSent ? 'warning' : 'note');

const NOT_ATTEMPTED = {
  unplanned: 'Fix that server, leave it out with --server, or pass --keep-going.',
  failed: 'A server before it failed. Pass --keep-going to go on after a failure.',
  errors: 'Pass --fail-fast to apply nothing if one cannot be planned.',
} as const;

/** What is new, or why that is unknown; \`isDecisive\` under --fail-on-errors. */
type NewErrors = {
  errors: readonly string[];
  detail?: string;
  isDecisive: boolean;
};

/** Names, with a count if there are many. */
function several(names: readonly string[], one = '', many = ''): string {
  const verb = names.length === 1 ? one : many;
  const counted =
    names.length > 10 ? `${names.length} integrations (${listed(names, 10)})` : names.join(', ');
  return verb === '' ? counted : `${counted} ${verb}`;
}

/** What stops an apply, and how it can end. */
export const APPLY = {
  'plan-malformed': error('A file is not a plan that can be applied', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} is not a plan that can be applied: ${f.problem}.`,
    hint: 'Save one with setpoint plan --report json=FILE.',
  }),
  'plan-of-other-server': guard('A saved plan is for another server', {
    /** The addresses in the plan and in the configuration; `undefined` where that does not name the server. */
    message: (f: { name: string; planned: string | undefined; now: string | undefined }) => {
      if (f.planned === undefined) return `The plan has no server ${f.name}.`;
      const now = f.now === undefined ? 'which the configuration does not name' : `not for ${f.now}`;
      return `The plan for ${f.name} was made for ${f.planned}, ${now}.`;
    },
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
    message: sizeText,
    hint: ({ changed }: Size) => `Apply with --allow-changes ${changed}.`,
  }),
  'not-confirmed': guard('The answer was not yes', { message: 'Not confirmed: nothing was changed.' }),
  'needs-confirmation': error('A command that writes needs to be confirmed', {
    message: 'There is no terminal to ask on.',
    hint: 'Pass --yes to go on without a question.',
  }),
  'apply-failed': unapplied('An integration was not changed', {
    message: (f: Failed) =>
      f.taken.length === 0
        ? `${several(f.integrations, 'was', 'were')} not changed${ending(f.detail)}`
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
      `${f.integration} ${changedWhere(f.moved)}: ${f.moved.map(staleText).join('; ')}.`,
    hint: 'Nothing was written to it. Plan again.',
  }),
  'not-reviewed': warning('Some differences are not in the saved plan', {
    message: (f: { differences: number }) =>
      `Left out, because the plan does not have them: ${count(f.differences, 'difference')}.`,
    hint: 'To apply them too, plan again.',
  }),
  'not-converged': unapplied('An integration holds something else than was written', {
    message: (f: { integration: string; held: readonly Held[] }) =>
      `${f.integration} accepted the change, but holds something else: ${f.held.map((each) => sidesText(each, 'was set to', 'is')).join('; ')}.`,
    hint: (f) =>
      f.held.some(({ isStored }) => isStored)
        ? 'The server may normalise this value. Write the stored form in the YAML, or every apply sends it again.'
        : undefined,
  }),
  // The first secrets of a new server read the same.
  'hides-secrets': varying('Secrets read back empty', emptyKind, {
    message: (f: Empty) =>
      f.isSent
        ? `The server accepted ${listed(f.addresses)}, but shows nothing there: sent, not verified.`
        : `Every managed secret reads as empty: ${listed(f.addresses)}.`,
    hint: 'If this server hides secrets, say hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
  }),
  'not-attempted': varying('Integrations were not attempted', attemptKind, {
    message: (f: NotAttempted) =>
      f.because === 'unplanned'
        ? 'Nothing was written, because a server could not be planned.'
        : `Not attempted${f.because === 'errors' ? ', because of errors' : ''}: ${several(f.integrations)}.`,
    hint: (f) => (f.because === undefined ? undefined : NOT_ATTEMPTED[f.because]),
  }),
  'integration-errors': varying('Integrations have new errors after their change', errorKind, {
    message: (f: NewErrors) =>
      f.detail === undefined
        ? `${count(f.errors.length, 'new or rising integration error')} since the change: ${listed(f.errors, 10)}.`
        : `New integration errors are unknown${ending(f.detail)}`,
    hint: 'Run setpoint errors for details.',
  }),
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

function sizeText({ changed, allowed, large }: Size): string {
  if (allowed !== undefined)
    return `${count(changed, 'integration')} would change, and --allow-changes allows ${allowed}.`;
  const parts = large.map(({ server, changed, managed }) => `${changed} of ${managed} on ${server}`);
  return `More than 30 % of the managed integrations would change: ${listed(parts)}.`;
}

function changedWhere(moved: readonly Moved[]): string {
  const sides = new Set(moved.map(({ by }) => by));
  const where = sides.size > 1 ? 'on the server and in the configuration' : WHERE[moved[0]?.by ?? 'server'];
  return `changed ${where} after it was planned`;
}

const WHERE = { server: 'on the server', configuration: 'in the configuration' } as const;

function staleText({ address, before, now, by }: Moved): string {
  if (before === undefined || now === undefined) return address;
  const [was, is] = by === 'server' ? ['was', 'is now'] : ['was to become', 'is now to become'];
  return sidesText({ address, before, now }, was ?? '', is ?? '');
}

function sidesText({ address, before, now }: Sides, was: string, is: string): string {
  return `${address} ${was} ${cut(before, now)}, ${is} ${cut(now, before)}`;
}
