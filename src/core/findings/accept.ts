import { guard, unapplied, warning } from './entry.ts';
import { listed } from './words.ts';

/** Why a live value is not put into the YAML. */
const SKIPPED = {
  secret: {
    why: 'the live value may be a secret',
    hint: 'If the server is right, put its value where a reference such as ${env:SETPOINT_NAME} points. Otherwise run setpoint apply.',
  },
  hidden: {
    why: 'the server hides the value',
    hint: 'Rotate it, or write it with setpoint apply --write-hidden.',
  },
  form: {
    why: 'YAML has no form of the live value',
    hint: 'Remove the field from the YAML to stop managing it, or run setpoint apply.',
  },
  branch: { why: 'this branch changed it', hint: 'Leave out --base to accept it all the same.' },
  waived: { why: 'a waiver allows the difference', hint: 'Remove the waiver to accept it.' },
} as const;

/** Why a line is left to a person. */
const BY_HAND = {
  alias: 'an alias or anchor stands there',
  reference: 'it is a reference',
  comment: 'a comment stands inside the value',
  form: 'the edit did not read back as it should',
} as const;

/** Why an edit is left to a person. */
export type Misedit = keyof typeof BY_HAND;

/** Why a field is skipped. */
export type NotAccepted = keyof typeof SKIPPED;

/** `lines` is the YAML to add or to write by hand; `file` the server's own file for it. */
type Unaccepted = { readonly addresses: readonly string[] } & (
  | { readonly reason: NotAccepted }
  | { readonly reason: Misedit; readonly lines: string }
  | {
      readonly reason: 'shared';
      readonly server: string;
      readonly others: readonly string[];
      readonly lines: string;
      readonly file?: string;
    }
);

function messageOf(f: Unaccepted): string {
  const fields = listed(f.addresses);
  if ('others' in f)
    return `Can't change ${fields} for ${f.server} only: ${listed(f.others, 5)} ${f.others.length === 1 ? 'uses' : 'use'} the same line.`;
  return 'lines' in f
    ? `Can't edit ${fields}: ${BY_HAND[f.reason]}.`
    : `Skipped ${fields}: ${SKIPPED[f.reason].why}.`;
}

function hintOf(f: Unaccepted): string {
  if ('others' in f) {
    const place = f.file === undefined ? `a last layer of ${f.server} alone` : f.file;
    return `Add to ${place}, under integrations: ${f.lines}`;
  }
  return 'lines' in f ? `Edit the line by hand: ${f.lines}` : SKIPPED[f.reason].hint;
}

/** What `accept` leaves as it is, and why. */
export const ACCEPT = {
  'not-accepted': unapplied('Drift is not accepted', { message: messageOf, hint: hintOf }),
  'accept-risk': warning('Accepted drift has a risk', {
    /** `words` say what the risk means for people. */
    message: (f: { addresses: readonly string[]; risk: string; words: string }) =>
      `Accepting ${listed(f.addresses)} has the risk ${f.risk}: ${f.words}.`,
    hint: 'Run setpoint apply instead to set it back.',
  }),
  'file-changed': guard('A file changed while setpoint worked on it', {
    message: (f: { path: string }) => `${f.path} changed after it was read. No file was written.`,
    hint: 'Run setpoint accept again.',
  }),
};
