import type { Codes } from './codes.ts';
import { APPLY, inShell, PLAN, URL_FLAG, USUAL, withEntries, withOptions } from './example.ts';

const SAVE = `${PLAN} --report json=plan.json`;
const APPLY_SAVED = `setpoint apply plan.json -f integrations.yaml --yes ${URL_FLAG}`;

const EXPOSING = withOptions('apiKey: { permission: lock-and-show }');
const MANY = {
  situation: 'Twelve installed integrations have such an option.',
  yaml: withEntries('all: { match: "*", expect: any, options: { timeout: 30 } }'),
};


const SECRET = withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}');
const SAVE_SECRET = `${SAVE} --write-secrets all`;
const SET_SECRET = 'export SETPOINT_LOOKUP_KEY=k-12345678';

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
  'risk-refused': inShell(
    'The apply holds a risk that nobody accepted, so nothing was written. Accept it only if the change is meant. A policy of setpoint.yaml can forbid a risk altogether.',
    { yaml: EXPOSING, commands: [APPLY] },
    { yaml: EXPOSING, commands: [`${APPLY} --allow exposes-secret`] },
  ),
  'many-changes': inShell(
    'A change this large is often a mistake: a wrong server, a glob that is too wide, a layer in the wrong place. An apply asks for the exact number of integrations. Read the plan once more; --only narrows it.',
    { ...MANY, commands: [PLAN] },
    { ...MANY, commands: [`${PLAN} --only 'unit1'`] },
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
  'secrets-by-reference': inShell(
    'A saved plan holds no secrets, only fingerprints of them under a key. Without a key there are none, and an apply can see only whether a secret has the same reference as in the plan, not whether it has the same value.',
    { yaml: SECRET, commands: [SET_SECRET, SAVE_SECRET] },
    {
      yaml: SECRET,
      commands: [SET_SECRET, 'export SETPOINT_FINGERPRINT_KEY=any-sixteen-characters', SAVE_SECRET],
    },
  ),
  'other-fingerprints': inShell(
    'The fingerprints of a saved plan are made under a key, and this run has another one. Whether the secrets are those that were reviewed cannot be told.',
    {
      yaml: SECRET,
      commands: [
        SET_SECRET,
        'export SETPOINT_FINGERPRINT_KEY=any-sixteen-characters',
        SAVE_SECRET,
        'export SETPOINT_FINGERPRINT_KEY=another-sixteen-characters',
        APPLY_SAVED,
      ],
    },
    {
      yaml: SECRET,
      commands: [
        SET_SECRET,
        'export SETPOINT_FINGERPRINT_KEY=any-sixteen-characters',
        SAVE_SECRET,
        APPLY_SAVED,
      ],
    },
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
