import type { BooleanWord } from '../model/value.ts';
import { error, type Field, varying, warning } from './entry.ts';
import { anyOf, cut, didYouMean, listed } from './words.ts';
import { booleanHint } from './yaml.ts';

type Names = readonly string[];

/** A match and what it could mean; `glob` is what to write if only its wildcard is missing. */
type Selection = { selector: string; candidates: Names; total: number; glob?: string; inCatalog?: true };

/** An option of one integration, or of several that share defaults; `known` has the first of `total` keys. */
type UnknownOption = {
  key: string;
  integration?: string;
  known?: Names;
  total?: number;
};

/** A value of another type, a value that is no choice, or, with neither, the mask of a secret. */
type WrongValue = Field & { type?: string; choices?: Names; written?: Names; word?: BooleanWord };

const catalogKind = (f: Selection) => (f.inCatalog ? 'warning' : 'error');

/** Mistakes that the integrations of a catalog or a server show. */
export const SERVER = {
  'not-hosted': warning('The sandbox cannot host a part of the catalog', {
    message: (f: { problem: string }) => `The sandbox cannot host this file of the catalog: ${f.problem}.`,
    hint: 'The file is left out; the others are served.',
  }),
  'no-match': varying('No integration matches', catalogKind, {
    message: (f) =>
      f.inCatalog
        ? `The catalog has no integration for ${f.selector}; its options are not checked.`
        : `No installed integration matches ${f.selector}.`,
    hint: (f) => {
      const glob = f.glob && `Write match: ${f.glob}, since ids continue after the name.`;
      if (!f.inCatalog)
        return `${glob ?? candidatesHint(f)} If it is not always installed, set expect: optional.`;
      return glob ?? (f.candidates.length === 0 ? undefined : `Did you mean ${anyOf(f.candidates)}?`);
    },
    why: 'It is not installed, or the match is mistyped. Ids change with each upgrade: use a glob such as splunk_node_*.',
  }),
  'several-matches': varying('Several integrations match', catalogKind, {
    message: ({ inCatalog, total, selector }) =>
      `${total} ${inCatalog ? '' : 'installed '}integrations match ${selector}, but one is expected.`,
    hint: (f) => `${candidatesHint(f)} Write the match of the one you mean, or expect: any for all.`,
    why: 'An entry describes one integration unless it says expect: any. The integrations that it matches are left out.',
  }),
  'hidden-field': warning('The server hides fields', {
    message: (f: { addresses: Names }) => `The server hides ${listed(f.addresses)}.`,
    hint: 'Pass --write-hidden all, or an address, to write them.',
    why: 'Some servers show no permission flags, or mask secrets. Hidden fields cannot be compared, and are written only on request.',
  }),
  'unknown-option': error('An integration has no such option', {
    message: ({ key, integration }: UnknownOption) =>
      `${integration ?? 'None of the integrations with these defaults'} has ${integration ? 'no' : 'an'} option ${key}.`,
    hint: ({ key, known, total }) =>
      known && (didYouMean(key, known) ?? `Options that you may see: ${listed(known, 20, total) || 'none'}.`),
    why: 'The key is mistyped, or another version of the integration has it. Keys are case-sensitive.',
  }),
  'wrong-value': error('A value does not fit its option', {
    message: ({ address, choices, type, written = [] }: WrongValue) => {
      const values = listed(written.map((each) => cut(each))) || 'This value';
      if (choices !== undefined) return `Not among the choices of ${address}: ${values}.`;
      if (type !== undefined) return `${address} takes a value of type ${type}; ${values} does not fit.`;
      return `The value of ${address} is the mask that servers show in place of a secret.`;
    },
    hint: ({ word, choices, type, written = [] }) => {
      if (word !== undefined) return booleanHint(word);
      if (choices === undefined) return VALUE_HINTS[type ?? 'mask'];
      const meant = written.flatMap((each) => didYouMean(each, choices) ?? []);
      return [...meant.slice(0, 3), `Choices: ${listed(choices)}.`].join(' ');
    },
    why: 'The server would refuse it, or store something else.',
  }),
  'not-running': warning('Integrations are not running', {
    message: (f: { stopped: readonly { readonly id: string; readonly status: string }[] }) =>
      `Not running, so likely to refuse changes: ${listed(f.stopped.map(({ id, status }) => `${id} (${status})`))}.`,
    hint: 'Start them before you apply.',
  }),
};

function candidatesHint({ candidates, total }: Selection): string {
  if (total === 0) return 'The server lists no integration that this account may see.';
  const more = total > candidates.length ? `; and ${total - candidates.length} more` : '';
  return `Candidates (name, acronym, id): ${candidates.join('; ')}${more}.`;
}

const VALUE_HINTS: Readonly<Record<string, string>> = {
  mask: 'Write ${env:SETPOINT_NAME}, and set the variable to the secret itself.',
  'multi-select': 'Write a list of choices: [one, other].',
  boolean: 'Write true or false.',
  number: 'Write a number in its plain form: 30, -1 or 0.5.',
};
