import type { BooleanWord } from '../model/value.ts';
import { error, note, warning } from './entry.ts';
import { anyOf, cut, didYouMean, type Field, listed, writeBoolean } from './words.ts';

export interface Selection {
  selector: string;
  /** What it could mean, as a `match` writes it. */
  candidates: readonly string[];
  total: number;
  /** The glob to write, where only its wildcard is missing. */
  glob?: string;
}

export interface UnknownOption {
  key: string;
  /** The integration, as the server calls it. */
  integration?: string;
  /** Of the option, where one entry asks for it. */
  address?: string;
  /** The number of integrations of which none has it. */
  integrations?: number;
  /** The keys that it may mean, or the first ones; absent where there were too many mistakes to look. */
  known?: readonly string[];
  /** How many keys there are, where `known` has only the first. */
  total?: number;
}

/** What does not fit the integrations of a catalog or a server. */
export const SERVER = {
  'catalog-unreadable': error('A file of the catalog cannot be used', {
    message: (f: { problem: string; hint?: string }) =>
      `This file of the catalog cannot be used: ${f.problem}.`,
    hint: (f) => f.hint ?? 'A catalog holds the configuration files of integrations, as they are installed.',
  }),
  'not-hosted': warning('The sandbox cannot host a part of the catalog', {
    message: (f: { problem: string; leftOut: 'file' | 'default' }) =>
      `The sandbox cannot host this part of the catalog: ${f.problem}.`,
    hint: (f) => (f.leftOut === 'file' ? 'The file is left out.' : 'The option is served, and starts empty.'),
  }),
  'not-in-catalog': warning('The catalog has no such integration', {
    message: (f: Omit<Selection, 'total'>) =>
      `The catalog has no integration for ${f.selector}; its options are not checked.`,
    hint: (f) => {
      if (f.glob !== undefined) return globHint(f.glob);
      return f.candidates.length === 0 ? undefined : `Did you mean ${anyOf(f.candidates)}?`;
    },
  }),
  'several-in-catalog': warning('Several integrations of the catalog match', {
    message: (f: Selection) =>
      `${f.total} integrations of the catalog match ${f.selector}; its options are not checked.`,
    hint: (f) =>
      `This is an error on a server that has more than one of these: ${listed(f.candidates)}. Narrow the match, or write expect: any.`,
  }),
  'no-match': error('No installed integration matches', {
    message: (f: Selection) => `No installed integration matches ${f.selector}.`,
    hint: (f) => {
      const meant = f.glob === undefined ? candidatesHint(f) : [globHint(f.glob)];
      return [...meant, 'If it need not be installed, write expect: optional.'].join(' ');
    },
  }),
  'idle-default': note('Defaults match no installed integration', {
    message: (f: { name: string }) => `The defaults of ${f.name} match no installed integration.`,
  }),
  'ambiguous-name': error('The name of an entry is the id of another integration', {
    message: (f: { name: string; id: string }) =>
      `The entry ${f.name} matches ${f.id}, but ${f.name} is the id of another managed integration.`,
    hint: 'Rename the entry: the fields of both would have the same addresses.',
  }),
  'several-matches': error('Several installed integrations match', {
    message: (f: Selection) => `${f.total} installed integrations match ${f.selector}, but one is expected.`,
    hint: (f) =>
      [...candidatesHint(f), 'Write the match of the one you mean, or expect: any for all.'].join(' '),
  }),
  'nothing-to-write': error('--write-hidden names nothing', {
    message: (f: Field & { near?: string }) =>
      `--write-hidden ${f.address} names nothing that the configuration manages.`,
    hint: (f) =>
      f.near === undefined
        ? 'Pass all, or an address as the plan shows it, such as virustotal.apiKey.'
        : `Did you mean ${f.near}?`,
  }),
  'flags-not-shown': warning('The server does not show permission flags', {
    message: (f: { addresses: readonly string[] }) =>
      `The server does not show whether these are as desired: ${listed(f.addresses)}.`,
    hint: 'Pass --write-hidden all, or an address, to write them.',
  }),
  'only-matches-nothing': error('--only matches no entry', {
    message: (f: { glob: string; names: readonly string[]; near?: string }) =>
      `No entry of the configuration matches --only ${f.glob}.`,
    hint: (f) => (f.near === undefined ? `Entries: ${listed(f.names)}.` : `Did you mean ${f.near}?`),
  }),
  'unknown-option': error('An integration has no such option', {
    message: (f: UnknownOption) =>
      f.integration === undefined
        ? `None of the ${f.integrations} integrations that match these defaults has an option ${f.key}.`
        : `${f.integration} has no option ${f.key}.`,
    hint: (f) => {
      if (f.known === undefined) return undefined;
      if (f.known.length === 0) return 'No options are listed at all.';
      const whose = f.integration === undefined ? 'Their' : 'Its';
      return (
        didYouMean(f.key, f.known) ??
        `${whose} options: ${listed(f.known, 20, f.total)}. The role of this account may not see hidden ones.`
      );
    },
  }),
  'wrong-value-type': error('A value does not fit the type of its option', {
    /** `value` is what was written, where that is no secret. */
    message: (f: { address: string; type: string; written?: BooleanWord; value?: string }) =>
      `${f.address} takes a value of type ${f.type}; ${f.value === undefined ? 'this value' : cut(f.value)} does not fit.`,
    hint: (f) => (f.written === undefined ? VALUE_HINTS[f.type] : writeBoolean(f.written)),
  }),
  'unknown-choice': error('A value is not one of the choices', {
    /** `written` has all values that are no choices. */
    message: (f: { address: string; choices: readonly string[]; written?: readonly string[] }) => {
      const [one = 'This', ...others] = (f.written ?? []).map((each) => cut(each));
      return others.length === 0
        ? `${one} is not one of the choices of ${f.address}.`
        : `${listed([one, ...others])} are none of the choices of ${f.address}.`;
    },
    hint: (f) => {
      const meant = (f.written ?? []).flatMap((each) => didYouMean(each, f.choices) ?? []);
      return [...meant.slice(0, 3), `Choices: ${listed(f.choices)}.`].join(' ');
    },
  }),
  'mask-as-value': error('A value is the mask of a secret', {
    message: ({ address }: Field) =>
      `The value of ${address} is the mask that servers show in place of a secret.`,
    hint: 'Write ${env:SETPOINT_NAME}, and set the variable to the secret itself.',
  }),
  'equal-in-other-form': note('A value is equal in another form', {
    message: (f: { address: string; live: string; desired: string }) =>
      `The server holds ${f.address} as a ${f.live}, the configuration as a ${f.desired}; they are equal.`,
  }),
  'not-running': warning('Integrations are not running', {
    message: (f: { stopped: readonly { readonly id: string; readonly status: string }[] }) => {
      const names = listed(f.stopped.map(({ id, status }) => `${id} (${status})`));
      return f.stopped.length === 1
        ? `${names} is not running, so it is likely to refuse changes.`
        : `${f.stopped.length} integrations are not running, so they are likely to refuse changes: ${names}.`;
    },
    hint: 'Start them before you apply.',
  }),
};

function candidatesHint({ candidates, total }: Selection): string[] {
  if (total === 0) return [];
  const more = total > candidates.length ? `; and ${total - candidates.length} more` : '';
  return [`Candidates (name, acronym, id): ${candidates.join('; ')}${more}.`];
}

function globHint(glob: string): string {
  return `Write match: ${glob}, since ids continue after the name.`;
}

const VALUE_HINTS: Readonly<Record<string, string>> = {
  'multi-select': 'Write a list of choices: [one, other].',
  boolean: 'Write true or false.',
  number: 'Write a number in its plain form: 30, -1 or 0.5.',
};
