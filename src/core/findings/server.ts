import { type Entries, error, note, warning } from './entry.ts';
import type { ServerFacts } from './facts.ts';
import { didYouMean, oneOf, writeBoolean } from './words.ts';

/** What does not fit the integrations of a catalog or a server. */
export const SERVER: Entries<ServerFacts> = {
  'catalog-unreadable': {
    ...error,
    message: (f) => `This file of the catalog cannot be used: ${f.problem}.`,
    hint: () => "A catalog holds integrations' own configuration files, as they are installed.",
  },
  'not-in-catalog': {
    ...warning,
    message: (f) => `The catalog has no integration for ${f.selector}; its options are not checked.`,
    hint: (f) => {
      if (f.glob !== undefined) return globHint(f.glob);
      if (f.candidates.length === 0) return undefined;
      return f.candidates.length === 1
        ? `Did you mean ${f.candidates[0]}?`
        : `Is one of these meant? ${oneOf(f.candidates)}.`;
    },
  },
  'several-in-catalog': {
    ...warning,
    message: (f) =>
      `${f.total} integrations of the catalog match ${f.selector}; its options are not checked.`,
    hint: (f) =>
      `On a server that has several of them, this is an error: ${oneOf(f.candidates)}. Narrow the match, or write expect: any.`,
  },
  'no-match': {
    ...error,
    message: (f) => `No installed integration matches ${f.selector}.`,
    hint: (f) => (f.glob === undefined ? candidatesHint(f) : `${globHint(f.glob)} ${candidatesHint(f)}`),
  },
  'idle-default': {
    ...note,
    message: (f) => `The defaults of ${f.name} match no installed integration.`,
  },
  'ambiguous-name': {
    ...error,
    message: (f) =>
      `The entry ${f.name} means ${f.id}, but ${f.name} is also the id of another managed integration.`,
    hint: () => 'Give the entry another name: both would have the same field addresses.',
  },
  'several-matches': {
    ...error,
    message: (f) => `${f.total} installed integrations match ${f.selector}, but one is expected.`,
    hint: (f) => `${candidatesHint(f)} Narrow the match, or write expect: any.`,
  },
  'nothing-to-write': {
    ...warning,
    message: (f) => `--write-secrets ${f.address} names no value that is to be written.`,
    hint: () =>
      'Addresses look like virustotal.options.apiKey.value, as the plan shows them; all stands for every one.',
  },
  'only-matches-nothing': {
    ...error,
    message: (f) => `No entry of the configuration matches --only ${f.glob}.`,
  },
  'unknown-option': {
    ...error,
    message: (f) =>
      f.integration === undefined
        ? `None of the ${f.integrations} integrations that these defaults match has an option ${f.key}.`
        : `${f.integration} has no option ${f.key}.`,
    hint: (f) =>
      didYouMean(f.key, f.known) ??
      (f.known.length === 0
        ? 'No option at all is shown.'
        : `${f.integration === undefined ? 'Their' : 'Its'} options: ${oneOf(f.known)}.`),
  },
  'wrong-value-type': {
    ...error,
    message: (f) => `${f.address} is an option of type ${f.type}; this value does not fit.`,
    hint: (f) => (f.written === undefined ? VALUE_HINTS.get(f.type) : writeBoolean(f.written)),
  },
  'unknown-choice': {
    ...error,
    message: (f) => `${f.address}: this is none of the choices.`,
    hint: (f) =>
      (f.written === undefined ? undefined : didYouMean(f.written, f.choices)) ??
      `Choices: ${oneOf(f.choices)}.`,
  },
  'mask-as-value': {
    ...error,
    message: (f) => `The value of ${f.address} is what servers show in place of a secret, not the secret.`,
    hint: () => 'Was it copied from a page or a report? Give the secret itself.',
  },
  'equal-in-other-form': {
    ...note,
    message: (f) =>
      `${f.address}: the server holds it as a ${f.live}, the configuration as a ${f.desired}; they are equal.`,
  },
  'not-told': {
    ...warning,
    message: (f) => `The server does not tell ${f.address}, so it cannot be compared.`,
  },
  'not-running': {
    ...warning,
    message: (f) => `${f.integration} is ${f.status}; it is likely to refuse changes.`,
    hint: () => 'Start it before the apply.',
  },
};

/** The integrations that could be meant. */
function candidatesHint(facts: { candidates: readonly string[]; total: number }): string {
  return facts.total === 0
    ? 'The server lists no integration that this account may see.'
    : `Candidates (name, acronym, id): ${facts.candidates.join('; ')}${
        facts.total > facts.candidates.length ? `; and ${facts.total - facts.candidates.length} more` : ''
      }.`;
}

/** Ids have more behind the name, so that the name alone matches none. */
function globHint(glob: string): string {
  return `Write match: ${glob}; ids have more behind the name.`;
}

/** How the value of an option is written, by its type. */
const VALUE_HINTS: ReadonlyMap<string, string> = new Map([
  ['multi-select', 'Write a list of choices: [one, other].'],
  ['boolean', 'Write true or false.'],
  ['number', 'Write a number in its plain form: 30, -1 or 0.5.'],
]);
