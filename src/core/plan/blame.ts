import type { Place } from '../model.ts';
import type { Change } from './plan.ts';

/**
 * The place in the YAML of the change that a server's error points at: by the position of the option in the request
 * (`/data/0/attributes/value`), else by a key or option id among the parts of the pointer. Undefined where neither helps.
 */
export function blamedPlace(pointer: string | undefined, changes: readonly Change[]): Place | undefined {
  if (pointer === undefined) return undefined;
  const parts = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keyAtPosition(parts, changes) ?? keyAmong(parts, changes);
  if (key === undefined) return attributeAmong(parts, changes)?.source;
  const own = changes.filter((change) => optionOf(change) === key);
  const field = parts.some((part) => part === 'admin-only' || part === 'user-can-edit')
    ? 'permission'
    : 'value';
  return (own.find((change) => change.field === field) ?? own[0])?.source;
}

/** The options of a request stand in the order in which its changes first name them. */
function keyAtPosition(parts: readonly string[], changes: readonly Change[]): string | undefined {
  const position = parts[1] === 'data' ? parts[2] : undefined;
  if (position === undefined || !/^\d{1,4}$/.test(position)) return undefined;
  return [...new Set(changes.flatMap((change) => optionOf(change) ?? []))][Number(position)];
}

function keyAmong(parts: readonly string[], changes: readonly Change[]): string | undefined {
  const keys = changes.flatMap((change) => optionOf(change) ?? []);
  return keys.find((key) => parts.some((part) => part === key || part.endsWith(`-${key}`)));
}

/** An attribute of the integration itself stands under its own name. */
function attributeAmong(parts: readonly string[], changes: readonly Change[]): Change | undefined {
  return changes.find(({ field }) => field === 'autosubscribe' && parts.includes(field));
}

function optionOf(change: Change): string | undefined {
  return change.field === 'autosubscribe' ? undefined : change.option;
}
