import { type Entries, error, note, warning } from './entry.ts';
import type { RuleFacts } from './rule-facts.ts';
import { at, writeBoolean } from './words.ts';

/** What rules find over a whole configuration. */
export const RULES: Entries<RuleFacts> = {
  'empty-entry': { ...warning, message: (f) => `${f.name} declares nothing.` },
  'empty-option': {
    ...warning,
    message: () => 'This option declares nothing.',
    hint: () => 'Write a value or a permission, or remove it.',
  },
  'user-provides-value': {
    ...warning,
    message: (f) => `${f.address} has a value, but with user-provides each user gives an own one.`,
    hint: () => 'Remove the value, or lock the option.',
  },
  'plain-secret': {
    ...error,
    message: (f) => `${f.address} is a secret written in clear.`,
    hint: () =>
      'Put it into an environment variable and write ${env:SETPOINT_NAME}. Then replace it: it is in the history.',
  },
  'likely-secret': {
    ...warning,
    message: (f) => `${f.address} looks like a secret written in clear.`,
    hint: () => 'Write ${env:SETPOINT_NAME}, and replace the secret: it is in the history.',
  },
  'secret-fallback': {
    ...warning,
    message: (f) => `${f.address} is a secret with a fallback.`,
    hint: () => 'Without the fallback a missing secret is found before anything is sent.',
  },
  placeholder: {
    ...warning,
    message: (f) => `${f.address} seems to stand for a value that was never filled in.`,
    hint: () => 'Write the value, or remove the option: then it is left as it is.',
  },
  'any-without-match': {
    ...warning,
    message: (f) => `${f.name} holds defaults, but matches only the id ${f.name}.`,
    hint: () => 'Add a match, such as match: "*".',
  },
  'subscribes-by-default': {
    ...warning,
    message: (f) => `${f.name} subscribes all users to every integration that it matches.`,
    hint: () => 'Write autosubscribe: true at the integrations that are meant.',
  },
  'glob-too-complex': {
    ...error,
    message: () => 'This glob has too many wildcards.',
    hint: () => 'Beside sets and alternatives there may be 3 stars, and 32 alternatives in all.',
  },
  'match-is-no-glob': {
    ...warning,
    message: (f) => MATCH_SLIPS[f.of][0],
    hint: (f) => MATCH_SLIPS[f.of][1],
  },
  'same-match': {
    ...warning,
    message: (f) => `The entry ${f.name} has the same match (${at(f.other)}).`,
    hint: () => 'Join the two entries.',
  },
  'odd-key': {
    ...error,
    message: (f) => `This key holds characters that are not what they seem: ${f.characters.join(', ')}.`,
    hint: () => 'Type the key anew.',
  },
  'odd-character': {
    ...warning,
    message: (f) => `${f.address} holds characters that are not what they seem: ${f.characters.join(', ')}.`,
    hint: () => 'Type the text anew.',
  },
  'outer-blank': {
    ...warning,
    message: (f) => `${f.address} begins or ends with a blank or a line end.`,
    hint: () => 'Remove it; behind a | write |- to leave out the last line end.',
  },
  'trailing-slash': {
    ...warning,
    message: (f) =>
      `${f.address} ends with a slash; ${
        f.other === undefined ? `the default of ${f.neighbour} does not` : `at ${at(f.other)} it does not`
      }.`,
    hint: () => 'Remove the last slash: many integrations put a path behind it.',
  },
  'reference-typo': {
    ...warning,
    message: (f) => `${f.address} looks like a reference, but is taken as text.`,
    hint: () => 'References are ${env:NAME}, ${file:path} and ${value:name}; write $${ for a literal ${.',
  },
  'repeated-choice': {
    ...warning,
    message: (f) => `${f.address} names this choice twice.`,
    hint: () => 'Remove one of the two.',
  },
  'idle-null': {
    ...warning,
    message: (f) => `No earlier layer declares ${f.address}, so this null changes nothing.`,
    hint: () => 'Is it mistyped? Else remove it.',
  },
  'unused-value': { ...note, message: (f) => `Nothing refers to the value ${f.name}.` },
  'alike-keys': {
    ...warning,
    message: (f) => `${f.key} is written nearly like ${f.other} (${at(f.at)}).`,
    hint: () => 'Each letter counts, capitals too: one of the two is likely to be mistyped.',
  },
  'alike-variables': {
    ...warning,
    message: (f) => `The variable ${f.name} is written nearly like ${f.other} (${at(f.at)}).`,
    hint: () => 'One of the two is likely to be mistyped.',
  },
  'stray-entry': {
    ...warning,
    message: (f) => `${f.name} has no match, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}? Else give it a match.`,
  },
  'stray-value': {
    ...warning,
    message: (f) => `Nothing refers to the value ${f.name}, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}?`,
  },
  'permission-as-value': {
    ...warning,
    message: (f) => `${f.address} is set to the text ${f.word}, which is the word of a permission.`,
    hint: (f) => `Write { permission: ${f.word} }.`,
  },
  'boolean-word': {
    ...warning,
    message: (f) => `${f.address} is set to the text ${f.written.word}.`,
    hint: (f) => `${writeBoolean(f.written)} If the text is meant, put it in quotes.`,
  },
  'misplaced-key': {
    ...warning,
    message: (f) => `${f.key} is taken as the key of an option here.`,
    hint: () => 'Is it indented too far?',
  },
  'file-twice': {
    ...warning,
    message: () => 'This file is part of two layers: it overrides what lies between them.',
    hint: () => 'Name it once. Is it in a folder that is named as well?',
  },
  'absolute-file': {
    ...warning,
    message: (f) => `${f.reference} names a file by its whole path.`,
    hint: () =>
      'Paths begin in the folder of setpoint.yaml, or at the root of the git work tree; outside of it nothing is read.',
  },
  'broken-url': {
    ...warning,
    message: (f) =>
      f.of === 'scheme'
        ? `${f.address} does not begin as a URL does.`
        : `${f.address} comes to a URL with two slashes in its path.`,
    hint: (f) =>
      f.of === 'scheme'
        ? 'URLs begin with https:// once.'
        : 'Remove the slash at the end of the named value.',
  },
  'still-encrypted': {
    ...warning,
    message: (f) => `${f.address} is still encrypted; it would be sent as it stands here.`,
    hint: () => 'Decrypt it into an environment variable, and write ${env:SETPOINT_NAME}.',
  },
  'exposes-secret': {
    ...warning,
    message: (f) => `${f.address} shows a secret to all users.`,
    hint: () => 'Write lock-and-hide, unless everybody may read it.',
  },
};

/** What a match was meant as, and how that is written. */
const MATCH_SLIPS: Record<RuleFacts['match-is-no-glob']['of'], readonly [string, string]> = {
  pattern: [
    'This match looks like a regular expression; it is read as a glob.',
    'Write vt_* for all ids that begin with vt_.',
  ],
  negation: [
    'A match cannot say what it does not mean; the mark is read as a part of the text.',
    'Remove the ! and match what is meant.',
  ],
  bracket: [
    'This match has a bracket or brace without its counterpart.',
    'Close it, or write a backslash before it if it is meant as it is.',
  ],
  list: [
    'This match is read as one id; no id holds a comma, a semicolon or a bar.',
    'Write {vt,jira}_* for alternatives, or an entry for each integration.',
  ],
  blank: [
    'This match is read as an id, and no id holds a blank.',
    'For the name of an integration write match: { name: "..." }.',
  ],
};
