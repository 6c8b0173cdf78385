import { createHash } from 'node:crypto';
import { optionId } from '../core/model/ids.ts';
import { flagOf, isRecord } from '../core/model/json.ts';
import { isChoice, type OptionValue } from '../core/model/value.ts';
import { Refusal } from './refusal.ts';
import type { Service, User } from './service.ts';
import type { Integration, Option } from './store.ts';

/** Section 4.7: changes options of one integration, all or nothing. */
export async function changeOptions(
  service: Service,
  user: User,
  body: unknown,
) {
  const items = decodeOptionItems(body);
  const owner = ownerOf(service, items);
  if (owner.attributes['status'] !== 'running')
    throw new Refusal(422, 'Integration is not running');
  const after = await change(service, user, owner, (before) =>
    withOptions(before, items),
  );
  return {
    id: after.id,
    changed: items.flatMap((item) => optionOf(after, item) ?? []),
  };
}

/** Section 4.8: changes attributes of an integration. */
export function changeAttributes(
  service: Service,
  user: User,
  integration: Integration,
  body: unknown,
): Promise<Integration> {
  const attributes = decodeAttributes(integration.id, body);
  return change(service, user, integration, (before) => ({
    ...before,
    attributes: { ...before.attributes, ...attributes },
  }));
}

/** Changes an integration, which then reports an error if it is to: new the first time, then counted up. */
function change(
  { store, raiseErrors = false, now }: Service,
  user: User,
  integration: Integration,
  made: (before: Integration) => Integration,
): Promise<Integration> {
  return store.change(integration, (before) => {
    const after = made(before);
    return raiseErrors
      ? { ...after, errors: [raisedError(before, user, now())] }
      : after;
  });
}

