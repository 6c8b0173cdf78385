import { isRecord } from '../../core/model/json.ts';
import { type Problem, pointer, Refusal, refusal } from '../wire/refusal.ts';

/** One item of the body of PATCH /api/integration-options; its option may not exist. */
export interface OptionItem {
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

/** Decodes the body of section 4.7; refuses a malformed one with all of its problems: 400. */
export function decodeOptionItems(body: unknown): readonly OptionItem[] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length === 0)
    throw refusal(400, '`data` must be a list of options.', { pointer: '/data' });
  const problems = data.flatMap(problemsOf);
  if (problems.length > 0) throw new Refusal(400, problems.slice(0, MAX_PROBLEMS));
  // The cast relies on the checks of `problemsOf`.
  const items = data as readonly OptionItem[];
  if (new Set(items.map(({ id }) => id)).size === items.length) return items;
  throw refusal(400, 'The request contains an option twice.', { pointer: '/data' });
}

function problemsOf(item: unknown, index: number): Problem[] {
  const problem = (detail: string, ...path: readonly string[]): Problem => ({
    detail,
    source: { pointer: pointer('data', index, ...path) },
  });
  if (!isRecord(item)) return [problem('An option must be an object.')];
  const { id, type, attributes } = item;
  const isKnownType = type === 'integration-options' || type === 'integration-option';
  return [
    ...(typeof id === 'string' && id !== '' ? [] : [problem('`id` must be the id of an option.', 'id')]),
    ...(isKnownType ? [] : [problem('`type` must be integration-options.', 'type')]),
    ...(isRecord(attributes) ? [] : [problem('`attributes` must be an object.', 'attributes')]),
    ...Object.entries(isRecord(attributes) ? attributes : {}).flatMap(([name, value]) =>
      isAttribute(name, value) ? [] : [problem(`${name} cannot be set to this.`, 'attributes', name)],
    ),
  ];
}

function isAttribute(name: string, value: unknown): boolean {
  return name === 'value' || (/^(admin-only|user-can-edit)$/.test(name) && typeof value === 'boolean');
}
