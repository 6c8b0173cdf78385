import type { BooleanWord } from '../model/value.ts';
import { error, varying, warning } from './entry.ts';
import { anyOf, cut, didYouMean, type Field, listed, writeBoolean } from './words.ts';

export interface Selection {
  selector: string;
  /** What it could mean, as a `match` writes it. */
  candidates: readonly string[];
  total: number;
  /** The glob to write, if only its wildcard is missing. */
  glob?: string;
  /** True for a catalog, which stands for no one server. */
  inCatalog?: true;
}

export interface UnknownOption {
  key: string;
  /** The integration, as the server calls it. */
  integration?: string;
  /** Of the option, if one entry asks for it. */
  address?: string;
  /** The number of integrations of which none has it. */
  integrations?: number;
  /** The keys that it may mean, or the first ones; absent if there were too many mistakes to look. */
  known?: readonly string[];
  /** How many keys there are, if `known` has only the first. */
  total?: number;
}

/** What does not fit the integrations of a catalog or a server. */
export const SERVER = {
  'not-hosted': warning('The sandbox cannot host a part of the catalog', {
    message: (f: { problem: string }) => `The sandbox cannot host this file of the catalog: ${f.problem}.`,
    hint: 'The file is left out; the others are served.',
    why: 'The sandbox hosts integrations by their configuration files, and leaves out what is not in their form.',
  }),
  'no-match': varying('No integration matches', (f: Selection) => (f.inCatalog ? 'warning' : 'error'), {
    message: (f) =>
      f.inCatalog
        ? `The catalog has no integration for ${f.selector}; its options are not checked.`
        : `No installed integration matches ${f.selector}.`,
    hint: (f) => {
      const glob = f.glob === undefined ? '' : `Write match: ${f.glob}, since ids continue after the name. `;
      if (!f.inCatalog)
        return `${glob || candidatesHint(f)} If it need not be installed, write expect: optional.`.replace(
          '  ',
          ' ',
        );
      if (glob !== '') return glob.trimEnd();
      return f.candidates.length === 0 ? undefined : `Did you mean ${anyOf(f.candidates)}?`;
    },
    why: 'It is not installed, or the match is mistyped. Write expect: optional if not every server has it. Ids change with each upgrade: use a glob such as splunk_node_*.',
  }),
  'several-matches': varying(
    'Several integrations match',
    (f: Selection) => (f.inCatalog ? 'warning' : 'error'),
    {
      /** Each candidate ends in the match that means it alone. */
      message: (f) =>
        f.inCatalog
          ? `${f.total} integrations of the catalog match ${f.selector}; its options are not checked.`
          : `${f.total} installed integrations match ${f.selector}, but one is expected.`,
      hint: (f) =>
        f.inCatalog
          ? `A server with more than one of these reports an error: ${listed(f.candidates)}. Narrow the match, or write expect: any.`
          : `${candidatesHint(f)} Write the match of the one you mean, or expect: any for all.`,
      why: 'An entry describes one integration unless it says expect: any. The integrations that it matches are left out.',
    },
  ),
  'hidden-field': warning('The server hides fields', {
    message: (f: { addresses: readonly string[] }) =>
      `The server hides whether these are as desired: ${listed(f.addresses)}.`,
    hint: 'Pass --write-hidden all, or an address, to write them.',
    why: 'Some servers show no permission flags, or mask secrets. What is hidden cannot be compared, and is written only on request.',
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
    why: 'The key is mistyped, or another version of the integration has it. Keys are case-sensitive.',
  }),
  'wrong-value': error('A value does not fit its option', {
    /** `written` has the values that do not fit, if they are no secrets. */
    message: (f: WrongValue) => {
      if (f.choices !== undefined) return choicesText(f);
      if (f.type === undefined)
        return `The value of ${f.address} is the mask that servers show in place of a secret.`;
      return `${f.address} takes a value of type ${f.type}; ${cut(f.written?.[0] ?? 'this value')} does not fit.`;
    },
    hint: (f) => {
      if (f.word !== undefined) return writeBoolean(f.word);
      if (f.choices === undefined) return f.type === undefined ? MASK_HINT : VALUE_HINTS[f.type];
      const meant = (f.written ?? []).flatMap((each) => didYouMean(each, f.choices ?? []) ?? []);
      return [...meant.slice(0, 3), `Choices: ${listed(f.choices)}.`].join(' ');
    },
    why: 'The server would refuse it, or store something else. Types and choices come from the server or the catalog.',
  }),
  'not-running': warning('Integrations are not running', {
    message: (f: { stopped: readonly { readonly id: string; readonly status: string }[] }) => {
      const names = listed(f.stopped.map(({ id, status }) => `${id} (${status})`));
      return f.stopped.length === 1
        ? `${names} is not running, so it is likely to refuse changes.`
        : `${f.stopped.length} integrations are not running, so they are likely to refuse changes: ${names}.`;
    },
    hint: 'Start them before you apply.',
    why: 'Servers check new values with the integration itself. apply tries these last.',
  }),
};

/** A value of another type, one that is no choice, or, with neither, the mask of a secret. */
export interface WrongValue extends Field {
  type?: string;
  choices?: readonly string[];
  written?: readonly string[];
  word?: BooleanWord;
}

function choicesText({ address, written = [] }: WrongValue): string {
  const [one = 'This', ...others] = written.map((each) => cut(each));
  return others.length === 0
    ? `${one} is not one of the choices of ${address}.`
    : `${listed([one, ...others])} are not among the choices of ${address}.`;
}

function candidatesHint({ candidates, total }: Selection): string {
  if (total === 0) return 'The server lists no integration that this account may see.';
  const more = total > candidates.length ? `; and ${total - candidates.length} more` : '';
  return `Candidates (name, acronym, id): ${candidates.join('; ')}${more}.`;
}

const MASK_HINT = 'Write ${env:SETPOINT_NAME}, and set the variable to the secret itself.';

const VALUE_HINTS: Readonly<Record<string, string>> = {
  'multi-select': 'Write a list of choices: [one, other].',
  boolean: 'Write true or false.',
  number: 'Write a number in its plain form: 30, -1 or 0.5.',
};
