import { guard, type Names, unapplied, warning } from './entry.ts';
import { listed } from './words.ts';

/** Why a field is not accepted. */
const REASONS = {
  secret: 'the live value may be a secret',
  hidden: 'the server hides the live value',
  form: 'YAML has no form of the live value',
  branch: 'this branch changed it, and only without --base it is accepted',
  waived: 'a waiver leaves it alone',
  alias: 'an alias or anchor stands there',
  reference: 'it is a reference',
  comment: 'a comment stands inside the value',
  edit: 'the edit did not read back as it should',
  shared: 'this line is also used by',
};

/** Why a field is not accepted. */
export type NotAccepted = keyof typeof REASONS;

/** `others` use the line of a shared field; `lines` is the YAML to write by hand, `file` the server's own file for it. */
type Unaccepted = {
  addresses: Names;
  reason: NotAccepted;
  others?: Names;
  lines?: string;
  file?: string;
};

/** Fields that `accept` leaves as they are. */
export const ACCEPT = {
  'not-accepted': unapplied('Drift is not accepted', {
    message: ({ addresses, reason, others }: Unaccepted) =>
      `Skipped ${listed(addresses)}: ${REASONS[reason]}${others ? ` ${listed(others, 5)}` : ''}.`,
    hint: ({ lines, file = 'a file that no other server uses', others }) => {
      if (lines === undefined)
        return 'Set it back with setpoint apply, or change its declaration or its variable by hand.';
      return `${others ? `Add to ${file}` : 'Edit it by hand to read'}, under integrations: ${lines}`;
    },
    why: 'The live value cannot be written safely where the field is declared, or it should not be. Rotate a hidden secret, or write it with setpoint apply --write-hidden. All other fields are accepted.',
  }),
  'accept-risk': warning('Accepted drift has a risk', {
    message: (f: { addresses: Names; risk: string; words: string }) =>
      `Accepting ${listed(f.addresses)} has the risk ${f.risk}: ${f.words}.`,
    hint: 'Run setpoint apply instead to set it back.',
    why: 'Somebody changed the server by hand, and accepting makes it what the files want. Review it like any other change.',
  }),
  'file-changed': guard('A file changed while setpoint worked on it', {
    message: (f: { path: string }) => `${f.path} changed after it was read.`,
    hint: 'No file was written. Run setpoint accept again.',
  }),
};
