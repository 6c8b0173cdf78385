import { finding } from './entry.ts';
import { count, cut, listed } from './words.ts';

/** A field or integration that is no longer as planned, and which side moved. */
export interface Moved {
  readonly address: string;
  readonly by: 'server' | 'configuration';
}

/** Why an integration that was planned is planned no more: the id or the name that it has now, or none. */
export type Became =
  | { readonly kind: 'other-id'; readonly was: string; readonly now: string }
  | { readonly kind: 'other-name'; readonly now: string }
  | { readonly kind: 'uninstalled'; readonly was: string }
  | { readonly kind: 'unplanned'; readonly was: string };

/** An integration that is not as it was planned: fields that moved, or what became of all of it. */
type Stale = {
  integration: string;
  moved: readonly Moved[];
  became?: Became | undefined;
};

/** What became of an integration, as a sentence without its name. */
function becameText(became: Became): string {
  switch (became.kind) {
    case 'other-id':
      return `is now ${became.now}: it was ${became.was} when the plan was made`;
    case 'other-name':
      return `is now called ${became.now} in the configuration`;
    case 'uninstalled':
      return `is no longer installed: it was ${became.was} when the plan was made`;
    case 'unplanned':
      return `is no longer planned: no entry selects ${became.was}, or errors leave it out`;
  }
}

/** A field with what was planned and what the server holds, in words that show no secret. */
export interface HeldField {
  readonly address: string;
  readonly planned: string;
  readonly held: string;
}

type Command = 'plan' | 'apply';

/** A plan warns of what its apply refuses. */
const refusedBy = (f: { command?: Command }) =>
  f.command === 'apply' ? 'guard' : 'refusal';

/** A risk that is refused, by its default or by a policy. */
type Risky = {
  risk: string;
  addresses: readonly string[];
  by: 'default' | 'policy';
  command?: Command;
};

/** A server on which most integrations would change. */
type Large = {
  readonly server: string;
  readonly changed: number;
  readonly managed: number;
};

/** How many integrations would change, and how many --allow-changes allows. */
type Size = {
  changed: number;
  allowed?: number;
  large: readonly Large[];
  command?: Command;
};

/** Integrations that did not change for one reason; `taken` names the fields that changed in spite of it. */
type Failed = { integrations: readonly string[]; taken: readonly string[] };

/** Integrations that were left alone, or the servers whose failure keeps an apply from all others. */
type Unattempted = {
  integrations: readonly string[];
  unplanned?: readonly string[] | undefined;
  command?: Command;
};

