import { error, failure, guard, refusal, reportWarning, unapplied, varying, warning } from './entry.ts';
import { count, cut, ending, listed, type Reached, reachedText, storedHint } from './words.ts';

/** A field and two of its states, in words that show no secret. */
type Sides = { readonly address: string; readonly before: string; readonly now: string };

/** A field that is no longer as planned, and which side moved. */
export type Moved =
  | (Sides & { readonly by: 'server' | 'configuration' | 'either' })
  /**
   * The configuration no longer manages it, a waiver leaves it alone, its fingerprint is under another key, it is a secret with neither a fingerprint
   * nor a reference that tells all of it, a secret that cannot be read and without a fingerprint, or it is an integration that
   * an error kept out of the plan.
   */
  | {
      readonly address: string;
      readonly by: 'unmanaged' | 'waived' | 'key' | 'literal' | 'unseen' | 'unplanned';
    }
  /** The configuration manages it since. */
  | { readonly address: string; readonly by: 'managed'; readonly now: string };

/** A field that the server accepted and holds otherwise. */
type Held = Sides & { readonly difference?: string; readonly isStored: boolean; readonly isRefused?: true };

/** Integrations that refused their changes for one cause, and all that the server said of it. */
type Refusal = { integrations: readonly string[]; detail: readonly string[] };

/** How many integrations change in all, and on each server where they are a large part of the managed ones. */
type Size = {
  changed: number;
  /** What --allow-changes names; absent without it. */
  allowed?: number;
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
};

const SET_KEY = 'set one SETPOINT_FINGERPRINT_KEY where you plan and where you apply';

