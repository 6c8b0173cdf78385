import { guard, unapplied, warning } from './entry.ts';
import { listed } from './words.ts';

/** Why a field is skipped, and how to go on. */
const SKIPPED = {
  secret: ['the live value may be a secret', 'Set its variable to the live value, or run setpoint apply.'],
  hidden: ['the server hides the value', 'Rotate it, or write it with setpoint apply --write-hidden.'],
  form: ['YAML has no form of the live value', 'Remove the field from the YAML, or run setpoint apply.'],
  branch: ['this branch changed it', 'Leave out --base to accept it all the same.'],
  waived: ['a waiver allows the difference', 'Remove the waiver to accept it.'],
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

/** Fields that `accept` leaves as they are. */
export const ACCEPT = {
  'not-accepted': unapplied('Drift is not accepted', {
    message: (f: Unaccepted) => {
      const fields = listed(f.addresses);
      if ('others' in f)
        return `${fields} can't change for ${f.server} alone: ${listed(f.others, 5)} ${f.others.length === 1 ? 'uses' : 'use'} this line too.`;
      return 'lines' in f
        ? `Can't edit ${fields}: ${BY_HAND[f.reason]}.`
        : `Skipped ${fields}: ${SKIPPED[f.reason][0]}.`;
    },
    why: 'The live value cannot be written safely where the field is declared, or it should not be. All other fields are accepted.',
    hint: (f) => {
      if ('others' in f)
        return f.file === undefined
          ? `To change ${f.server} alone, give it a file of its own in config of setpoint.yaml, with this under integrations: ${f.lines}`
          : `Add to ${f.file}, under integrations: ${f.lines}`;
      return 'lines' in f
        ? `Edit it by hand. The result, under integrations: ${f.lines}`
        : SKIPPED[f.reason][1];
    },
  }),
  'accept-risk': warning('Accepted drift has a risk', {
    message: (f: { addresses: readonly string[]; risk: string; words: string }) =>
      `Accepting ${listed(f.addresses)} has the risk ${f.risk}: ${f.words}.`,
    hint: 'Run setpoint apply instead to set it back.',
    why: 'Somebody changed the server by hand, and accepting makes it what the files want. Review it like any other change.',
  }),
  'file-changed': guard('A file changed while setpoint worked on it', {
    message: (f: { path: string }) => `${f.path} changed after it was read. No file was written.`,
    hint: 'Run setpoint accept again.',
    why: 'Another program saved it meanwhile. The edits fit only the text that was read.',
  }),
};
