import type { Codes } from './codes.ts';
import { APPLY, inShell, PLAN, URL_FLAG, USUAL, withEntries, withOptions, withServers } from './example.ts';

const SAVE = `${PLAN} --report json=plan.json`;
const APPLY_SAVED = `setpoint apply plan.json -f integrations.yaml --yes ${URL_FLAG}`;

const EXPOSING = withOptions('apiKey: { permission: lock-and-show }');
const MANY = {
  situation: 'Twelve installed integrations have such an option.',
  yaml: withEntries('all: { match: "*", expect: any, options: { timeout: 30 } }'),
};

const PROJECT = withServers({ production: 'http://localhost:4010', staging: 'http://127.0.0.1:1' });

/** What stops an apply before it writes. */
export const REFUSALS = {
  'plan-malformed': inShell(
    'The file is no plan, was cut off, is of another version, was made with --report text, or is the report of an apply. An apply writes nothing that it cannot compare with a reviewed plan.',
    { files: { 'plan.json': '{ "servers": [] }\n' }, commands: [APPLY_SAVED] },
    { commands: [SAVE, APPLY_SAVED] },
  ),
  'plan-of-other-server': inShell(
    'Plan and apply name different servers. What was reviewed for one server says nothing about another, even where their integrations look alike.',
    { commands: [SAVE, APPLY_SAVED.replace('localhost', '127.0.0.1')] },
    { commands: [SAVE, APPLY_SAVED] },
  ),
  'risk-to-accept': inShell(
    'The plan holds a change that an apply refuses until a person accepts it, such as a secret that all users will see. The plan says it early, so that it is discussed in the review. If the change is not meant, correct the YAML.',
    { yaml: EXPOSING },
    { yaml: withOptions('apiKey: { permission: lock-and-hide }') },
  ),
  'risk-refused': inShell(
    'The apply holds a risk that nobody accepted, so nothing was written. Accept it only if the change is meant. A policy of setpoint.yaml can forbid a risk altogether.',
    { yaml: EXPOSING, commands: [APPLY] },
    { yaml: EXPOSING, commands: [`${APPLY} --accept exposes-secret`] },
  ),
  'many-changes': inShell(
    'A change this large is often a mistake: a wrong server, a glob that is too wide, a layer in the wrong place. An apply asks for the exact number of integrations. Read the plan once more; --only narrows it.',
    { ...MANY, commands: [PLAN] },
    { ...MANY, commands: [`${PLAN} --only 'unit1'`] },
  ),
  'many-changes-refused': inShell(
    'The apply would change a large part of what is managed, and nobody confirmed how many. Nothing was written. The number has to be exact, so that it is taken from the plan that was reviewed.',
    { ...MANY, commands: [APPLY] },
    { ...MANY, commands: [`${APPLY} --allow-changes 12`] },
  ),
  'not-confirmed': inShell(
    'The question was answered with something else than yes, or not at all. Apply again when you are sure.',
    { situation: 'You answer no.', commands: [APPLY.replace(' --yes', '')] },
    { situation: 'You answer yes.', commands: [APPLY.replace(' --yes', '')] },
  ),
  'needs-confirmation': inShell(
    'An apply asks before it writes, and a pipeline has nobody to ask. Where a plan was reviewed before, the flag stands for that answer.',
    { situation: 'It runs in a pipeline.', commands: [APPLY.replace(' --yes', '')] },
    { situation: 'It runs in a pipeline.', commands: [APPLY] },
  ),
  'held-back': inShell(
    'One of the servers of this run could not be planned, so the others were left as they are. Servers that belong together should not drift apart by accident.',
    { files: { 'setpoint.yaml': PROJECT }, commands: ['setpoint apply --yes'] },
    { files: { 'setpoint.yaml': PROJECT }, commands: ['setpoint apply --yes --server production'] },
  ),
  'not-reviewed': inShell(
    'The server or the YAML has moved since the review in fields that the saved plan does not have. An apply of a saved plan writes what was reviewed, and nothing else.',
    { yaml: USUAL, commands: [SAVE, APPLY_SAVED] },
    { yaml: USUAL, commands: [APPLY] },
  ),
  stale: inShell(
    'Between the plan and the apply somebody changed the server or the YAML. What was reviewed is no longer what would happen, so this integration was left alone.',
    {
      yaml: USUAL,
      files: { 'other.yaml': withOptions('timeout: 60') },
      commands: [SAVE, APPLY.replace('integrations.yaml', 'other.yaml'), APPLY_SAVED],
    },
    {
      files: { 'other.yaml': withOptions('timeout: 60') },
      commands: [APPLY.replace('integrations.yaml', 'other.yaml'), SAVE, APPLY_SAVED],
    },
  ),
} satisfies Codes;
