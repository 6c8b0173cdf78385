import type { Types } from '../../generated/plan-types.ts';
import type { AboutFields } from './about.ts';
import { finding } from './entry.ts';
import { count, listed, phrase } from './words.ts';

/** A field or integration that moved since it was planned. */
export interface Moved {
  address: string;
  by: 'server' | 'configuration';
}

/** An integration that is not as it was planned. */
type Stale = {
  integration: string;
  /** Empty if all of it moved; then the detail says why. */
  moved: readonly Moved[];
};

type Risk = Types['change']['risks'][number];

type Risky = AboutFields & {
  risk: Risk;
  /** Whether the policy makes it an error; else a flag allows it. */
  isBarred: boolean;
};

/** A command that writes, without a yes. */
type Unconfirmed = {
  /** Whether somebody was asked. */
  isAsked: boolean;
};

/** Secrets that read back empty. */
type EmptySecrets = AboutFields & {
  /** Whether they were written before. */
  isSent: boolean;
};

/** How many integrations would change. */
type Size = {
  changed: number;
  /** As --allow-changes says. */
  allowed: number | undefined;
  /** The servers on which too many would. */
  large: readonly string[];
};

/** Integrations that did not change for one reason. */
type Failed = {
  integrations: readonly string[];
  /** The fields that changed in spite of it. */
  taken: readonly string[];
};

/**
 * Integrations that were not attempted, or servers that keep all others back.
 */
type Unattempted = {
  /** Empty if servers could not be planned. */
  integrations: readonly string[];
  /** The servers whose failure keeps an apply from all others. */
  unplanned?: readonly string[] | undefined;
};

type NewErrors = {
  errors: readonly string[];
  total: number;
  /** Why they could not be read. */
  detail?: string | undefined;
  /** Set by --fail-on-errors. */
  isDecisive: boolean;
};