/** What a plan and an apply say of a risk that is refused. */
const RISK = {
  message: (f: { risk: string; addresses: readonly string[]; by: 'default' | 'policy' }) =>
    `The risk ${f.risk} is not accepted: ${listed(f.addresses, 5)}.`,
  hint: (f: { risk: string; by: 'default' | 'policy' }) =>
    f.by === 'policy'
      ? 'The policy of setpoint.yaml, or of the saved plan, makes this an error, which no flag can lift.'
      : `Apply with --accept ${f.risk} to accept it.`,
};

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
  'risk-to-accept': refusal('An apply refuses a risk', RISK),
  'risk-refused': guard('A risk was not accepted', RISK),
  'many-changes': refusal('Many integrations would change', { message: sizeText, hint: sizeHint }),
  'many-changes-refused': guard('Too many integrations would change', { message: sizeText, hint: sizeHint }),
  'not-confirmed': guard('The answer was not yes', { message: 'Not confirmed: nothing was changed.' }),
  'needs-confirmation': error('A command that writes needs to be confirmed', {
    message: 'There is no terminal to ask on.',
    hint: 'Pass --yes to go on without a question.',
  }),
  'held-back': warning('An apply was held back', {
    message: 'Nothing was written, because another server could not be planned.',
    hint: 'Mend what is wrong there, or pass --server NAME to leave that server out.',
  }),
  'apply-failed': unapplied('An integration was not changed', {
    message: (f: { integration: string; detail: string; taken: readonly string[] }) =>
      f.taken.length === 0
        ? `${f.integration} was not changed${ending(f.detail)}`
        : `${f.integration} was changed in part (done: ${listed(f.taken)})${ending(f.detail)}`,
  }),
  'apply-unknown': unapplied('It is unknown whether an integration changed', {
    /** `acknowledged` where the server accepted all of it. */
    message: (f: { integration: string; detail: string; acknowledged: boolean }) =>
      f.acknowledged
        ? `The server accepted the change of ${f.integration}, but it could not be read back${ending(f.detail)}`
        : `${f.integration} may or may not have changed${ending(f.detail)}`,
    hint: 'Run setpoint plan to see what the server holds.',
  }),
  'apply-blocked': unapplied('An integration that is not running refused a change', {
    message: (f: Refusal) =>
      f.integrations.length === 1
        ? `${listed(f.integrations)} is not running and refused the change${ending(listed(f.detail, 3))}`
        : `${f.integrations.length} integrations are not running and refused their changes (${listed(f.integrations)})${ending(listed(f.detail, 3))}`,
    hint: (f) => `Start ${f.integrations.length === 1 ? 'it' : 'them'} and apply again.`,
  }),
  'apply-forbidden': unapplied('The account may not change some integrations', {
    message: (f: Refusal) =>
      `The account may not change ${listed(f.integrations)} (403)${ending(listed(f.detail, 3))}`,
    hint: (f) =>
      `Add ${f.integrations.length === 1 ? 'it' : 'them'} to the integrations that the account manages, or use an administrator.`,
  }),
  'apply-unexplained': unapplied('The server refused changes and gave no reason', {
    message: (f: { integrations: readonly string[]; status: number }) =>
      f.integrations.length === 1
        ? `${listed(f.integrations)} was not changed: the server answered ${f.status} and gave no reason.`
        : `${f.integrations.length} integrations were not changed (${listed(f.integrations)}): the server answered ${f.status} and gave no reason.`,
    hint: 'Its log may tell. If the values are right, this server differs from the API document: it may take options only as the type integration-option, selects only as text, or integrations only with their type.',
  }),
  stale: unapplied('An integration changed after it was planned', {
    message: (f: { integration: string; moved: readonly Moved[] }) =>
      `${f.integration} ${changedWhere(f.moved)}: ${f.moved.map(staleText).join('; ')}.`,
    hint: (f) => `Nothing was written to it. ${staleRemedy(f.moved)}`,
  }),
  'secrets-by-reference': reportWarning('Secrets of a saved plan are compared by their references alone', {
    message: (f: { command: 'plan' | 'apply' }) =>
      f.command === 'plan'
        ? 'Without a key the plan has no fingerprints: apply can compare its secrets by their references alone.'
        : 'The plan has no fingerprints: its secrets were compared by their references alone, and what they replace not at all.',
    hint: `Logins by password make no key: ${SET_KEY}.`,
  }),
  'other-fingerprints': warning('A saved plan has fingerprints under another key', {
    message: 'The plan was made with other credentials, so its secrets cannot be compared.',
    hint: 'Set one SETPOINT_FINGERPRINT_KEY where you plan and where you apply, and plan again.',
  }),
  'not-converged': unapplied('An integration holds something else than was written', {
    /**
     * `before` is what was to be written, `now` what the server holds; `difference` says what alone differs between the two,
     * `isStored` whether the server made something of its own of what it was sent, and `isRefused` that the YAML cannot hold it.
     */
    message: (f: { integration: string; held: readonly Held[] }) =>
      `${f.integration} accepted the change, but holds something else: ${f.held.map(heldText).join('; ')}.`,
    hint: (f) => storedHint(f.held),
  }),
  // The first secrets of a new server read the same.
  'hides-secrets': varying('Secrets read back empty', (f) => (f.isSent ? 'warning' : 'note'), {
    message: (f: { addresses: readonly string[]; isSent: boolean }) =>
      f.isSent
        ? `The server accepted ${listed(f.addresses)}, but shows nothing there: sent, not verified.`
        : `Every managed secret reads as empty: ${listed(f.addresses)}.`,
    hint: 'If this server hides secrets, say hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
  }),
  'not-attempted': unapplied('Integrations were not attempted', {
    message: (f: { integrations: readonly string[] }) => `Not attempted: ${listed(f.integrations)}.`,
  }),
  'left-out': unapplied('Integrations with errors were left out', {
    message: (f: { integrations: readonly string[] }) =>
      `Not applied, because of errors: ${listed(f.integrations)}.`,
    hint: 'Pass --fail-fast to apply nothing where one cannot be planned.',
  }),
  'integration-error': warning('An integration has new errors after its change', {
    /** `before` is how often the error had occurred before the apply. */
    message: (f: { integration: string; detail: string; count: number; before: number }) =>
      f.before === 0
        ? `${f.integration} has a new error since the change${ending(f.detail)}`
        : `${f.integration} has an error that rose from ${f.before} to ${f.count} since the change${ending(f.detail)}`,
    hint: 'Run setpoint errors for details, and revert the YAML if it is the cause.',
  }),
  'errors-rose': unapplied('Changes led to new integration errors', {
    message: (f: { count: number }) =>
      `${count(f.count, 'new or rising integration error')} (--fail-on-errors).`,
  }),
  'errors-unread': warning('Integration errors could not be read', {
    message: (f: { detail: string }) =>
      `It is unknown whether the changes led to integration errors. ${f.detail}`,
  }),
  'errors-unknown': unapplied('--fail-on-errors could not read integration errors', {
    message: (f: { detail: string }) =>
      `It is unknown whether the changes led to integration errors (--fail-on-errors). ${f.detail}`,
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

function sizeHint({ changed, allowed }: Size): string {
  return allowed === undefined
    ? `Apply with --allow-changes ${changed} to change them all the same.`
    : `--allow-changes names ${allowed}, but ${changed} would change in all: review the plan again.`;
}

function sizeText({ large }: Size): string {
  const parts = large.map(({ server, changed, managed }) => `${changed} of ${managed} on ${server}`);
  return `More than 30 % of the managed integrations would change: ${listed(parts)}.`;
}

function changedWhere(moved: readonly Moved[]): string {
  if (moved.every(({ by }) => by === 'unplanned')) return 'has no part in the plan';
  if (moved.every(isIncomparable)) return 'cannot be compared with its plan';
  return `changed ${sideOf(moved)} after it was planned`;
}

function isIncomparable({ by }: Moved): boolean {
  return by === 'key' || by === 'literal' || by === 'unseen';
}

function staleRemedy(moved: readonly Moved[]): string {
  if (moved.some(({ by }) => by === 'literal'))
    return `Apply without a saved plan, write the secret as one reference, or ${SET_KEY}, and plan again.`;
  const unseen = moved.flatMap(({ by, address }) => (by === 'unseen' ? [address] : []));
  if (unseen.length === 0) return 'Plan again.';
  return `If it is to be written, apply with --write-secrets ${unseen.join(',')}, or ${SET_KEY}, and plan again.`;
}

function sideOf(moved: readonly Moved[]): string {
  if (moved.some((each) => each.by === 'either' || isIncomparable(each)))
    return 'on the server or in the configuration';
  if (moved.every(({ by }) => by === 'server')) return 'on the server';
  const isServer = moved.some(({ by }) => by === 'server');
  return isServer ? 'on the server and in the configuration' : 'in the configuration';
}

function staleText(moved: Moved): string {
  switch (moved.by) {
    case 'server':
      return sidesText(moved, 'was', 'is now');
    case 'configuration':
      return sidesText(moved, 'was to become', 'is now to become');
    case 'either':
      return sidesText(moved, 'was not in the plan, was', 'is now to become');
    case 'unmanaged':
      return `${moved.address} is no longer managed`;
    case 'waived':
      return `a waiver now leaves ${moved.address} alone`;
    case 'key':
      return `${moved.address} cannot be compared`;
    case 'literal':
      return `${moved.address} cannot be compared: the plan has no fingerprint of it, and no reference that tells all of it`;
    case 'unseen':
      return `${moved.address} cannot be read, and no fingerprint shows that the plan was to write it`;
    case 'unplanned':
      return 'an error kept it from being planned';
    case 'managed':
      return `${moved.address} was not managed, is now to become ${cut(moved.now)}`;
  }
}

function sidesText({ address, before, now }: Sides, was: string, is: string): string {
  return `${address} ${was} ${cut(before, now)}, ${is} ${cut(now, before)}`;
}

function heldText({ difference, ...sides }: Held): string {
  const only = difference === undefined ? '' : `, which differs in nothing but ${difference}`;
  return `${sidesText(sides, 'was set to', 'is')}${only}`;
}
