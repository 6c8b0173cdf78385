import type { IntegrationError } from './integration-error.ts';

/** An integration error that was not there before, or that has occurred more often since. */
export interface ErrorRise {
  readonly error: IntegrationError;
  /** How often it had occurred before; 0 for a new one. */
  readonly before: number;
}

/**
 * The errors of these integrations that are new or have risen between two readings, by id and count. An error that does
 * not say whose it is may be theirs.
 */
export function risenErrors(
  before: readonly IntegrationError[],
  after: readonly IntegrationError[],
  integrations: ReadonlySet<string>,
): ErrorRise[] {
  const counts = new Map(before.map(({ id, count }) => [id, count]));
  return after
    .filter(({ integration }) => integration === '' || integrations.has(integration))
    .map((error) => ({ error, before: counts.get(error.id) ?? 0 }))
    .filter((rise) => rise.error.count > rise.before || !counts.has(rise.error.id));
}
