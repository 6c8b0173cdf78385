import { isRecord } from '../../core/model/json.ts';
import type { SandboxSettings } from '../settings.ts';
import { type Problem, pointer, Refusal, refusal } from '../wire/refusal.ts';
import { acceptedTypes, OPTIONS } from '../wire/resources.ts';

/** One item of the body of PATCH /api/integration-options; its option may not exist. */
export interface OptionItem {
  /** Its place in the body. */
  readonly index: number;
  readonly id: string;
  /** The attributes in the request; `value` is not validated yet. */
  readonly attributes: {
    readonly value?: unknown;
    readonly 'admin-only'?: boolean;
    readonly 'user-can-edit'?: boolean;
  };
}

/** How many problems with one body are reported. */
const MAX_PROBLEMS = 100;

const ATTRIBUTES: readonly string[] = ['value', 'admin-only', 'user-can-edit'];

/** Decodes the body of section 4.7; refuses a malformed one with all of its problems: 400. */
export function decodeOptionItems(body: unknown, settings: SandboxSettings): readonly OptionItem[] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!Array.isArray(data)) throw refusal(400, '`data` must be a list of options.', { pointer: '/data' });
  if (data.length === 0) throw refusal(400, '`data` holds no option.', { pointer: '/data' });
  const types = acceptedTypes(OPTIONS, settings);
  const problems = data.flatMap((item, index) => problemsOf(item, index, types));
  if (problems.length > 0) throw new Refusal(400, problems.slice(0, MAX_PROBLEMS));
  const items = data.map(decodeItem);
  const seen = new Set<string>();
  const repeated = items.find(({ id }) => seen.size === seen.add(id).size);
  if (repeated === undefined) return items;
  throw refusal(400, 'The request contains an option twice.', {
    pointer: pointer('data', repeated.index, 'id'),
  });
}

function problemsOf(item: unknown, index: number, types: readonly string[]): Problem[] {
  const at = (...path: readonly string[]) => ({ source: { pointer: pointer('data', index, ...path) } });
  if (!isRecord(item)) return [{ detail: 'An option must be an object.', ...at() }];
  const { id, type, attributes } = item;
  const problems: Problem[] = [];
  if (typeof id !== 'string' || id === '')
    problems.push({ detail: '`id` must be the id of an option.', ...at('id') });
  if (typeof type !== 'string' || !types.includes(type)) {
    problems.push({ detail: `\`type\` must be ${types.join(' or ')}.`, ...at('type') });
  }
  if (!isRecord(attributes))
    problems.push({ detail: '`attributes` must be an object.', ...at('attributes') });
  return isRecord(attributes) ? [...problems, ...attributeProblems(attributes, at)] : problems;
}

function attributeProblems(
  attributes: Readonly<Record<string, unknown>>,
  at: (...path: readonly string[]) => Pick<Problem, 'source'>,
): Problem[] {
  return Object.entries(attributes).flatMap(([name, value]): Problem[] => {
    if (!ATTRIBUTES.includes(name))
      return [{ detail: 'This attribute of an option cannot be changed.', ...at('attributes', name) }];
    if (name === 'value' || typeof value === 'boolean') return [];
    return [{ detail: `\`${name}\` must be true or false.`, ...at('attributes', name) }];
  });
}

/** The cast relies on the checks of `problemsOf`. */
function decodeItem(raw: unknown, index: number): OptionItem {
  const { id, attributes } = raw as Omit<OptionItem, 'index'>;
  return { index, id, attributes };
}
