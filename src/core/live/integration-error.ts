import { type AttributeName, attribute, linked, proseAttribute, type Resource } from './resource.ts';

/** An integration error as it may be shown: without `meta`, which can hold requests to third parties. */
export interface IntegrationError {
  readonly id: string;
  /** The id of the integration; empty where the server does not say. */
  readonly integration: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** How often it has occurred. */
  readonly count: number;
  /** The last occurrence, ISO 8601, as the server writes it. */
  readonly occurredOn: string;
  readonly status: number | null;
}

/** Decodes an integration error; what is missing becomes empty. */
export function decodeIntegrationError(resource: Resource): IntegrationError {
  const text = (name: AttributeName) => proseAttribute(resource, name) ?? '';
  const status = attribute(resource, 'status');
  const count = attribute(resource, 'error-count');
  return {
    id: resource.id,
    integration: linked(resource, 'integration')[0]?.id ?? text('integration-id'),
    code: text('code'),
    title: text('title'),
    detail: text('detail'),
    count: isCount(count) ? count : 1,
    occurredOn: text('occurred-on'),
    status: isCount(status) ? status : null,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The moment of the last occurrence in milliseconds since the epoch; undefined where it cannot be read. */
export function occurredAt({ occurredOn }: IntegrationError): number | undefined {
  const time = Date.parse(occurredOn.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}

/** An integration error that is new or has occurred more often since. */
export interface ErrorRise {
  readonly error: IntegrationError;
  /** How often it had occurred before; 0 for a new one. */
  readonly before: number;
}

/**
 * The errors of these integrations that are new or have risen between two readings, by id and count. An error that does
 * not name its integration may be theirs.
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
