import type { Place } from '../model/place.ts';
import { error, type Field, warning } from './entry.ts';
import { at, listed } from './words.ts';

const SECRET_HINT = 'Write ${env:SETPOINT_NAME}, and replace the secret if it was ever committed.';

/** Why a declaration has no effect. */
const IDLE = {
  entry: 'declares nothing',
  null: 'is declared by no earlier layer, so this null changes nothing',
  value: 'is a value that nothing refers to',
  default: 'sets defaults, but matches no installed integration',
  any: 'sets defaults, but matches only the id of this name: add match: "*"',
};

/** Findings of the rules over a whole configuration. */
export const RULES = {
  'idle-declaration': warning('A declaration has no effect', {
    kind: (f: { of: keyof typeof IDLE; name: string }) =>
      f.of === 'value' || f.of === 'default' ? 'note' : 'warning',
    message: (f) => `${f.name} ${IDLE[f.of]}.`,
    why: 'Its fields were commented out, its name is mistyped, or it is no longer used. Correct or remove it.',
  }),
  'user-provides-value': warning('A value is declared for an option that users provide', {
    message: ({ address }: Field) => `${address} has a value, but with user-provides users set their own.`,
    hint: 'Remove the value, or lock the option.',
  }),
  'plain-secret': error('A secret is written in clear text', {
    message: ({ address }: Field) => `${address} is a secret in clear text.`,
    hint: SECRET_HINT,
    why: 'Everyone who can read the repository can read it, in its history too. If it is no secret, say sensitive: false.',
  }),
  'likely-secret': warning('A value looks like a secret in clear text', {
    message: ({ address }: Field) => `${address} looks like a secret in clear text.`,
    hint: SECRET_HINT,
    why: 'Its key is named like a secret, or the text has the form of a well-known credential. If it is no secret, say sensitive: false.',
  }),
  'secret-aged': warning('A secret is older than the policy allows', {
    message: (f: { address: string; age: number; days: number }) =>
      `${f.address} was replaced ${f.age} days ago, and the policy allows ${f.days} (secret-max-age).`,
    hint: 'Replace the secret, then write the day next to it: rotated: 2026-11-21.',
  }),
  'secret-fallback': error('A secret has a fallback', {
    kind: ({ isCertain }: Field & { isCertain: boolean }) => (isCertain ? 'error' : 'warning'),
    message: ({ address }) => `${address} is a secret with a fallback.`,
    hint: 'Remove the fallback.',
    why: 'The fallback would be a secret in git. In a password option, or one marked sensitive, it is an error.',
  }),
  'waiver-over': warning('A waiver has expired', {
    message: (f: { address: string; until: string }) => `The waiver of ${f.address} ended on ${f.until}.`,
    hint: 'Remove it, or write a later day in until.',
    why: 'A waiver leaves a difference alone up to and including its last day (UTC).',
  }),
  placeholder: warning('A placeholder was never filled in', {
    message: ({ address }: Field) => `${address} looks like a placeholder that was never filled in.`,
    hint: 'Write the value, or remove the option to leave it as it is.',
  }),
  'same-match': warning('Two entries have the same match', {
    message: (f: { name: string; other: Place }) => `${f.name} has the same match (${at(f.other)}).`,
    hint: 'Merge the two entries.',
  }),
  'hidden-character': warning('A text contains invisible characters', {
    message: (f: { address: string; characters: readonly string[] }) =>
      `${f.address} contains invisible characters: ${listed(f.characters)}.`,
    hint: 'Retype the text.',
  }),
  'reference-typo': warning('A text looks like a reference', {
    message: ({ address }: Field) => `${address} looks like a reference, but is plain text.`,
    hint: 'Write ${env:NAME}, ${file:path} or ${value:name}; $${ is a literal ${.',
    why: 'The server would get the text as it stands, not the value.',
  }),
  'broken-url': warning('A URL is malformed', {
    message: ({ address }: Field) => `${address} resolves to a malformed URL.`,
    hint: 'Write https:// once, and no two slashes in the path: a named value may end with one too many.',
  }),
  'exposes-secret': warning('A secret is shown to all users', {
    message: ({ address }: Field) => `${address} shows a secret to all users.`,
    hint: 'Write lock-and-hide, unless every user may read it.',
    why: 'lock-and-show shows the value to every user. apply refuses it without --allow exposes-secret. If it is no secret, say sensitive: false.',
  }),
};
