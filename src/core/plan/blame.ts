import { optionId } from '../model/ids.ts';
import { pointerParts } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import type { IntegrationPlan } from './plan.ts';

/** The parts of a server's error that may name what it refused. */
interface Blame {
  readonly pointer?: string;
  readonly key?: string;
}

/**
 * Finds the place in the YAML of the change that a server's error is about: by its pointer, which holds the position of an
 * option in the request (`/data/0/attributes/value`), a key or an option id; else by the key that it names.
 */
export function blamedPlace(
  { pointer = '', key }: Blame,
  { id, changes }: Pick<IntegrationPlan, 'id' | 'changes'>,
): Place | undefined {
  // Some servers send a bare key.
  const parts = pointerParts(`/${pointer}`);
  const keys = [...new Set(changes.flatMap(({ setting }) => setting.option ?? []))];
  const names = new Set([...parts, key]);
  const option =
    keyAtPosition(parts, keys) ?? keys.find((each) => names.has(each) || names.has(optionId(id, each)));
  const isFlag = names.has('admin-only') || names.has('user-can-edit');
  const own = changes.filter(
    ({ field, setting }) => setting.option === option && (option !== undefined || names.has(field)),
  );
  const meant = own.find(({ field }) => field === (isFlag ? 'permission' : 'value')) ?? own[0];
  return meant?.setting.place;
}

/** The options of a request are in the order in which its changes first name them. */
function keyAtPosition(parts: readonly string[], keys: readonly string[]): string | undefined {
  const [, root, position = ''] = parts;
  return root === 'data' && /^\d+$/.test(position) ? keys[Number(position)] : undefined;
}