/** Section 2.3. */
function raisedError(
  { id: integrationId, errors: [previous] }: Integration,
  user: User,
  now: number,
) {
  const id = createHash('sha256')
    .update(integrationId)
    .digest('hex')
    .slice(0, 24);
  const affected = { [user.id]: { id: user.id, username: user.username } };
  return {
    type: 'integration-errors',
    id,
    attributes: {
      code: 'lookup-failed',
      title: 'Lookup failed',
      detail:
        'The first lookup after a change of the configuration was refused by the remote service.',
      'error-count': (previous?.attributes['error-count'] ?? 0) + 1,
      'integration-id': integrationId,
      meta: { response: { status: 401 }, affected_users: affected },
      'occurred-on': new Date(now)
        .toISOString()
        .replace('T', ' ')
        .replace('Z', '000Z'),
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

/** The attributes that can change, with their types. */
const UPDATABLE = new Map([
  ['autosubscribe', 'boolean'],
  ['name', 'string'],
  ['acronym', 'string'],
]);

/** The attributes to set. The body repeats the id and may repeat the type; 409 if either differs. */
function decodeAttributes(
  integrationId: string,
  body: unknown,
): Integration['attributes'] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (
    !isRecord(data) ||
    typeof data['id'] !== 'string' ||
    !isRecord(data['attributes'])
  )
    throw new Refusal(400, '`data` must be an object with id and attributes.', {
      pointer: '/data',
    });
  const { id, type = 'integrations', attributes } = data;
  if (id !== integrationId)
    throw new Refusal(409, '`id` is not the id in the address.', {
      pointer: '/data/id',
    });
  if (type !== 'integrations' && type !== 'integration')
    throw new Refusal(409, '`type` must be integrations.', {
      pointer: '/data/type',
    });
  const [wrong] =
    Object.entries(attributes).find(
      ([name, value]) => UPDATABLE.get(name) !== typeof value,
    ) ?? [];
  if (wrong === undefined) return attributes as Integration['attributes'];
  const pointer = `/data/attributes/${wrong.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  throw new Refusal(422, `${wrong} cannot be changed, or not to this value.`, {
    pointer,
  });
}

/** One item of the body of PATCH /api/integration-options; its option may not exist. */
interface OptionItem {
  readonly id: string;
  /** The attributes in the request; `value` is not validated yet. */
  readonly attributes: Partial<Pick<Option, 'admin-only' | 'user-can-edit'>> & {
    readonly value?: unknown;
  };
}

/** Decodes the body of section 4.7; refuses a malformed one: 400. */
function decodeOptionItems(body: unknown): readonly OptionItem[] {
  const data: unknown = isRecord(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length === 0)
    throw new Refusal(400, '`data` must be a list of options.', {
      pointer: '/data',
    });
  const items = data.filter(isItem);
  if (items.length < data.length) {
    const pointer = `/data/${data.findIndex((each) => !isItem(each))}`;
    throw new Refusal(
      400,
      'An option must have an id, the type integration-options, and attributes.',
      {
        pointer,
      },
    );
  }
  if (new Set(items.map(({ id }) => id)).size === items.length) return items;
  throw new Refusal(400, 'The request contains an option twice.', {
    pointer: '/data',
  });
}

function isItem(item: unknown): item is OptionItem {
  if (
    !isRecord(item) ||
    typeof item['id'] !== 'string' ||
    !isRecord(item['attributes'])
  )
    return false;
  const isAttribute = ([name, value]: readonly [string, unknown]) =>
    name === 'value' ||
    (/^(admin-only|user-can-edit)$/.test(name) && typeof value === 'boolean');
  return (
    /^integration-options?$/.test(String(item['type'])) &&
    Object.entries(item['attributes']).every(isAttribute)
  );
}

/** The one integration that has all of the options. Compares whole ids, since either part may hold dashes. */
function ownerOf(
  { store }: Service,
  items: readonly OptionItem[],
): Integration {
  const all = store.all();
  const [owner, ...others] = all.filter((each) =>
    items.every((item) => optionOf(each, item) !== undefined),
  );
  if (others.length > 0)
    throw new Refusal(409, 'Several integrations have an option with this id.');
  if (owner !== undefined) return owner;
  const isKnown = items.every((item) =>
    all.some((each) => optionOf(each, item) !== undefined),
  );
  if (isKnown)
    throw new Refusal(
      422,
      'All options of a request must belong to one integration.',
    );
  throw new Refusal(404, 'There is no such option.', { pointer: '/data' });
}

function optionOf(
  { id, options }: Integration,
  item: OptionItem,
): Option | undefined {
  return options.find(({ key }) => optionId(id, key) === item.id);
}

/** The integration after the change. Refused, with all problems at once, if a value or a pair of flags is invalid. */
function withOptions(
  integration: Integration,
  items: readonly OptionItem[],
): Integration {
  const problems: {
    readonly detail: string;
    readonly source: { readonly pointer: string };
  }[] = [];
  const changed = items.flatMap((item, index) => {
    const option = optionOf(integration, item);
    if (option === undefined) return [];
    const { value: raw, ...flags } = item.attributes;
    const value =
      'value' in item.attributes ? fitted(option, raw) : option.value;
    const after = { ...option, ...flags, value: value ?? option.value };
    const refuse = (name: string, detail: string) =>
      problems.push({
        detail: `${option.key} ${detail}`,
        source: { pointer: `/data/${index}/attributes/${name}` },
      });
    if (
      Object.keys(flags).length > 0 &&
      after['admin-only'] &&
      after['user-can-edit']
    )
      refuse(
        'admin-only',
        'cannot be for administrators only and editable by users',
      );
    if (value === undefined)
      refuse('value', `must be ${FORMS.get(option.type) ?? 'a string'}`);
    return [after];
  });
  if (problems.length > 0) throw new Refusal(422, problems);
  const byKey = new Map(changed.map((option) => [option.key, option]));
  return {
    ...integration,
    options: integration.options.map((each) => byKey.get(each.key) ?? each),
  };
}

/** The forms of values, by the types of options. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['number', 'a number'],
  ['boolean', 'true or false'],
  [
    'select',
    'one of the choices of the option, as an object with display and value',
  ],
]);

/** A value as the service stores it; undefined if the option does not take it. Numbers and booleans may be texts. */
function fitted(
  { type, multiple = false, options = [] }: Option,
  raw: unknown,
): OptionValue | undefined {
  const isNumber = typeof raw === 'number' && Number.isFinite(raw);
  if (type === 'boolean') return flagOf(raw);
  if (type === 'number')
    return isNumber || /^-?\d{1,15}(\.\d{1,15})?$/.test(String(raw))
      ? Number(raw)
      : undefined;
  if (type !== 'select')
    return typeof raw === 'string' || isNumber ? raw : undefined;
  if (Array.isArray(raw) !== multiple) return undefined;
  const given = Array.isArray(raw) ? raw : [raw];
  const chosen = given.flatMap((each) =>
    isChoice(each) &&
    (options.length === 0 || options.some(({ value }) => value === each.value))
      ? [{ display: each.display, value: each.value }]
      : [],
  );
  if (chosen.length < given.length) return undefined;
  return multiple ? chosen : chosen[0];
}
