import type { BooleanWord } from '../model/value.ts';
import { error, type Field, type Names, warning } from './entry.ts';
import { didYouMean, listed } from './words.ts';
import { booleanHint } from './yaml.ts';

/** A match and what it could mean. */
type Selection = { selector: string; candidates: Names; total: number; inCatalog?: boolean };

/** An option of one integration, or of all that share defaults; `known` has the first of `total` keys. */
type UnknownOption = { key: string; integration?: string; known?: Names; total?: number };

/** A value of another type, a value that is no choice, or, with neither, the mask of a secret. */
type WrongValue = Field & { type?: string; choices?: Names; written?: Names; word?: BooleanWord };

const catalogKind = (f: Selection) => (f.inCatalog ? 'warning' : 'error');

const source = (f: Selection) => (f.inCatalog ? 'integration of the catalog' : 'installed integration');

/** Mistakes that the integrations of a catalog or a server show. */
export const SERVER = {
  'not-hosted': warning('The sandbox cannot host a part of the catalog', {
    message: (f: { problem: string }) => `The sandbox cannot host this file of the catalog: ${f.problem}.`,
    hint: 'The file is left out; the others are served.',
  }),
  'no-match': error('No integration matches', {
    kind: catalogKind,
    message: (f) => `No ${source(f)} matches ${f.selector}.`,
    hint: (f) =>
      `${candidatesHint(f)}${f.inCatalog ? '' : ' If it is not always installed, set expect: optional.'}`,
    why: 'It is not installed, this account may not see it, or the match is mistyped. Ids change with each upgrade: use a glob such as splunk_node_*. For an integration that is not always installed, set expect: optional.',
  }),
  'several-matches': error('Several integrations match', {
    kind: catalogKind,
    message: (f) => `${f.total} ${source(f)}s match ${f.selector}, but one is expected.`,
    hint: (f) => `${candidatesHint(f)} Write the match of the one you mean, or expect: any for all.`,
    why: 'An entry describes one integration unless it says expect: any. The integrations that it matches are left out. Write a narrower match, or expect: any for all of them.',
  }),
  'hidden-field': warning('The server hides fields', {
    message: (f: { addresses: Names }) => `The server hides ${listed(f.addresses)}.`,
    hint: 'Pass --write-hidden all, or an address, to write them.',
    why: 'Some servers show no permission flags, or mask secrets. Hidden fields cannot be compared, and are written only on request.',
  }),
  'unknown-option': error('An integration has no such option', {
    message: ({ key, integration = 'Every integration with these defaults' }: UnknownOption) =>
      `${integration} has no option ${key}.`,
    hint: ({ key, known, total }) =>
      known && (didYouMean(key, known) ?? `Options that you may see: ${listed(known, 20, total) || 'none'}.`),
    why: 'The key is mistyped, or another version of the integration has it. Keys are case-sensitive.',
  }),
  'wrong-value': error('A value does not fit its option', {
    message: ({ address, type, choices }: WrongValue) =>
      `${address} takes ${choices === undefined ? (TYPES[type ?? 'mask'] ?? `a value of type ${type}`) : 'one of its choices'}.`,
    hint: ({ word, choices, written = [] }) => {
      if (choices === undefined) return booleanHint(word);
      const meant = written.flatMap((each) => didYouMean(each, choices) ?? []);
      return [...meant.slice(0, 3), `Choices: ${listed(choices)}.`].join(' ');
    },
    why: 'The server would refuse it, or store something else. The mask that servers show in place of a secret is no value: write ${env:SETPOINT_NAME}, and set the variable to the secret itself.',
  }),
  'not-running': warning('Integrations are not running', {
    message: (f: { stopped: readonly { readonly id: string; readonly status: string }[] }) =>
      `Not running, so likely to refuse changes: ${listed(f.stopped.map(({ id, status }) => `${id} (${status})`))}.`,
    hint: 'Start them before you apply.',
  }),
};

function candidatesHint({ candidates, total }: Selection): string {
  const more = total > candidates.length ? `; and ${total - candidates.length} more` : '';
  return `Candidates: ${candidates.join('; ') || 'none'}${more}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  mask: 'the secret itself, not the mask that servers show in its place',
  'multi-select': 'a list of choices, such as [one, other]',
  boolean: 'true or false',
  number: 'a number in its plain form, such as 30, -1 or 0.5',
};
