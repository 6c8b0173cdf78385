import { countOf, recordOf, textOf } from '../model/json.ts';
import { proseOf } from './limits.ts';

/** An integration error as it may be shown: without `meta`, which can hold requests to third parties. */
export interface IntegrationError {
  readonly id: string;
  /** The id of the integration; empty if the server does not send it. */
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

/** Decodes a list of integration errors; what is missing becomes empty. */
export function decodeIntegrationErrors(body: unknown): readonly IntegrationError[] | string {
  const { data } = recordOf(body);
  return Array.isArray(data) ? data.map(decodeError) : '`data` is not a list';
}

function decodeError(raw: unknown): IntegrationError {
  const resource = recordOf(raw);
  const from = recordOf(resource['attributes']);
  const { data } = recordOf(recordOf(resource['relationships'])['integration']);
  return {
    id: textOf(resource['id']) ?? '',
    integration: textOf(recordOf([data].flat()[0])['id']) ?? proseOf(from['integration-id']) ?? '',
    code: proseOf(from['code']) ?? '',
    title: proseOf(from['title']) ?? '',
    detail: proseOf(from['detail']) ?? '',
    count: countOf(from['error-count']) ?? 1,
    occurredOn: proseOf(from['occurred-on']) ?? '',
    status: countOf(from['status']) ?? null,
  };
}

/** The moment of the last occurrence in milliseconds since the epoch; undefined if it cannot be read. */
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
