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
  'not-converged': inShell(
    'The server accepted the change, and still shows something else when it is read back. It may be slow (--verify SECONDS waits longer), keep values in a form of its own, or have been changed by somebody else at the same time.',
    { situation: 'The server accepts changes, and keeps none.', commands: [`${APPLY} --verify 0`] },
    { commands: [APPLY] },
  ),
  'passwords-not-shown': inShell(
    'The password was sent and accepted, but the server shows every password as empty, so nobody can see that it is there. setpoint calls it sent, never verified.',
    {
      yaml: SECRET.yaml,
      commands: ['setpoint sandbox --passwords empty &', SECRET.export, `${APPLY} --write-secrets all`],
    },
    {
      yaml: SECRET.yaml,
      commands: ['setpoint sandbox --passwords clear &', SECRET.export, `${APPLY} --write-secrets all`],
    },
  ),
  'not-attempted': inShell(
    'The run ended before the turn of these integrations came: by --fail-fast, a refused login, or a server that wants a long pause. They are as they were. Solve what ended it, and apply again.',
    { yaml: INCOMPLETE, commands: [REQUIRING, `${APPLY} --fail-fast --concurrency 1`] },
    { yaml: COMPLETE, commands: [REQUIRING, `${APPLY} --fail-fast --concurrency 1`] },
  ),
  'integration-errors': inShell(
    'The change was accepted, and the integration has reported an error since. It may have come by itself; more likely a new value does not work, such as a wrong URL or key.',
    { yaml: USUAL, commands: [FAILING, APPLY] },
    { commands: ['setpoint sandbox &', APPLY] },
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
