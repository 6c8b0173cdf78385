import { error, failure, guard, unapplied, warning } from './entry.ts';
import { cut, ending, listed, type Reached, reachedText } from './words.ts';

/** A field that is no longer as planned, both sides in words; of a secret only whether it is another one. */
export interface Moved {
  readonly address: string;
  readonly before: string;
  readonly now: string;
}

/** How many integrations change in all, and on each server where they are a large part of the managed ones. */
interface Size {
  changed: number;
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
}

const IN_CLEAR = 'a secret in clear text in the YAML';

const SECRET_ELSEWHERE =
  'Move it to the environment and write ${env:SETPOINT_NAME} without a fallback, or apply from the YAML.';

/** What stops an apply, and how it can end. */
export const APPLY = {
  'plan-malformed': error('A file is not a plan that can be applied', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} is not a plan that can be applied: ${f.problem}.`,
    hint: 'Save one with setpoint plan --report json=FILE.',
  }),
  'plan-lacks-value': error('A saved plan lacks the value of a secret', {
    message: (f: { address: string }) => `The plan does not hold the value of ${f.address}, ${IN_CLEAR}.`,
    hint: SECRET_ELSEWHERE,
  }),
  'plan-not-applicable': warning('A saved plan cannot be applied', {
    message: (f: { address: string }) =>
      `The saved plan cannot be applied: it does not hold the value of ${f.address}, ${IN_CLEAR}.`,
    hint: SECRET_ELSEWHERE,
  }),
  'plan-altered': guard('A saved plan was edited', {
    message: (f: { path: string }) => `${f.path} was edited, or it was made with other credentials.`,
    hint: 'Plan again. Where plan and apply log in differently, set the same SETPOINT_FINGERPRINT_KEY for both.',
  }),
  'plan-of-other-server': guard('A saved plan is for another server', {
    message: (f: { name: string; planned: string; now: string }) =>
      `The plan for ${f.name} was made for ${f.planned}, not for ${f.now}.`,
    hint: 'Plan again.',
  }),
  'plan-secret-changed': guard('A secret changed after it was planned', {
    message: (f: { address: string; reference: string }) =>
      `${f.reference} no longer has the value that was planned for ${f.address}.`,
    hint: 'Plan again if the new value is right.',
  }),
  'risk-refused': guard('A risk was not accepted', {
    message: (f: { risk: string; addresses: readonly string[]; by: 'default' | 'policy' }) =>
      `Refused for the risk ${f.risk}: ${listed(f.addresses)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy of setpoint.yaml makes this an error, which no flag can lift.'
        : `Pass --accept ${f.risk} to accept it.`,
  }),
  'many-changes': warning('Many integrations would change', {
    message: sizeText,
    hint: (f) => `Apply refuses this without --allow-changes ${f.changed}.`,
  }),
  'many-changes-refused': guard('Too many integrations would change', {
    message: (f: Size & { allowed?: number }) => sizeText(f),
    hint: (f) =>
      f.allowed === undefined
        ? `Pass --allow-changes ${f.changed} to change them all the same.`
        : `--allow-changes names ${f.allowed}, but ${f.changed} would change in all: review the plan again.`,
  }),
  'not-confirmed': guard('The apply was not confirmed', { message: 'Not confirmed: nothing was changed.' }),
  'needs-confirmation': error('An apply needs to be confirmed', {
    message: 'There is no terminal to ask on.',
    hint: 'Pass --yes to apply without a question.',
  }),
  'held-back': warning('An apply was held back', {
    message: 'Nothing was written, because another server could not be planned.',
    hint: 'Pass --server NAME to plan only servers that can be reached.',
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
    message: (f: { integration: string; detail: string }) =>
      `${f.integration} is not running and refused the change${ending(f.detail)}`,
    hint: 'Start the integration and apply again.',
  }),
  stale: unapplied('An integration changed after it was planned', {
    message: (f: { integration: string; moved: readonly Moved[] }) =>
      `${f.integration} changed on the server after it was planned: ${movedText(f.moved, 'was', 'is now')}.`,
    hint: 'Nothing was written to it. Run again to plan from its present state.',
  }),
  'not-converged': unapplied('An integration holds something else than was written', {
    /** `before` is what was to be written, `now` what the server holds. */
    message: (f: { integration: string; moved: readonly Moved[] }) =>
      `${f.integration} accepted the change, but holds something else: ${movedText(f.moved, 'was set to', 'is')}.`,
  }),
  'not-attempted': unapplied('Integrations were not attempted', {
    message: (f: { integrations: readonly string[] }) => `Not attempted: ${listed(f.integrations)}.`,
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
      `${f.count} new or rising integration ${f.count === 1 ? 'error' : 'errors'} (--fail-on-errors).`,
  }),
  'errors-unread': warning('Integration errors could not be read', {
    message: (f: { reason: string }) =>
      `It is unknown whether the changes led to integration errors. ${f.reason}`,
  }),
  'errors-unknown': unapplied('--fail-on-errors could not read integration errors', {
    message: (f: { reason: string }) =>
      `It is unknown whether the changes led to integration errors (--fail-on-errors). ${f.reason}`,
  }),
  interrupted: failure('The run was interrupted', {
    message: (f: { signal: 'SIGINT' | 'SIGTERM'; reached?: Reached }) =>
      `Interrupted (${f.signal}).${reachedText(f.reached)}`,
    hint: 'Run again to finish.',
  }),
  unexpected: failure('setpoint has a bug', {
    message: (f: { reason: string }) => `Unexpected: ${f.reason}`,
    hint: 'This is a bug in setpoint. Please report it with the command that you ran.',
  }),
};

function sizeText({ large }: Size): string {
  const parts = large.map(({ server, changed, managed }) => `${changed} of ${managed} on ${server}`);
  return `More than 30 % of the managed integrations would change: ${listed(parts)}.`;
}

function movedText(moved: readonly Moved[], was: string, is: string): string {
  return moved
    .map(({ address, before, now }) => `${address} ${was} ${cut(before, now)}, ${is} ${cut(now, before)}`)
    .join('; ');
}
