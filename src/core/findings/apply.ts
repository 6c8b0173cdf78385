import { type Entries, error, failure, guard, unapplied, warning } from './entry.ts';
import type { ApplyFacts } from './facts.ts';
import { cut, oneOf, partsOf, reachedText, withDetail } from './words.ts';

/** What stops an apply, and what comes of it. */
export const APPLY: Entries<ApplyFacts> = {
  'plan-malformed': {
    ...error,
    message: (f) => `${f.path} is no plan that can be applied: ${f.problem}.`,
    hint: () => 'Make one with setpoint plan --report json=FILE.',
  },
  'plan-lacks-value': {
    ...error,
    message: (f) => `The plan does not hold the value of ${f.address}, ${IN_CLEAR}.`,
    hint: () => SECRET_ELSEWHERE,
  },
  'plan-not-applicable': {
    ...warning,
    message: (f) =>
      `The saved plan cannot be applied: it does not hold the value of ${f.address}, ${IN_CLEAR}.`,
    hint: () => SECRET_ELSEWHERE,
  },
  'plan-altered': {
    ...guard,
    message: (f) => `${f.path} is not as it was written, or it was made with other credentials.`,
    hint: () =>
      'Plan again. Where plan and apply log in differently, give both the same SETPOINT_FINGERPRINT_KEY.',
  },
  'plan-of-other-server': {
    ...guard,
    message: (f) => `The plan for ${f.name} is for ${f.planned}, not for ${f.now}.`,
    hint: () => 'Plan again.',
  },
  'plan-secret-changed': {
    ...guard,
    message: (f) => `${f.reference} does not give the value for ${f.address} that was planned.`,
    hint: () => 'If the new value is meant, plan again.',
  },
  'risk-refused': {
    ...guard,
    message: (f) => `Refused for the risk ${f.risk}: ${oneOf(f.addresses)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy of setpoint.yaml calls it an error, which no flag can lift.'
        : `Accept it with --accept ${f.risk} if it is meant.`,
  },
  'many-changes': {
    ...warning,
    message: (f) => `${partsOf(f.large)} would change, which is more than 30 %.`,
    hint: (f) => `An apply is refused unless it says --allow-changes ${f.changed}.`,
  },
  'many-changes-refused': {
    ...guard,
    message: (f) => `${partsOf(f.large)} would change, which is more than 30 %.`,
    hint: (f) =>
      f.allowed === undefined
        ? `Say --allow-changes ${f.changed} if that is meant.`
        : `--allow-changes says ${f.allowed}, but ${f.changed} change in all: look at the plan again.`,
  },
  'not-confirmed': { ...guard, message: () => 'Not confirmed: nothing was changed.' },
  'needs-confirmation': {
    ...error,
    message: () => 'There is no terminal to ask on.',
    hint: () => 'Pass --yes to apply without a question.',
  },
  'held-back': {
    ...warning,
    message: () => 'Nothing was written, because another server could not be planned.',
    hint: () => 'Narrow the run, or the plan that is saved, to servers that can be reached: --server NAME.',
  },
  'apply-failed': {
    ...unapplied,
    message: (f) =>
      withDetail(
        f.taken.length === 0
          ? `${f.integration} was not changed`
          : `${f.integration} was changed in part (done: ${oneOf(f.taken)})`,
        f.detail,
      ),
  },
  'apply-unknown': {
    ...unapplied,
    message: (f) =>
      withDetail(
        f.acknowledged
          ? `The server took the change of ${f.integration}, but it could not be read back`
          : `${f.integration} may or may not be changed`,
        f.detail,
      ),
    hint: () => 'Run plan to see what the server holds.',
  },
  'apply-blocked': {
    ...unapplied,
    message: (f) => withDetail(`${f.integration} is not running and refused the change`, f.detail),
    hint: () => 'Start the integration and apply again.',
  },
  stale: {
    ...unapplied,
    message: (f) =>
      `${f.integration} changed on the server since it was planned: ${f.moved
        .map(({ address, before, now }) => `${address} was ${cut(before, now)}, is now ${cut(now, before)}`)
        .join('; ')}.`,
    hint: () => 'It was left alone. Run again to plan from what is there now.',
  },
  'not-converged': {
    ...unapplied,
    message: (f) =>
      `${f.integration} took the change, but holds something else: ${f.moved
        .map(
          ({ address, before, now }) => `${address} was set to ${cut(before, now)}, is ${cut(now, before)}`,
        )
        .join('; ')}.`,
  },
  'not-attempted': {
    ...unapplied,
    message: (f) => `Not attempted: ${oneOf(f.integrations)}.`,
  },
  'integration-error': {
    ...warning,
    message: (f) =>
      withDetail(
        f.before === 0
          ? `${f.integration} has a new error since the change`
          : `An error of ${f.integration} has risen from ${f.before} to ${f.count} since the change`,
        f.detail,
      ),
    hint: () => 'See setpoint errors; undo the change in the YAML if it is the cause.',
  },
  'errors-rose': {
    ...unapplied,
    message: (f) =>
      `${f.count} new or rising integration ${f.count === 1 ? 'error' : 'errors'} (--fail-on-errors).`,
  },
  'errors-unread': {
    ...warning,
    message: (f) => `Whether the changes led to integration errors is not known. ${f.reason}`,
  },
  'errors-unknown': {
    ...unapplied,
    message: (f) =>
      `Whether the changes led to integration errors is not known (--fail-on-errors). ${f.reason}`,
  },
  interrupted: {
    severity: 'error',
    exit: 'interrupted',
    message: (f) => `Interrupted (${f.signal}).${reachedText(f.reached)}`,
    hint: () => 'Run again to finish.',
  },
  unexpected: {
    ...failure,
    message: (f) => `Unexpected: ${f.problem}`,
    hint: () => 'This is a defect of setpoint. Please report it with the command that you ran.',
  },
};

const IN_CLEAR = 'a secret that stands in clear in the YAML';

const SECRET_ELSEWHERE =
  'Put it into the environment and write ${env:SETPOINT_NAME} without a fallback, or apply from the YAML.';
