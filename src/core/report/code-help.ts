import type { FieldDiff } from '../diff/revision-diff.ts';
import { type DiagnosticCode, isCode } from '../findings/diagnostic.ts';
import { allFindingHelp, type CodeHelp, findingHelp } from '../findings/explained/help.ts';
import { LABEL_NAMES, LABELS, type Label } from '../plan/label.ts';
import { RISK_NAMES, RISKS, type Risk } from '../plan/risk.ts';
import { DECLARED } from './text/diff.ts';

interface Words {
  readonly explanation: string;
  readonly hint: string;
}

/** Each label of a plan with a base. */
const OF_LABELS: Readonly<Record<Label, Words>> = {
  change: {
    explanation:
      'The branch declares something else than its base, and the server still has what the base declares. Without a base every difference from the server has this label.',
    hint: 'Review it like any other change: an apply writes it.',
  },
  conflict: {
    explanation:
      'The branch changed the declaration, and somebody changed the server too, to something else. An apply overwrites what the server has.',
    hint: 'Ask who changed the server. Keep the declaration, or take the value of the server into it with setpoint accept.',
  },
  drift: {
    explanation:
      'The branch leaves the declaration as it is at the base, but the server has something else: somebody changed it there. An apply sets it back.',
    hint: 'Apply to set it back, take it into the YAML with setpoint accept, or leave it alone for a while with a waiver.',
  },
  settled: {
    explanation: 'The branch changed the declaration, and the server already has what it declares now.',
    hint: 'Nothing is to be done: an apply does not write it.',
  },
  released: {
    explanation:
      'The branch no longer declares the field. The server keeps what it has, and setpoint does not look at it any more.',
    hint: 'Declare it again if it is still to be managed; else set it on the server by hand, if it is to change.',
  },
};

/** The risks that no finding is named after. */
const OF_RISKS: Readonly<Record<Exclude<Risk, DiagnosticCode>, Words>> = {
  'overrides-users': {
    explanation:
      'The option is for each user to fill in today. Once it is locked, one value holds for all of them.',
    hint: 'Tell the users first. A policy of the project can refuse it: policy: { overrides-users: error }.',
  },
  'subscribes-everyone': {
    explanation: 'With autosubscribe every user with access to the integration is subscribed to it.',
    hint: 'Make sure that all of them are meant to use it. A policy of the project can refuse it: policy: { subscribes-everyone: error }.',
  },
};

/** What setpoint diff reports. */
const OF_DIFFERENCES: Readonly<Record<FieldDiff['change'], Words>> = {
  added: {
    explanation: 'The head declares something that the base does not declare.',
    hint: 'Review it: setpoint plan shows what it changes on a server.',
  },
  changed: {
    explanation: 'Both revisions declare it, each in another way.',
    hint: 'Review it: setpoint plan shows what it changes on a server.',
  },
  released: {
    explanation: 'The base declares something that the head does not declare. No server is changed by that.',
    hint: 'Make sure that it is no longer to be managed.',
  },
};

/** All codes of reports that are no findings. */
const DIFFERENCES: readonly CodeHelp[] = [
  ...LABEL_NAMES.map((code) => ({
    ...{ code, title: LABELS[code].title, group: 'Labels of differences' },
    ...OF_LABELS[code],
  })),
  ...RISK_NAMES.flatMap((code) =>
    isCode(code)
      ? []
      : [{ code, title: `Risk: ${RISKS[code].words}`, group: 'Risks of changes', ...OF_RISKS[code] }],
  ),
  ...(['added', 'changed', 'released'] as const).map((change) => ({
    ...{ code: `declaration-${change}`, title: DECLARED[change], group: 'Differences of revisions' },
    ...OF_DIFFERENCES[change],
  })),
];

/** What help there is for a code of a report; undefined where it is none. */
export function codeHelp(code: string): CodeHelp | undefined {
  return isCode(code) ? findingHelp(code) : DIFFERENCES.find((each) => each.code === code);
}

/** The same of all codes, by groups. */
export function allCodeHelp(): readonly CodeHelp[] {
  return [...allFindingHelp(), ...DIFFERENCES];
}
