import { error, guard, unapplied, warning } from './entry.ts';
import { count, listed } from './words.ts';

/** Why a field that differs is not written into the YAML. */
export type NotAccepted =
  | 'secret'
  | 'referenced'
  | 'unreadable'
  | 'unserved'
  | 'likely-secret'
  | 'exposes-secret'
  | 'policy'
  | 'form'
  | 'branch'
  | 'waived';

const REASONS: Readonly<Record<NotAccepted, { readonly why: string; readonly remedy: string }>> = {
  secret: {
    why: 'the live value is or may be a secret',
    remedy:
      'If the server is right, write a reference such as ${env:SETPOINT_NAME} and put the value there; if the YAML is, run setpoint apply.',
  },
  referenced: {
    why: 'the live value is or may be a secret',
    remedy:
      'If the server is right, put its value where the reference points; if the YAML is, run setpoint apply.',
  },
  unreadable: {
    why: 'the server does not show what it holds',
    remedy: 'Rotate the secret and its reference together, or write it with setpoint apply --write-hidden.',
  },
  unserved: {
    why: 'the server does not show what it holds',
    remedy: 'Look it up by hand, or write what the YAML says with setpoint apply --write-hidden.',
  },
  'likely-secret': {
    why: 'what the server holds looks like a secret',
    remedy: 'Write a reference such as ${env:SETPOINT_NAME}, or mark the option with sensitive: false.',
  },
  'exposes-secret': {
    why: 'the YAML would show a secret to all users',
    remedy: 'Lock the option on the server, or mark it with sensitive: false if it is no secret.',
  },
  policy: {
    why: 'the policy in setpoint.yaml refuses its risk',
    remedy: 'Run setpoint apply to end the difference, or change the policy.',
  },
  form: {
    why: 'YAML has no form of what the server holds',
    remedy: 'Remove the field from the YAML to stop managing it, or run setpoint apply.',
  },
  branch: {
    why: 'this branch made the difference, so it is no drift',
    remedy: 'Leave out --base to take it back all the same.',
  },
  waived: {
    why: 'a waiver in setpoint.yaml allows the difference',
    remedy: 'Name the address of its option or field to take it back all the same.',
  },
};

/** Why an edit was not made. */
const MISEDITS = {
  alias: 'an alias stands where the field has to be added',
  stopped: 'a null there ends the management of the field',
  form: 'the file has a form that cannot be edited there',
  comments: 'a comment would be lost, or would stand at something else',
  error: 'the file would have an error then',
  others: 'other fields would change with it',
  secret: 'the file would hold what looks like a secret',
  'not-taken': 'the field would still differ',
} as const;

/** Why an edit was not made. */
export type Misedit = keyof typeof MISEDITS;

/** What was not taken back, and why. */
const NOT_TAKEN_BACK = {
  /** Each field by its address, with its reference. */
  message: (f: { fields: readonly string[]; reason: NotAccepted }) =>
    `Not taken back, since ${REASONS[f.reason].why}: ${listed(f.fields)}.`,
  hint: (f: { reason: NotAccepted }) => REASONS[f.reason].remedy,
};

/** What `accept` does not take back, and what stops it. */
export const ACCEPT = {
  'nothing-to-accept': error('Nothing has this address', {
    message: (f: { address: string; near?: string; only?: string }) =>
      `Nothing that is managed${f.only === undefined ? '' : `, of what --only ${f.only} selects,`} has the address ${f.address}.`,
    hint: (f) =>
      f.near === undefined
        ? 'Addresses are as a plan shows them: an integration, an option or a field.'
        : `Did you mean ${f.near}?`,
  }),
  'not-accepted': warning('A difference is not taken back', NOT_TAKEN_BACK),
  'named-not-accepted': unapplied('A difference that was named is not taken back', NOT_TAKEN_BACK),
  'accept-risk': warning('What is taken back has a risk', {
    /** `words` say what the risk means for people. */
    message: (f: { addresses: readonly string[]; risk: string; words: string }) =>
      `The YAML will ask for what has a risk, ${f.words}: ${listed(f.addresses)}.`,
    hint: (f) => `Say no if that is not meant; policy: { ${f.risk}: error } in setpoint.yaml refuses it.`,
  }),
  'accept-spreads': warning('What is taken back changes other fields', {
    /** Each field with its server. */
    message: (f: { fields: readonly string[] }) =>
      `${count(f.fields.length, 'other field')} will have another desired value: ${listed(f.fields, 10)}.`,
    hint: 'Leave out --everywhere to keep them as they are.',
  }),
  'accept-shared': unapplied('A difference is declared where other things are too', {
    /** `fed` is what else has its value from there; an anchor may be used anywhere in its file. */
    message: (f: { address: string; server: string; fed: readonly string[]; isNamed: boolean }) => {
      const others = f.isNamed ? [...f.fed, 'the aliases of its anchor'] : f.fed;
      return `${f.address} is declared where ${listed(others, 5)} would change with it, and no layer of ${f.server} alone can override it.`;
    },
    hint: (f) =>
      `Pass --everywhere to change it for all of them, or give ${f.server} a last layer of its own.`,
  }),
  'accept-disagrees': unapplied('Differences at one place do not agree', {
    /** Each field with its server; `isOneField` where servers differ in the same one. */
    message: (f: { sides: readonly string[]; isOneField: boolean }) =>
      `One place cannot hold what all of these differ in: ${listed(f.sides, 5)}.`,
    hint: (f) => {
      const one = f.isOneField ? 'Pass --server with the one' : 'Name the one address';
      return `${one} whose value all of them are to have, or give them values of their own by hand.`;
    },
  }),
  'accept-misfit': unapplied('A difference cannot be taken back by an edit', {
    message: (f: { address: string; reason: Misedit }) =>
      `${f.address} was not taken back: ${MISEDITS[f.reason]}.`,
    hint: 'Edit the file by hand.',
  }),
  'accept-stale': guard('A file changed while setpoint worked on it', {
    message: (f: { path: string }) => `${f.path} is no longer as it was read, so no file was written.`,
    hint: 'Run setpoint accept again.',
  }),
};
