import type { Place } from '../model/place.ts';
import { error, note, warning } from './entry.ts';
import { at, type Field, listed } from './words.ts';

const SECRET_HINT = 'Write ${env:SETPOINT_NAME}, and replace the secret if it was ever committed.';

/** What rules find over a whole configuration. */
export const RULES = {
  'empty-entry': warning('An entry declares nothing', {
    message: (f: { name: string }) => `${f.name} declares nothing.`,
  }),
  'user-provides-value': warning('A value is declared for an option that users provide', {
    message: ({ address }: Field) =>
      `${address} has a value, but under user-provides each user sets their own.`,
    hint: 'Remove the value, or lock the option.',
  }),
  'plain-secret': error('A secret is written in clear text', {
    message: ({ address }: Field) => `${address} is a secret in clear text.`,
    hint: SECRET_HINT,
  }),
  'likely-secret': warning('A value looks like a secret in clear text', {
    message: ({ address }: Field) => `${address} looks like a secret in clear text.`,
    hint: SECRET_HINT,
  }),
  'bad-date': error('A day is none that has been', {
    message: ({ address }: Field) => `${address} is not a day that has been.`,
    hint: 'Write the day on which the secret was replaced, such as 2026-11-21.',
  }),
  'secret-aged': warning('A secret is older than the policy allows', {
    message: (f: { address: string; age: number; days: number }) =>
      `${f.address} was replaced ${f.age} days ago, and the policy allows ${f.days} (secret-max-age).`,
    hint: 'Replace the secret, then write the day beside it: rotated: 2026-11-21.',
  }),
  'waiver-date': error('The last day of a waiver is none', {
    message: (f: { address: string; until: string }) =>
      `The waiver of ${f.address} ends on ${f.until}, which is not a day.`,
    hint: 'Write the last day on which the difference is left alone, such as 2026-12-31.',
  }),
  'waiver-over': warning('A waiver is over', {
    message: (f: { address: string; until: string }) =>
      `The waiver of ${f.address} ended on ${f.until}, and the difference is still there: it counts again.`,
    hint: 'Apply the difference, or declare what is live; or write a later day in until.',
  }),
  'secret-fallback': warning('A secret has a fallback', {
    message: ({ address }: Field) => `${address} is a secret with a fallback.`,
    hint: 'Remove the fallback, so that a missing secret is found before anything is sent.',
  }),
  placeholder: warning('A placeholder was never filled in', {
    message: ({ address }: Field) => `${address} looks like a placeholder that was never filled in.`,
    hint: 'Write the value, or remove the option to leave it as it is.',
  }),
  'any-without-match': warning('Defaults match only one id', {
    message: (f: { name: string }) => `${f.name} sets defaults, but matches only the id ${f.name}.`,
    hint: 'Add a match, such as match: "*".',
  }),
  'glob-too-complex': error('A glob has too many wildcards', {
    message: 'This glob has too many wildcards.',
    hint: 'Beside sets and alternatives, use at most 3 stars; use at most 32 alternatives.',
  }),
  'same-match': warning('Two entries have the same match', {
    message: (f: { name: string; other: Place }) =>
      `The entry ${f.name} has the same match (${at(f.other)}).`,
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
  }),
  'idle-null': warning('A null changes nothing', {
    message: ({ address }: Field) => `No earlier layer declares ${address}, so this null changes nothing.`,
    hint: 'Check the spelling, or remove it.',
  }),
  'unused-value': note('A named value is unused', {
    message: (f: { name: string }) => `Nothing refers to the value ${f.name}.`,
  }),
  'broken-url': warning('A URL is malformed', {
    message: (f: { address: string; of: 'scheme' | 'path' }) =>
      f.of === 'scheme'
        ? `${f.address} does not begin like a URL.`
        : `${f.address} resolves to a URL with two slashes in its path.`,
    hint: (f) =>
      f.of === 'scheme' ? 'Begin it with https:// once.' : 'Remove the slash at the end of the named value.',
  }),
  'exposes-secret': warning('A secret is shown to all users', {
    message: ({ address }: Field) => `${address} shows a secret to all users.`,
    hint: 'Write lock-and-hide, unless every user may read it.',
  }),
};
