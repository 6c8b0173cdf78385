import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';
import { error, note, warning } from './entry.ts';
import { at, listed, writeBoolean } from './words.ts';

const SECRET_HINT = 'Write ${env:SETPOINT_NAME}, and replace the secret if it was ever committed.';

/** What rules find over a whole configuration. */
export const RULES = {
  'empty-entry': warning('An entry declares nothing', {
    message: (f: { name: string }) => `${f.name} declares nothing.`,
  }),
  'empty-option': warning('An option declares nothing', {
    message: 'This option declares nothing.',
    hint: 'Write a value or a permission, or remove it.',
  }),
  'user-provides-value': warning('A value is declared for an option that users provide', {
    message: (f: { address: string }) =>
      `${f.address} has a value, but under user-provides each user sets their own.`,
    hint: 'Remove the value, or lock the option.',
  }),
  'plain-secret': error('A secret is written in clear text', {
    message: (f: { address: string }) => `${f.address} is a secret in clear text.`,
    hint: SECRET_HINT,
  }),
  'likely-secret': warning('A value looks like a secret in clear text', {
    message: (f: { address: string }) => `${f.address} looks like a secret in clear text.`,
    hint: SECRET_HINT,
  }),
  'secret-fallback': warning('A secret has a fallback', {
    message: (f: { address: string }) => `${f.address} is a secret with a fallback.`,
    hint: 'Remove the fallback, so that a missing secret is found before anything is sent.',
  }),
  placeholder: warning('A placeholder was never filled in', {
    message: (f: { address: string }) => `${f.address} looks like a placeholder that was never filled in.`,
    hint: 'Write the value, or remove the option to leave it as it is.',
  }),
  'any-without-match': warning('Defaults match only one id', {
    message: (f: { name: string }) => `${f.name} sets defaults, but matches only the id ${f.name}.`,
    hint: 'Add a match, such as match: "*".',
  }),
  'subscribes-by-default': warning('Defaults subscribe all users', {
    message: (f: { name: string }) => `${f.name} subscribes all users to every integration that it matches.`,
    hint: 'Write autosubscribe: true only at the integrations that need it.',
  }),
  'glob-too-complex': error('A glob has too many wildcards', {
    message: 'This glob has too many wildcards.',
    hint: 'Beside sets and alternatives, use at most 3 stars; use at most 32 alternatives.',
  }),
  'match-is-no-glob': warning('A match is not a glob', {
    message: (f: { of: keyof typeof MATCH_SLIPS }) => MATCH_SLIPS[f.of][0],
    hint: (f) => MATCH_SLIPS[f.of][1],
  }),
  'same-match': warning('Two entries have the same match', {
    message: (f: { name: string; other: Place }) =>
      `The entry ${f.name} has the same match (${at(f.other)}).`,
    hint: 'Merge the two entries.',
  }),
  'odd-key': error('A key contains invisible or look-alike characters', {
    message: (f: { characters: readonly string[] }) =>
      `This key contains invisible or look-alike characters: ${listed(f.characters)}.`,
    hint: 'Retype the key.',
  }),
  'odd-character': warning('A text contains invisible or look-alike characters', {
    message: (f: { address: string; characters: readonly string[] }) =>
      `${f.address} contains invisible or look-alike characters: ${listed(f.characters)}.`,
    hint: 'Retype the text.',
  }),
  'outer-blank': warning('A text begins or ends with a space or line break', {
    message: (f: { address: string }) => `${f.address} begins or ends with a space or line break.`,
    hint: 'Remove it; write |- instead of | to drop the last line break.',
  }),
  'trailing-slash': warning('A URL ends with a slash in one place only', {
    message: (f: { address: string; other?: Place; neighbour?: string }) =>
      `${f.address} ends with a slash; ${
        f.other === undefined ? `the default of ${f.neighbour} does not` : `at ${at(f.other)} it does not`
      }.`,
    hint: 'Remove the last slash: many integrations append a path.',
  }),
  'reference-typo': warning('A text looks like a reference', {
    message: (f: { address: string }) => `${f.address} looks like a reference, but is plain text.`,
    hint: 'Write ${env:NAME}, ${file:path} or ${value:name}; $${ is a literal ${.',
  }),
  'repeated-choice': warning('A list repeats a choice', {
    message: (f: { address: string }) => `${f.address} repeats this choice.`,
    hint: 'Remove one of the two.',
  }),
  'idle-null': warning('A null changes nothing', {
    message: (f: { address: string }) =>
      `No earlier layer declares ${f.address}, so this null changes nothing.`,
    hint: 'Check the spelling, or remove it.',
  }),
  'unused-value': note('A named value is unused', {
    message: (f: { name: string }) => `Nothing refers to the value ${f.name}.`,
  }),
  'alike-keys': warning('Two keys are spelled nearly alike', {
    message: (f: { key: string; other: string; at: Place }) =>
      `${f.key} is spelled nearly like ${f.other} (${at(f.at)}).`,
    hint: 'One of the two is likely a typo: every letter counts, capitals too.',
  }),
  'alike-variables': warning('Two variables are spelled nearly alike', {
    message: (f: { name: string; other: string; at: Place }) =>
      `The variable ${f.name} is spelled nearly like ${f.other} (${at(f.at)}).`,
    hint: 'One of the two is likely a typo.',
  }),
  'stray-entry': warning('An entry of a later layer has no match', {
    message: (f: { name: string; near: string }) =>
      `${f.name} has no match, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}? Otherwise give it a match.`,
  }),
  'stray-value': warning('A named value of a later layer is unused', {
    message: (f: { name: string; near: string }) =>
      `Nothing refers to the value ${f.name}, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}?`,
  }),
  'permission-as-value': warning('A permission is written as a value', {
    message: (f: { address: string; word: string }) =>
      `${f.address} is the text ${f.word}, which names a permission.`,
    hint: (f) => `Write { permission: ${f.word} }.`,
  }),
  'boolean-word': warning('A text looks like a boolean', {
    message: (f: { address: string; written: BooleanWord }) => `${f.address} is the text ${f.written.word}.`,
    hint: (f) => `${writeBoolean(f.written)} Quote it if you mean the text.`,
  }),
  'misplaced-key': warning('A key of an entry is read as an option', {
    message: (f: { key: string }) => `${f.key} is read as the key of an option here.`,
    hint: 'Check its indentation.',
  }),
  'file-twice': warning('A file is in two layers', {
    message: 'This file is in two layers, so it overrides what lies between them.',
    hint: 'Name it once; it may also be in a folder that is named.',
  }),
  'absolute-file': warning('A reference names a file by its absolute path', {
    message: (f: { reference: string }) => `${f.reference} is an absolute path.`,
    hint: 'Write the path from the folder of setpoint.yaml, or without one from the root of the git work tree.',
  }),
  'broken-url': warning('A URL is malformed', {
    message: (f: { address: string; of: 'scheme' | 'path' }) =>
      f.of === 'scheme'
        ? `${f.address} does not begin like a URL.`
        : `${f.address} resolves to a URL with two slashes in its path.`,
    hint: (f) =>
      f.of === 'scheme' ? 'Begin it with https:// once.' : 'Remove the slash at the end of the named value.',
  }),
  'still-encrypted': warning('A value is still encrypted', {
    message: (f: { address: string }) => `${f.address} is still encrypted, and would be sent that way.`,
    hint: 'Decrypt it into an environment variable, and write ${env:SETPOINT_NAME}.',
  }),
  'exposes-secret': warning('A secret is shown to all users', {
    message: (f: { address: string }) => `${f.address} shows a secret to all users.`,
    hint: 'Write lock-and-hide, unless every user may read it.',
  }),
};

/** What looks like another language of patterns, and how to write it as a glob. */
const MATCH_SLIPS = {
  pattern: [
    'This match looks like a regular expression, but is read as a glob.',
    'Write vt_* for all ids that begin with vt_.',
  ],
  negation: [
    'A match cannot exclude anything: this ! is read as part of the text.',
    'Remove the !, and match the integrations that you want.',
  ],
  bracket: [
    'A bracket or brace of this match has no counterpart.',
    'Close it, or write a backslash before it if it is part of the text.',
  ],
  list: [
    'This match is read as one id, but no id contains a comma, semicolon or bar.',
    'Write {vt,jira}_* for alternatives, or one entry for each integration.',
  ],
  blank: [
    'This match is read as an id, but no id contains a space.',
    'To match the name of an integration, write match: { name: "..." }.',
  ],
} as const;
