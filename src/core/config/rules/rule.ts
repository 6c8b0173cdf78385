import type { Diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { WrittenField, WrittenFile } from '../entry.ts';
import type { MergedConfig, MergedEntry } from '../layers.ts';
import type { Reference } from '../reference.ts';
import type { ResolvedValue } from '../resolve.ts';

/** A text inside a value, with the place that can be told for it. */
export interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** A value that a rule looks at: that of an option, or a named one. */
export interface Subject {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly field: WrittenField;
  /** Each text in it that is no display of a choice. */
  readonly texts: readonly PlacedText[];
  readonly references: readonly Reference[];
}

/** What an entry says of one option after all layers; nulls too. */
export interface OptionFields {
  readonly address: string;
  readonly sensitive: boolean;
  readonly value: WrittenField | undefined;
  readonly permission: WrittenField | undefined;
}

/** What rules look at: the files as they were written, layer by layer, and what they come to. */
export interface RuleInput {
  readonly layers: readonly (readonly WrittenFile[])[];
  readonly config: MergedConfig;
  /** The entries of which everything was read: only these can be said to lack something. */
  readonly wholeEntries: readonly MergedEntry[];
  /** The values of all layers, also those that a later layer overrides: they are in the files all the same. */
  readonly written: readonly Subject[];
  /** The values that count after all layers. */
  readonly winning: readonly Subject[];
  readonly options: readonly OptionFields[];
  /** The addresses of the values of options that are marked `sensitive: true` after all layers. */
  readonly marked: ReadonlySet<string>;
  /** The managed values as far as the configuration alone tells them. */
  readonly resolved: ReadonlyMap<WrittenField, ResolvedValue>;
}

/** Looks at a whole configuration for one kind of mistake. */
export type Rule = (input: RuleInput) => readonly Diagnostic[];
