import type { Codes } from './codes.ts';
import { APPLY, inShell, PLAN, USUAL, withEntries, withOptions } from './example.ts';

/** Two entries, the first with these options. */
const withDesk = (desk: string) =>
  withEntries(
    `desk:\n  match: ticket_desk_*\n  options: ${desk}\nlookup: { match: threat_lookup_*, options: { timeout: 30 } }`,
  );

const INCOMPLETE = withDesk('{ allowCreate: false }');
const COMPLETE = withDesk('{ allowCreate: false, url: "https://tickets.example.com" }');
const REQUIRING = 'setpoint sandbox --require url &';
const FAILING = "setpoint sandbox --raise-errors 'threat*' &";
const SECRET = {
  yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  export: 'export SETPOINT_LOOKUP_KEY=k-12345678',
};

/** What became of an apply. */
export const OUTCOMES = {
  'apply-failed': inShell(
    'The server refused the change of this integration, and said why. The others were applied all the same. Correct the value at the line that the finding names, and apply again: what is done is not done twice.',
    { yaml: INCOMPLETE, commands: [REQUIRING, APPLY] },
    { yaml: COMPLETE, commands: [REQUIRING, APPLY] },
  ),
  'apply-unknown': inShell(
    'The change was sent, and no answer or reading afterwards says what became of it. setpoint never reports as applied what it could not see.',
    { situation: 'The connection breaks after the change.', commands: [APPLY] },
    { commands: [APPLY] },
  ),
  'apply-blocked': inShell(
    'The server refused the change, and the integration is not running: new values are checked in its own process. Others were applied.',
    { yaml: USUAL, commands: ["setpoint sandbox --stopped 'threat*' &", APPLY] },
    { commands: ['setpoint sandbox &', APPLY] },
  ),
  'apply-forbidden': inShell(
    'An integration manager may change only the integrations in its scope, and these are outside of it. The others were applied.',
    {
      yaml: INCOMPLETE,
      commands: [
        "setpoint sandbox --set managerScope='threat*' &",
        'export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager',
        APPLY,
      ],
    },
    {
      yaml: INCOMPLETE,
      commands: [
        "setpoint sandbox --set managerScope='threat*,ticket*' &",
        'export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager',
        APPLY,
      ],
    },
  ),
  'apply-unexplained': inShell(
    'The server refused a change and did not say why, so setpoint cannot point at a line. Several integrations that fail alike speak for a difference of the server, one alone for its value.',
    { commands: ['setpoint sandbox --set errorBody=empty --set acceptType=singular &', APPLY] },
    { commands: ['setpoint sandbox &', APPLY] },
  ),
  'not-converged': inShell(
    'The server accepted the change, and still shows something else when it is read back. It may be slow (--verify SECONDS waits longer), keep values in a form of its own, or have been changed by somebody else at the same time.',
    { situation: 'The server accepts changes, and keeps none.', commands: [`${APPLY} --verify 0`] },
    { commands: [APPLY] },
  ),
  'hides-secrets': inShell(
    'The secret was sent and accepted, but the server shows it as empty, so nobody can see that it is there. A server that shows no secret at all would have each of them planned again: say hidesSecrets: true for it in setpoint.yaml.',
    {
      yaml: SECRET.yaml,
      commands: ['setpoint sandbox --passwords empty &', SECRET.export, `${APPLY} --verify 0`],
    },
    {
      yaml: SECRET.yaml,
      commands: ['setpoint sandbox --passwords empty &', SECRET.export, `${APPLY} --hides-secrets`],
    },
  ),
  'not-attempted': inShell(
    'The run ended before the turn of these integrations came: by --fail-fast, a refused login, or a server that wants a long pause. They are as they were. Solve what ended it, and apply again.',
    { yaml: INCOMPLETE, commands: [REQUIRING, `${APPLY} --fail-fast --concurrency 1`] },
    { yaml: COMPLETE, commands: [REQUIRING, `${APPLY} --fail-fast --concurrency 1`] },
  ),
  'left-out': inShell(
    'These integrations could not be planned, and the findings above say why. All others were applied. Solve those findings, and apply again.',
    { yaml: withDesk('{ allowCreates: false }'), commands: [APPLY] },
    { yaml: INCOMPLETE, commands: [APPLY] },
  ),
  'integration-error': inShell(
    'The change was accepted, and the integration has reported an error since. It may have come by itself; more likely a new value does not work, such as a wrong URL or key.',
    { yaml: USUAL, commands: [FAILING, APPLY] },
    { commands: ['setpoint sandbox &', APPLY] },
  ),
  'errors-rose': inShell(
    'With --fail-on-errors an apply fails if an integration that it changed reports new errors. The changes are made and stay. Read the errors, then correct the YAML or revert it.',
    { yaml: USUAL, commands: [FAILING, `${APPLY} --fail-on-errors`] },
    { commands: ['setpoint sandbox &', `${APPLY} --fail-on-errors`] },
  ),
  'errors-unread': inShell(
    'The changes are made, but the list of integration errors could not be read before or after them. Whether they led to errors has to be looked up: setpoint errors.',
    { situation: 'The account may not read integration errors.', commands: [APPLY] },
    { commands: [APPLY] },
  ),
  'errors-unknown': inShell(
    'With --fail-on-errors an apply has to know whether new errors came, and their list could not be read after the changes. The changes are made. Look with setpoint errors before you go on.',
    {
      situation: 'The list of errors fails after the change.',
      commands: [`${APPLY} --fail-on-errors`],
    },
    { commands: [`${APPLY} --fail-on-errors`] },
  ),
  interrupted: inShell(
    'Ctrl-C or the end of a job stopped the run. Changes that were under way were finished, no others were started, and the finding lists what was applied. The exit code is 130, or 143 for the end of a job.',
    { situation: 'You press Ctrl-C while it reads.', commands: [PLAN] },
    { commands: [PLAN] },
  ),
  unexpected: {
    ...inShell(
      'setpoint met something that its code does not foresee. It stops rather than go on with what it no longer understands. After an apply, run plan to see what the server holds.',
      { situation: 'The code has a defect.', commands: [PLAN] },
      { situation: 'The defect is mended in a later version.', commands: [PLAN] },
    ),
    unproven: 'It tells a defect, and one that is known is mended.',
  },
} satisfies Codes;
