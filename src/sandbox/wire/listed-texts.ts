import type { StoredIntegration } from '../state/integration-state.ts';

/** An integration as the bytes of JSON for a list: the resource, and what belongs into `included`, separated by commas. */
export interface ListedText {
  readonly resource: Buffer;
  readonly included: Buffer;
}

/** The texts that were made of an integration, by what the reader may see of it. */
export type ListedTexts = WeakMap<StoredIntegration, Map<string, ListedText>>;
