import { createHash } from 'node:crypto';
import { decodeOfType } from '../core/model/definition.ts';
import { optionId } from '../core/model/ids.ts';
import { isRecord, recordOf } from '../core/model/json.ts';
import type { OptionValue } from '../core/model/value.ts';
import { encodeIntegration, encodeOptions } from './encode.ts';
import { type Problem, Refusal } from './refusal.ts';
import type { Call, User } from './service.ts';
import type {
  Attributes,
  Integration,
  Option,
  OptionFlags,
  RaisedError,
} from './store.ts';

/** Section 4.7: changes options of one integration, all or nothing. */
export async function changeOptions(call: Call): Promise<object> {
  const { service, body } = call;
  const items = decodeOptionItems(body);
  const owner = ownerOf(service.store.all(), items);
  if (owner.attributes['status'] !== 'running') {
    throw new Refusal(422, 'Integration is not running');
  }
  const after = await change(call, owner, (before) =>
    withOptions(before, items),
  );
  const changed = after.options.filter((option) =>
    items.some(({ id }) => id === optionId(after.id, option.key)),
  );
  return { data: encodeOptions(service, after.id, changed) };
}

/** Section 4.8: changes attributes of an integration. */
export async function changeAttributes(call: Call): Promise<object> {
  const { service, params, body } = call;
  const integration = service.store.get(params['id']);
  const changed = decodeAttributes(integration.id, body);
  const after = await change(call, integration, (before) => {
    const attributes = { ...before.attributes, ...changed };
    return { ...before, attributes };
  });
  return encodeIntegration(call, after, 'single');
}

/** Edits an integration, which then reports an error if the sandbox says so. */
function change(
  { service, user }: Call,
  integration: Integration,
  edit: (before: Integration) => Integration,
): Promise<Integration> {
  const { store, raiseErrors = false, now } = service;
  return store.change(integration, (before) => {
    const after = edit(before);
    if (!raiseErrors) return after;
    return { ...after, errors: [raisedError(before, user, now())] };
  });
}

/** Section 2.3: an error that is new the first time, and then counted up. */
function raisedError(
  integration: Integration,
  user: User,
  now: number,
): RaisedError {
  const integrationId = integration.id;
  const [previous] = integration.errors;
  const count = previous?.attributes['error-count'] ?? 0;
  const digest = createHash('sha256').update(integrationId).digest('hex');
  const id = digest.slice(0, 24);
  const affected = { [user.id]: { id: user.id, username: user.username } };
  return {
    type: 'integration-errors',
    id,
    attributes: {
      code: 'lookup-failed',
      title: 'Lookup failed',
      detail:
        'The first lookup after a change of the configuration was refused by the remote service.',
      'error-count': count + 1,
      'integration-id': integrationId,
      meta: { response: { status: 401 }, affected_users: affected },
      'occurred-on': wireTime(now),
      status: 401,
    },
    links: {
      self: `/api/integration/${encodeURIComponent(integrationId)}/errors/${id}`,
    },
    relationships: {
      integration: { data: { type: 'integrations', id: integrationId } },
    },
  };
}

/** A time as section 2.3 has it: `2026-01-15 12:00:00.000000Z`. */
function wireTime(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString();
  return iso.replace('T', ' ').replace('Z', '000Z');
}

/** The attribute to set. The body repeats the id of the address. */
function decodeAttributes(integrationId: string, body: unknown): Attributes {
  const { data } = recordOf(body);
  if (!isItem(data) || data.id !== integrationId) {
    const detail = '`data` must have the id of the address, and attributes.';
    throw new Refusal(400, detail);
  }
  const { autosubscribe, ...others } = data.attributes;
  if (typeof autosubscribe === 'boolean' && Object.keys(others).length === 0)
    return { autosubscribe };
  const detail = 'Only autosubscribe can be changed, to true or false.';
  throw new Refusal(422, detail);
}

/** A resource in the body of a PATCH. */
interface Item {
  id: string;
  type?: unknown;
  attributes: Readonly<Record<string, unknown>>;
}

function isItem(item: unknown): item is Item {
  return (
    isRecord(item) &&
    typeof item['id'] === 'string' &&
    isRecord(item['attributes'])
  );
}

/** One item of PATCH /api/integration-options. Its option may not exist. */
interface OptionItem {
  id: string;
  /** The value is not validated yet. */
  attributes: Partial<OptionFlags> & { value?: unknown };
}

/** Decodes the body of section 4.7, or refuses it. */
function decodeOptionItems(body: unknown): readonly OptionItem[] {
  const { data } = recordOf(body);
  const isList = Array.isArray(data) && data.length > 0;
  if (isList && data.every(isOptionItem)) return data;
  throw new Refusal(
    400,
    '`data` must be a list of options, each with its id, the type integration-options, and attributes.',
  );
}

function isOptionItem(item: unknown): item is OptionItem {
  if (!isItem(item)) return false;
  if (!/^integration-options?$/.test(String(item.type))) return false;
  return Object.entries(item.attributes).every(([name, value]) => {
    if (name === 'value') return true;
    const isFlag = name === 'admin-only' || name === 'user-can-edit';
    return isFlag && typeof value === 'boolean';
  });
}

/** The integration that has all of the options. */
function ownerOf(
  integrations: readonly Integration[],
  items: readonly OptionItem[],
): Integration {
  const owner = integrations.find(({ id, options }) => {
    const ids = new Set(options.map(({ key }) => optionId(id, key)));
    return items.every((item) => ids.has(item.id));
  });
  if (owner !== undefined) return owner;
  throw new Refusal(404, 'No integration has all of these options.');
}

/** The integration after the change; refused with all problems at once. */
function withOptions(
  integration: Integration,
  items: readonly OptionItem[],
): Integration {
  const problems: Problem[] = [];
  const options = integration.options.map((option) => {
    const id = optionId(integration.id, option.key);
    const index = items.findIndex((item) => item.id === id);
    const item = items[index];
    if (item === undefined) return option;
    const pointer = `/data/${index}/attributes`;
    const { value: raw, ...flags } = item.attributes;
    const value = raw === undefined ? option.value : storedValue(option, raw);
    const after = { ...option, ...flags, value: value ?? option.value };
    const isInvalidPair = after['admin-only'] && after['user-can-edit'];
    if (isInvalidPair && Object.keys(flags).length > 0) {
      const detail = `${option.key} cannot be for administrators only and editable by users`;
      problems.push({ detail, source: { pointer: `${pointer}/admin-only` } });
    }
    if (value === undefined) {
      const detail = `${option.key} has the type ${option.type}, and does not take this value`;
      problems.push({ detail, source: { pointer: `${pointer}/value` } });
    }
    return after;
  });
  if (problems.length > 0) throw new Refusal(422, problems);
  return { ...integration, options };
}

/** A value as the service stores it; undefined if the option refuses it. */
function storedValue(option: Option, raw: unknown): OptionValue | undefined {
  const { type, options, multiple = false } = option;
  if (multiple !== Array.isArray(raw)) return undefined;
  return decodeOfType(raw, type, options ?? []);
}
