import type { Diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { Entry, WrittenFile } from '../entry.ts';
import type { MergedConfig } from '../layers.ts';
import type { Linked } from '../link.ts';
import type { Template } from '../template.ts';

/** A text inside a value. */
export interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** A value that a rule looks at: that of an option, or a named one. */
export interface Subject {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly place: Place;
  readonly template: Template;
  /** With its named values put in; undefined where one is missing. */
  readonly linked: Linked | undefined;
  /** Each text in it that is no display of a choice, references as written. */
  readonly texts: readonly PlacedText[];
}

/** What rules look at: the files as written, layer by layer, and the configuration that they make. */
export interface RuleInput {
  readonly layers: readonly (readonly WrittenFile[])[];
  readonly merged: MergedConfig;
  readonly entries: readonly Entry<Template>[];
  /** The values of all layers: one that a later layer overrides is in its file all the same. */
  readonly written: readonly Subject[];
  /** The values that count after all layers. */
  readonly winning: readonly Subject[];
  /** The addresses of the options that are marked `sensitive: true` after all layers. */
  readonly marked: ReadonlySet<string>;
}

/** Looks at a whole configuration for one kind of mistake. */
export type Rule = (input: RuleInput) => readonly Diagnostic[];
