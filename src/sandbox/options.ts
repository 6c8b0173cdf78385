import { optionKey } from '../core/model/ids.ts';
import { isRecord } from '../core/model/json.ts';
import { type Choice, isChoice, type OptionValue } from '../core/model/value.ts';
import { withRaisedError } from './errors.ts';
import { pointer, Refusal, refusal } from './refusal.ts';
import { encodeOption } from './resources.ts';
import type { Route, Service } from './service.ts';
import type { Integration, Option } from './state.ts';

/** Section 4.7: changes values and flags of options of one integration, all or nothing. */
export const OPTION_ROUTE: Route = {
  ...{ method: 'PATCH', path: '/api/integration-options', access: 'manager' },
  run: async (service, { user, body }) => {
    const items = decodeOptionItems(body);
    const integration = ownerOf(service, items);
    if (integration.attributes['status'] !== 'running') throw refusal(422, 'Integration is not running');
    const after = await service.store.change(integration, (before) =>
      withRaisedError(service, changed(before, items), user),
    );
    const options = items.flatMap((item) => optionOf(after, item) ?? []);
    return { data: options.map((option) => encodeOption(after.id, option, service.settings.passwords)) };
  },
};

/** The one integration that has all of the options. Compares whole ids, since either part may hold dashes. */
function ownerOf({ store }: Service, items: readonly OptionItem[]): Integration {
  const all = store.integrations;
  const [owner, ...others] = all.filter((each) => items.every((item) => optionOf(each, item) !== undefined));
  if (others.length > 0) throw refusal(409, 'Several integrations have an option with this id.');
  if (owner !== undefined) return owner;
  const isKnown = items.every((item) => all.some((each) => optionOf(each, item) !== undefined));
  if (isKnown) throw refusal(422, 'All options of a request must belong to one integration.');
  throw refusal(404, 'There is no such option.', { pointer: '/data' });
}

function optionOf({ id, options }: Integration, item: OptionItem): Option | undefined {
  const key = optionKey(id, item.id);
  return key === undefined ? undefined : options.get(key);
}

/** The integration after the change. Refused, with all problems at once, if a value or a pair of flags is invalid. */
function changed(integration: Integration, items: readonly OptionItem[]): Integration {
  const options = new Map(integration.options);
  const problems = items.flatMap((item, index) => {
    const option = optionOf(integration, item);
    if (option === undefined) return [];
    const { after, wrong } = changedOption(option, item);
    options.set(after.key, after);
    return wrong.map(([name, detail]) => ({
      detail: `${option.key} ${detail}`,
      source: { pointer: pointer('data', index, 'attributes', name) },
    }));
  });
  if (problems.length > 0) throw new Refusal(422, problems);
  return { ...integration, options };
}

/** One option after the change, and what is wrong with its attributes; a missing flag stays as it is. */
function changedOption(option: Option, { attributes }: OptionItem) {
  const { 'admin-only': adminOnly = option.adminOnly, 'user-can-edit': userCanEdit = option.userCanEdit } =
    attributes;
  const setsFlags = 'admin-only' in attributes || 'user-can-edit' in attributes;
  const fit = 'value' in attributes ? fitValue(option, attributes.value) : option;
  const wrong: [name: string, detail: string][] = [];
  if (setsFlags && adminOnly && userCanEdit)
    wrong.push(['admin-only', 'cannot be for administrators only and editable by users']);
  if ('problem' in fit) wrong.push(['value', fit.problem]);
  const value = 'value' in fit ? fit.value : option.value;
  return { after: { ...option, value, adminOnly, userCanEdit }, wrong };
}

/** One item of the body of PATCH /api/integration-options; its option may not exist. */
interface OptionItem {
  readonly id: string;
  /** The attributes in the request; `value` is not validated yet. */
  readonly attributes: {
    readonly value?: unknown;
    readonly 'admin-only'?: boolean;
    readonly 'user-can-edit'?: boolean;
  };
}

/** Decodes the body of section 4.7; refuses a malformed one: 400. */
function decodeOptionItems(body: unknown): readonly OptionItem[] {
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

function problemsOf(item: unknown, index: number) {
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

/** A value as the store keeps it, or why it does not fit the option. */
type Fit = { readonly value: OptionValue } | { readonly problem: string };

type Spec = Pick<Option, 'type' | 'choices' | 'multiple'>;

/**
 * Checks a value against the type of an option, as integrations do. Numbers and booleans may be texts; a select must be
 * one of its choices, unless the integration fills those in at run time.
 */
function fitValue(option: Spec, raw: unknown): Fit {
  switch (option.type) {
    case 'number':
      return fitNumber(raw);
    case 'boolean':
      return /^(true|false)$/.test(String(raw))
        ? { value: String(raw) === 'true' }
        : { problem: 'must be true or false' };
    case 'select':
      return option.multiple ? fitList(option, raw) : fitChoice(option, raw);
    default:
      return typeof raw === 'string' || isFiniteNumber(raw)
        ? { value: raw }
        : { problem: 'must be a string' };
  }
}

function fitNumber(raw: unknown): Fit {
  const isText = typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw);
  return isFiniteNumber(raw) || isText ? { value: Number(raw) } : { problem: 'must be a number' };
}

/** JSON can write numbers that overflow to infinity. */
function isFiniteNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw);
}

function fitList(option: Spec, raw: unknown): Fit {
  const fits = Array.isArray(raw)
    ? raw.map((item) => fitChoice(option, item))
    : [fitChoice(option, undefined)];
  const misfit = fits.find((each) => 'problem' in each);
  return misfit ?? { value: fits.flatMap((each) => ('value' in each ? each.value : [])) };
}

function fitChoice(
  { choices }: Spec,
  raw: unknown,
): { readonly value: Choice } | { readonly problem: string } {
  if (!isChoice(raw)) return { problem: 'must be an object with display and value' };
  const isOffered = choices.length === 0 || choices.some(({ value }) => value === raw.value);
  return isOffered
    ? { value: { display: raw.display, value: raw.value } }
    : { problem: 'must be one of the choices of the option' };
}
