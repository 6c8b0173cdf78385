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

/** Decodes the body of section 4.7; refuses a malformed one: 400. */
export function decodeOptionItems(body: unknown): readonly OptionItem[] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length === 0)
    throw refusal(400, '`data` must be a list of options.', { pointer: '/data' });
  const problems = data.flatMap(problemsOf).slice(0, 100);
  if (problems.length > 0) throw new Refusal(400, problems);
  // The cast relies on the checks of `problemsOf`.
  const items = data as readonly OptionItem[];
  if (new Set(items.map(({ id }) => id)).size === items.length) return items;
  throw refusal(400, 'The request contains an option twice.', { pointer: '/data' });
}

function problemsOf(item: unknown, index: number): Problem[] {
  const { id, type, attributes } = isRecord(item) ? item : {};
  const wrong = [
    ...(typeof id === 'string' ? [] : ['id']),
    ...(type === 'integration-options' || type === 'integration-option' ? [] : ['type']),
    ...(isRecord(attributes) && Object.entries(attributes).every(isAttribute) ? [] : ['attributes']),
  ];
  return wrong.map((name) => ({
    detail: `\`${name}\` of an option is missing or wrong.`,
    source: { pointer: pointer('data', index, name) },
  }));
}

function isAttribute([name, value]: readonly [string, unknown]): boolean {
  return name === 'value' || (/^(admin-only|user-can-edit)$/.test(name) && typeof value === 'boolean');
}
