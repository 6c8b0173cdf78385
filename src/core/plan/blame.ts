import { optionId } from '../model/ids.ts';
import type { Place } from '../model/place.ts';
import { pointerParts } from '../model/pointer.ts';
import type { Change, IntegrationPlan } from './plan.ts';

/** The parts of a server's error that may name what it refused. */
interface Blame {
  readonly title?: string;
  readonly detail?: string;
  readonly pointer?: string;
  readonly key?: string;
}

/**
 * The place in the YAML of the change that a server's error is about: by its pointer, which holds the position of an option
 * in the request (`/data/0/attributes/value`), a key or an option id; else by the key that it names; else by the only
 * changed option that its words mention. Undefined where none helps: a guess would send people to the wrong line.
 */
export function blamedPlace(
  blame: Blame,
  { id, changes }: Pick<IntegrationPlan, 'id' | 'changes'>,
): Place | undefined {
  // Some servers send a bare key.
  const parts = pointerParts(`/${blame.pointer ?? ''}`);
  const keys = [...new Set(changes.flatMap((change) => optionOf(change) ?? []))];
  const key = keyAtPosition(parts, keys) ?? keyAmong(parts, id, keys);
  if (key !== undefined) return placeOf(key, parts, changes);
  const attribute = changes.find(
    ({ field }) => field === 'autosubscribe' && [...parts, blame.key].includes(field),
  );
  if (attribute !== undefined) return attribute.setting.place;
  const named = keyAmong([blame.key ?? ''], id, keys) ?? onlyKeyIn(blame, keys);
  return named === undefined ? undefined : placeOf(named, parts, changes);
}

function placeOf(key: string, parts: readonly string[], changes: readonly Change[]): Place | undefined {
  const own = changes.filter((change) => optionOf(change) === key);
  const field = parts.some((part) => part === 'admin-only' || part === 'user-can-edit')
    ? 'permission'
    : 'value';
  return (own.find((change) => change.field === field) ?? own[0])?.setting.place;
}

/** The options of a request are in the order in which its changes first name them. */
function keyAtPosition(parts: readonly string[], keys: readonly string[]): string | undefined {
  const [, root, position = ''] = parts;
  return root === 'data' && /^\d+$/.test(position) ? keys[Number(position)] : undefined;
}

function keyAmong(parts: readonly string[], id: string, keys: readonly string[]): string | undefined {
  const named = new Set(parts);
  return keys.find((key) => named.has(key) || named.has(optionId(id, key)));
}

/** The only key among the words of an error; undefined where there are several. */
function onlyKeyIn({ title = '', detail = '' }: Blame, keys: readonly string[]): string | undefined {
  const words = new Set(`${title} ${detail}`.split(/[^\w-]/));
  const [found, ...others] = keys.filter((key) => words.has(key));
  return others.length === 0 ? found : undefined;
}

function optionOf(change: Change): string | undefined {
  return change.field === 'autosubscribe' ? undefined : change.option;
}
