/** What any of the options of an integration shows of itself: a part of them, or in which form. */
export const TRAITS = [
  /** Attributes of an option at all. */
  'options',
  /** The value of an option that is no password, and that of one that is. */
  'values',
  'secrets',
  /** Both flags of a permission, and those of `lock-and-hide`. */
  'flags',
  'hidden-options',
  /** A choice of a select as its value alone. */
  'bare-choices',
  /** The resource type. */
  'integration-options',
  'integration-option',
] as const;

export type Trait = (typeof TRAITS)[number];

/** The traits that any of these integrations has. */
export function shownTraits(live: readonly { readonly traits: ReadonlySet<Trait> }[]): ReadonlySet<Trait> {
  // Most integrations share one set.
  const all = new Set(live.map(({ traits }) => traits));
  return new Set([...all].flatMap((traits) => [...traits]));
}
