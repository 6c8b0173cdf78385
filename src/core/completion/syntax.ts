/** What may stand for a value. */
export type Candidates =
  /** One of these words; letters, digits and hyphens only. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Some of these words, with commas between them. */
  | { readonly kind: 'list'; readonly words: readonly string[] }
  /** One of these words, or one with `=FILE` behind it. */
  | { readonly kind: 'words-with-file'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  /** Nothing that a shell could know. */
  | { readonly kind: 'unknown' };

/** A flag of a command. */
export interface FlagSyntax {
  /** As they are typed, `-f` before `--file`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined where it takes no value. */
  readonly value?: Candidates;
}

/** A command as a shell completes it. */
export interface CommandSyntax {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly FlagSyntax[];
  /** What each of its arguments may be; undefined where it takes none. */
  readonly argument?: Candidates;
}
