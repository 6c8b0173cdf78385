import { recordOf } from '../model/json.ts';
import { cutText } from './limits.ts';

/** The attributes of a resource, as a server sent them. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The attributes of a resource; none if it has no usable ones. */
export function attributesOf(resource: Attributes): Attributes {
  return recordOf(resource['attributes']);
}

/** A text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text for people, cut to what they can read. */
export function proseOf(value: unknown): string | undefined {
  return typeof value === 'string' ? cutText(value) : undefined;
}

/** A boolean, or its word. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'boolean' ? value : undefined;
}

/** A count or the number of something. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
