import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';

/** What rules find over a whole configuration. */
export interface RuleFacts {
  'empty-entry': { readonly name: string };
  'empty-option': Record<never, never>;
  'user-provides-value': { readonly address: string };
  'plain-secret': { readonly address: string };
  'likely-secret': { readonly address: string };
  'secret-fallback': { readonly address: string };
  placeholder: { readonly address: string };
  'any-without-match': { readonly name: string };
  'subscribes-by-default': { readonly name: string };
  'match-is-no-glob': { readonly of: 'pattern' | 'negation' | 'bracket' | 'list' | 'blank' };
  'glob-too-complex': Record<never, never>;
  'same-match': { readonly name: string; readonly other: Place };
  'odd-key': { readonly characters: readonly string[] };
  'odd-character': { readonly address: string; readonly characters: readonly string[] };
  'outer-blank': { readonly address: string };
  'trailing-slash': { readonly address: string; readonly other?: Place; readonly neighbour?: string };
  'reference-typo': { readonly address: string };
  'repeated-choice': { readonly address: string };
  'idle-null': { readonly address: string };
  'unused-value': { readonly name: string };
  'alike-keys': { readonly key: string; readonly other: string; readonly at: Place };
  'alike-variables': { readonly name: string; readonly other: string; readonly at: Place };
  'stray-entry': { readonly name: string; readonly near: string };
  'stray-value': { readonly name: string; readonly near: string };
  'permission-as-value': { readonly address: string; readonly word: string };
  'boolean-word': { readonly address: string; readonly written: BooleanWord };
  'misplaced-key': { readonly key: string };
  'file-twice': Record<never, never>;
  'absolute-file': { readonly reference: string };
  'broken-url': { readonly address: string; readonly of: 'scheme' | 'path' };
  'still-encrypted': { readonly address: string };
  'exposes-secret': { readonly address: string };
}
