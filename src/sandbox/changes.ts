import { createHash } from 'node:crypto';
import { optionId } from '../core/model/ids.ts';
import { flagOf, isRecord, recordOf } from '../core/model/json.ts';
import {
  type Choice,
  isChoice,
  type OptionValue,
} from '../core/model/value.ts';
import { encodeOptions, singleDocument } from './encode.ts';
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
  const changed: Option[] = [];
  for (const item of items) {
    const option = optionOf(after, item);
    if (option !== undefined) changed.push(option);
  }
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
  return singleDocument(call, after);
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

/** The attributes that can change, with their types. */
const UPDATABLE = new Map([
  ['autosubscribe', 'boolean'],
  ['name', 'string'],
  ['acronym', 'string'],
]);

/** The attributes to set. The body repeats the id and may repeat the type. */
function decodeAttributes(integrationId: string, body: unknown): Attributes {
  const { data } = recordOf(body);
  if (!isItem(data)) {
    const detail = '`data` must be an object with id and attributes.';
    throw new Refusal(400, detail, { pointer: '/data' });
  }
  const { id, type = 'integrations', attributes } = data;
  if (id !== integrationId) {
    const pointer = '/data/id';
    throw new Refusal(409, '`id` is not the id in the address.', { pointer });
  }
  if (type !== 'integrations' && type !== 'integration') {
    const pointer = '/data/type';
    throw new Refusal(409, '`type` must be integrations.', { pointer });
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (UPDATABLE.get(name) === typeof value) continue;
    const detail = `${name} cannot be changed, or not to this value.`;
    const pointer = `/data/attributes/${escapePointer(name)}`;
    throw new Refusal(422, detail, { pointer });
  }
  return attributes as Attributes;
}

/** Escapes a part of a JSON pointer. */
function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A resource in the body of a PATCH. */
interface Item {
  readonly id: string;
  readonly type?: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
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
  readonly id: string;
  /** The value is not validated yet. */
  readonly attributes: Partial<OptionFlags> & { readonly value?: unknown };
}

/** Decodes the body of section 4.7, or refuses it. */
function decodeOptionItems(body: unknown): readonly OptionItem[] {
  const { data } = recordOf(body);
  if (!Array.isArray(data) || data.length === 0) {
    const detail = '`data` must be a list of options.';
    throw new Refusal(400, detail, { pointer: '/data' });
  }
  const items = new Map<string, OptionItem>();
  for (const [index, item] of data.entries()) {
    if (!isOptionItem(item)) {
      const detail =
        'An option must have an id, the type integration-options, and attributes.';
      throw new Refusal(400, detail, { pointer: `/data/${index}` });
    }
    items.set(item.id, item);
  }
  if (items.size < data.length) {
    const detail = 'The request contains an option twice.';
    throw new Refusal(400, detail, { pointer: '/data' });
  }
  return [...items.values()];
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

/** The one integration that has all of the options. */
function ownerOf(
  integrations: readonly Integration[],
  items: readonly OptionItem[],
): Integration {
  const [owner, secondOwner] = integrations.filter((integration) =>
    items.every((item) => optionOf(integration, item) !== undefined),
  );
  if (secondOwner !== undefined) {
    throw new Refusal(409, 'Several integrations have an option with this id.');
  }
  if (owner !== undefined) return owner;
  const isKnown = items.every((item) =>
    integrations.some((integration) => optionOf(integration, item)),
  );
  if (!isKnown) {
    throw new Refusal(404, 'There is no such option.', { pointer: '/data' });
  }
  throw new Refusal(
    422,
    'All options of a request must belong to one integration.',
  );
}

/** Finds an option by its whole id, since either part may hold dashes. */
function optionOf(
  integration: Integration,
  item: OptionItem,
): Option | undefined {
  return integration.options.find((option) => {
    return optionId(integration.id, option.key) === item.id;
  });
}

/** The integration after the change; refused with all problems at once. */
function withOptions(
  integration: Integration,
  items: readonly OptionItem[],
): Integration {
  const problems: Problem[] = [];
  const changed = new Map<string, Option>();
  for (const [index, item] of items.entries()) {
    const option = optionOf(integration, item);
    if (option === undefined) continue;
    const refuse = (attribute: string, words: string) => {
      const pointer = `/data/${index}/attributes/${attribute}`;
      problems.push({ detail: `${option.key} ${words}`, source: { pointer } });
    };
    const { value: raw, ...flags } = item.attributes;
    const value = raw === undefined ? option.value : storedValue(option, raw);
    const after = { ...option, ...flags, value: value ?? option.value };
    const isInvalidPair = after['admin-only'] && after['user-can-edit'];
    if (isInvalidPair && Object.keys(flags).length > 0) {
      const words = 'cannot be for administrators only and editable by users';
      refuse('admin-only', words);
    }
    if (value === undefined) refuse('value', `must be ${formOf(option.type)}`);
    changed.set(option.key, after);
  }
  if (problems.length > 0) throw new Refusal(422, problems);
  const options = integration.options.map((option) => {
    return changed.get(option.key) ?? option;
  });
  return { ...integration, options };
}

/** The form of the values of a type, in words. */
function formOf(type: string): string {
  if (type === 'number') return 'a number';
  if (type === 'boolean') return 'true or false';
  if (type !== 'select') return 'a string';
  return 'one of the choices of the option, as an object with display and value';
}

/** A value as the service stores it; undefined if the option refuses it. */
function storedValue(option: Option, raw: unknown): OptionValue | undefined {
  if (option.type === 'boolean') return flagOf(raw);
  if (option.type === 'number') return storedNumber(raw);
  if (option.type === 'select') return storedSelect(option, raw);
  return typeof raw === 'string' || isFiniteNumber(raw) ? raw : undefined;
}

/** A number, or a text of one. */
function storedNumber(raw: unknown): number | undefined {
  const isText = /^-?\d{1,15}(\.\d{1,15})?$/.test(String(raw));
  return isText || isFiniteNumber(raw) ? Number(raw) : undefined;
}

function isFiniteNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw);
}

function storedSelect(option: Option, raw: unknown): OptionValue | undefined {
  if (option.multiple !== true) return storedChoice(option, raw);
  if (!Array.isArray(raw)) return undefined;
  const choices: Choice[] = [];
  for (const member of raw) {
    const choice = storedChoice(option, member);
    if (choice === undefined) return undefined;
    choices.push(choice);
  }
  return choices;
}

/** A choice of the list, if the option has one, and nothing else in it. */
function storedChoice(option: Option, raw: unknown): Choice | undefined {
  if (!isChoice(raw)) return undefined;
  const { display, value } = raw;
  const { options = [] } = option;
  const isListed = options.some((choice) => choice.value === value);
  return isListed || options.length === 0 ? { display, value } : undefined;
}