/** Findings that stop an apply, or say how it ended. */
export const APPLY_FINDINGS = {
  'risk-refused': finding('guard', 'A risk is refused', {
    message: (facts: Risky) =>
      `The risk ${facts.risk} is refused: ${listed(facts.addresses, 5)}.`,
    hint: ({ risk, isBarred }) =>
      isBarred
        ? 'The policy makes this risk an error, which no flag can lift.'
        : `To allow it, pass --allow ${risk}; if it is no secret, say sensitive: false.`,
    why: "Some changes reach people. exposes-secret: all users will see a secret. overrides-users: an option is locked, so users' own values stop applying. subscribes-everyone: all users with access are subscribed. Apply refuses exposes-secret without --allow exposes-secret, and reports the others. policy in setpoint.yaml can set each to off, warn or error; no flag lifts an error.",
  }),
  'many-changes': finding('guard', 'Many integrations would change', {
    message: ({ changed, allowed, large }: Size) => {
      const most = allowed ?? '30 % of a server';
      return `${count(changed, 'integration')} would change, and only ${most} may (${listed(large, 3)}).`;
    },
    hint: ({ changed }) =>
      `To allow this on all servers, pass --allow-changes ${changed}.`,
    why: 'A wrong match or a lost file changes much at once. To change more than 30 % of the managed integrations of a server, name their number with --allow-changes.',
  }),
  'not-confirmed': finding(
    ({ isAsked }: Unconfirmed) => (isAsked ? 'guard' : 'error'),
    'A command that writes was not confirmed',
    {
      message: ({ isAsked }) => {
        const reason = isAsked
          ? 'nobody confirmed it'
          : 'there is no terminal to ask on';
        return `Nothing was changed, because ${reason}.`;
      },
      hint: 'Answer with the whole word yes, or pass --yes to go on without a question.',
    },
  ),
  'apply-failed': finding('unapplied', 'An integration was not changed', {
    message: ({ integrations, taken }: Failed) => {
      const state =
        taken.length === 0
          ? 'Not changed'
          : `Changed in part (${listed(taken)})`;
      return `${state}: ${listed(integrations, 10)}.`;
    },
    hint: 'Correct what the server refuses, or start an integration that is not running.',
    why: 'The server refused the change, or answered with an error. The other integrations were still applied, unless --fail-fast was given.',
  }),
  'apply-unknown': finding(
    'unapplied',
    'It is unknown whether an integration changed',
    {
      message: (facts: { integrations: readonly string[] }) =>
        `It is unknown what the server holds for ${listed(facts.integrations, 10)}.`,
      hint: 'Plan again to see what the server holds.',
      why: 'The connection ended before the answer, or the server could not be read again. A change is sent again only after a reading shows that it did not take.',
    },
  ),
  stale: finding('unapplied', 'An integration changed after it was planned', {
    message: (facts: Stale | AboutFields) => {
      if ('addresses' in facts)
        return `No longer as it was written: ${listed(facts.addresses, 10)}.`;
      const start = `${facts.integration} changed after it was planned`;
      const fields = facts.moved.map(({ address, by }) => `${address} (${by})`);
      return `${phrase([start, fields.join('; ')], ': ')}.`;
    },
    hint: (facts) =>
      'addresses' in facts
        ? 'The undo leaves it as it is. Set it by hand if it is to change.'
        : 'Nothing was written to it. Plan again.',
    why: 'The server or the configuration moved. Applying the plan would do something else than what was reviewed. An undo takes back only what still holds what was written.',
  }),
  'not-reviewed': finding(
    'warning',
    'Some differences are not in the saved plan',
    {
      message: (facts: { differences: number }) =>
        `The plan does not have ${count(facts.differences, 'difference')} that the server has now.`,
      hint: 'Only what was reviewed is written. To apply the rest, plan again.',
    },
  ),
  'not-converged': finding(
    'unapplied',
    'An integration holds something else than was written',
    {
      message: ({ addresses }: AboutFields) =>
        `The server accepted the change, but holds something else: ${listed(addresses, 10)}.`,
      hint: 'If the server normalises the value, write the stored form in the YAML, or every apply sends it again.',
      why: 'Everything that was written is read back and compared.',
    },
  ),
  'hides-secrets': finding(
    ({ isSent }: EmptySecrets) => (isSent ? 'warning' : 'note'),
    'Secrets read back empty',
    {
      message: ({ addresses }) =>
        `Secrets read as empty: ${listed(addresses)}.`,
      hint: 'If this server hides secrets, set hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
      why: 'An empty secret is written, because it looks as if it were not set. If the server only hides it, each plan would write it again: then set hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
    },
  ),
  'not-attempted': finding(
    (facts: Unattempted | AboutFields) =>
      'unplanned' in facts ? 'warning' : 'unapplied',
    'Integrations were not attempted',
    {
      message: (facts) => {
        if ('addresses' in facts)
          return `Not undone, as the old value is unknown or fits no longer: ${listed(facts.addresses, 10)}.`;
        const { integrations, unplanned } = facts;
        if (unplanned === undefined)
          return `Not attempted: ${listed(integrations, 10)}.`;
        return `Nothing is written, because ${listed(unplanned, 10)} could not be planned.`;
      },
      hint: (facts) => {
        if ('addresses' in facts)
          return 'Put each old secret back behind its reference, or revert the YAML to the old reference; then apply, what the server hides with --write-hidden ADDRESS.';
        if (facts.unplanned === undefined)
          return 'Correct what failed, then run the same command again.';
        return 'To write to the other servers anyway, apply with --keep-going, or select them with --server.';
      },
      why: 'Nothing was sent to them. Errors in the configuration of one integration, a failed server or an interruption can be the reason. --keep-going goes on with the other servers. With --fail-fast nothing is applied if one integration has errors. An undo attempts no field whose old value it does not know.',
    },
  ),
  'still-declared': finding(
    'reportWarning',
    'The YAML asks for other values than an undo wrote',
    {
      message: ({ addresses }: AboutFields) =>
        `The YAML asks for other values, unless you have reverted it: ${listed(addresses, 10)}.`,
      hint: 'Revert it too, or the next apply sets them again.',
    },
  ),
  'integration-errors': finding(
    ({ isDecisive }: NewErrors) => (isDecisive ? 'unapplied' : 'warning'),
    'Integrations have new errors after their change',
    {
      message: ({ errors, total, detail }) => {
        if (detail !== undefined) return 'New integration errors are unknown.';
        const counted = count(total, 'new or rising integration error');
        const first = errors.slice(0, 10).join('; ');
        return `${counted} since the change: ${first}.`;
      },
      hint: 'Run setpoint errors for details.',
      why: 'An integration can accept its configuration and then fail with it. Its errors are read before and after the change.',
    },
  ),
  interrupted: finding(
    (facts: { signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }) =>
      facts.signal === 'SIGINT' ? 'interrupted' : 'terminated',
    'The run was interrupted',
    {
      hint: 'If something is left, run the same command again.',
      why: 'A first Ctrl-C stops reading. While changes are written it lets those in flight end, and a second one stops at once. What is done already is not sent again.',
    },
  ),
  unexpected: finding('failure', 'setpoint has a bug', {
    message: (facts: { reason: string }) => `Unexpected: ${facts.reason}`,
    hint: 'Please report it with the command that you ran.',
  }),
};