/** Findings that stop an apply, or say how it ended. */
export const APPLY_FINDINGS = {
  'plan-unusable': finding('error', 'A saved plan cannot be used', {
    message: (f: { plan: string; problem: string }) =>
      `${f.plan} cannot be used: ${f.problem}.`,
    hint: 'Plan again with setpoint plan --report json=FILE, and name the same server and files in both commands.',
    why: 'Only the plan of the same server can be applied: not an apply, a snapshot, or another version of the format.',
  }),
  'risk-refused': finding(refusedBy, 'A risk is refused', {
    message: (f: Risky) =>
      `The risk ${f.risk} is refused: ${listed(f.addresses, 5)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy makes this risk an error, which no flag can lift.'
        : `Apply with --allow ${f.risk}${f.risk === 'exposes-secret' ? '; if it is no secret, say sensitive: false' : ''}.`,
    why: 'Some changes reach people: all users see a secret, or their own values stop applying. A person has to agree to each with --allow RISK, unless policy in setpoint.yaml decides.',
  }),
  'many-changes': finding(refusedBy, 'Many integrations would change', {
    message: ({ changed, allowed, large }: Size) =>
      allowed === undefined
        ? `More than 30 % would change: ${listed(large.map((each) => `${each.changed} of ${each.managed} integrations on ${each.server}`))}.`
        : `${count(changed, 'integration')} would change, and --allow-changes allows ${allowed}.`,
    hint: ({ changed }) =>
      `To allow this on all servers, pass --allow-changes ${changed}.`,
    why: 'A wrong match or a lost file changes much at once. To change more than 30 % of the managed integrations of a server, name their number with --allow-changes.',
  }),
  'not-confirmed': finding('guard', 'The answer was not yes', {
    message: 'Nothing was changed: only the whole word yes confirms.',
  }),
  'needs-confirmation': finding(
    'error',
    'A command that writes needs to be confirmed',
    {
      message: 'There is no terminal to ask on.',
      hint: 'Pass --yes to go on without a question.',
    },
  ),
  'apply-failed': finding('unapplied', 'An integration was not changed', {
    message: ({ integrations, taken }: Failed) =>
      `${taken.length === 0 ? 'Not changed' : `Changed in part (${listed(taken)})`}: ${listed(integrations, 10)}.`,
    hint: 'Correct what the server refuses, or start an integration that is not running. Then apply again.',
    why: 'The server refused the change, or answered with an error. The other integrations were still applied, unless --fail-fast was given.',
  }),
  'apply-unknown': finding(
    'unapplied',
    'It is unknown whether an integration changed',
    {
      message: (f: { integrations: readonly string[] }) =>
        `It is unknown what the server holds for ${listed(f.integrations, 10)}.`,
      hint: 'Run setpoint plan to see what the server holds.',
      why: 'The connection ended before the answer, or the server could not be read again. Nothing is sent twice.',
    },
  ),
  stale: finding('unapplied', 'An integration changed after it was planned', {
    message: ({ integration, moved, became }: Stale) => {
      if (became !== undefined) return `${integration} ${becameText(became)}.`;
      const fields = moved.map(({ address, by }) => `${address} (${by})`);
      return `${integration} changed after it was planned: ${fields.join('; ')}.`;
    },
    hint: 'Nothing was written to it. Plan again.',
    why: 'The server or the configuration moved. Applying the plan would do something else than what was reviewed.',
  }),
  'not-reviewed': finding(
    'warning',
    'Some differences are not in the saved plan',
    {
      message: (f: { differences: number }) =>
        `Left out, because the plan does not have them: ${count(f.differences, 'difference')}.`,
      hint: 'A saved plan is applied as it was reviewed. To apply the rest, plan again.',
    },
  ),
  'not-converged': finding(
    'unapplied',
    'An integration holds something else than was written',
    {
      message: (f: { integration: string; held: readonly HeldField[] }) =>
        `${f.integration} accepted the change, but holds something else: ${f.held.map((each) => `${each.address}: ${cut(each.planned, each.held)} -> ${cut(each.held, each.planned)}`).join('; ')}.`,
      hint: 'If the server normalises the value, write the stored form in the YAML, or every apply sends it again.',
      why: 'Everything that was written is read back and compared.',
    },
  ),
  'hides-secrets': finding(
    (f: { addresses: readonly string[]; isSent: boolean }) =>
      f.isSent ? 'warning' : 'note',
    'Secrets read back empty',
    {
      message: (f) =>
        `${f.isSent ? 'Accepted secrets read back' : 'All secrets read'} as empty: ${listed(f.addresses)}.`,
      hint: (f) =>
        `${f.isSent ? '' : 'Ignore this if they were never set. '}If this server hides secrets, set hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.`,
      why: 'An empty secret is written, because it looks as if it were not set. If the server only hides it, each plan would write it again: then set hidesSecrets: true in setpoint.yaml, or pass --hides-secrets.',
    },
  ),
  'not-attempted': finding(
    ({ unplanned }: Unattempted) =>
      unplanned === undefined ? 'unapplied' : 'warning',
    'Integrations were not attempted',
    {
      message: ({ integrations, unplanned, command }) => {
        if (unplanned === undefined)
          return `Not attempted: ${listed(integrations, 10)}.`;
        const start =
          command === 'plan'
            ? 'An apply would write nothing'
            : 'Nothing was written';
        return `${start}, because ${listed(unplanned, 10)} could not be planned.`;
      },
      hint: ({ unplanned }) =>
        unplanned === undefined
          ? 'Correct what failed and run again.'
          : 'To apply to the other servers all the same, pass --keep-going, or select them with --server.',
      why: 'Nothing was sent to them. Errors in the configuration of one integration, a failed server or an interruption can be the reason. --keep-going goes on with the other servers. With --fail-fast nothing is applied if one integration has errors.',
    },
  ),
  'integration-errors': finding(
    (f: {
      errors: readonly string[];
      total: number;
      detail?: string;
      isDecisive: boolean;
    }) => (f.isDecisive ? 'unapplied' : 'warning'),
    'Integrations have new errors after their change',
    {
      message: ({ errors, total, detail }) =>
        detail === undefined
          ? `${count(total, 'new or rising integration error')} since the change: ${errors.slice(0, 10).join('; ')}.`
          : 'New integration errors are unknown.',
      hint: 'Run setpoint errors for details.',
      why: 'An integration can accept its configuration and then fail with it. Its errors are read before and after the change.',
    },
  ),
  interrupted: finding(
    (f: { signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }) =>
      f.signal === 'SIGINT' ? 'interrupted' : 'terminated',
    'The run was interrupted',
    {
      hint: 'Run the same command again to finish.',
      why: 'A first Ctrl-C lets requests in flight end, a second one stops at once. What is done already is not sent again.',
    },
  ),
  unexpected: finding('failure', 'setpoint has a bug', {
    message: (f: { reason: string }) => `Unexpected: ${f.reason}`,
    hint: 'Please report it with the command that you ran.',
  }),
};
