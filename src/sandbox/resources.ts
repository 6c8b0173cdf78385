import { optionId } from '../core/model/ids.ts';
import type { OptionValue } from '../core/model/value.ts';
import { mayManage, type Settings, type User } from './service.ts';
import type { Integration, Option } from './state.ts';

/** A resource object; with type and id alone, its identity. */
interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: object;
  readonly links?: object;
  readonly relationships?: object;
}

/** Where each dialect has the attributes of options: in a list, with one integration, and behind the link to them. */
const PLACES = {
  included: { list: 'included', single: 'included', link: true },
  inline: { list: 'inline', single: 'inline', link: true },
  detail: { list: 'nowhere', single: 'included', link: false },
  options: { list: 'nowhere', single: 'nowhere', link: true },
} as const;

/** The integration as this user may see it: section 2.2. */
export function encodeIntegration(
  { dialect, passwords }: Settings,
  user: User,
  integration: Integration,
  document: 'list' | 'single',
) {
  const { id, attributes } = integration;
  const place = PLACES[dialect][document];
  const visible = visibleOptions(user, integration);
  const full = place === 'nowhere' ? [] : visible.map((option) => encodeOption(id, option, passwords));
  const data = place === 'inline' ? full : visible.map((option) => optionIdentity(id, option));
  const errors = visibleErrors(user, integration).map((error) => ({
    type: 'integration-errors',
    id: error.id,
  }));
  const links = mayManage(user) ? { links: { self: relatedPath('integration-errors', id) } } : {};
  const resource = {
    type: 'integrations',
    id,
    attributes,
    links: { self: `/api/integrations/${encodeURIComponent(id)}` },
    relationships: {
      'integration-errors': { data: errors, ...links },
      'integration-options': { data, links: { self: relatedPath('integration-options', id) } },
    },
  };
  return { resource, included: place === 'included' ? full : [] };
}

/** The options behind the link of an integration; only their identities if the dialect has their attributes elsewhere. */
export function encodeLinkedOptions(
  { dialect, passwords }: Settings,
  user: User,
  integration: Integration,
): Resource[] {
  const encode = PLACES[dialect].link ? encodeOption : optionIdentity;
  return visibleOptions(user, integration).map((option) => encode(integration.id, option, passwords));
}

/** The errors of an integration that this user may see: section 5. */
export function visibleErrors(user: User, { errors }: Integration): Integration['errors'] {
  return mayManage(user) ? errors : [];
}

function visibleOptions(user: User, { options }: Integration): readonly Option[] {
  const all = [...options.values()];
  return mayManage(user) ? all : all.filter(({ adminOnly }) => !adminOnly);
}

/** An option with its attributes: section 2.4. */
export function encodeOption(
  integrationId: string,
  option: Option,
  passwords: Settings['passwords'],
): Resource {
  const { key, name, description, type, choices, multiple, adminOnly, userCanEdit } = option;
  return {
    ...optionIdentity(integrationId, option),
    attributes: {
      key,
      name,
      description,
      type,
      value: type === 'password' ? shownPassword(option.value, passwords) : option.value,
      'admin-only': adminOnly,
      'user-can-edit': userCanEdit,
      ...(type === 'select' ? { options: choices, multiple } : {}),
    },
  };
}

function shownPassword(value: OptionValue, passwords: Settings['passwords']): OptionValue {
  if (passwords === 'clear' || value === '') return value;
  return passwords === 'masked' ? '********' : '';
}

function optionIdentity(integrationId: string, { key }: Option): Resource {
  return { type: 'integration-options', id: optionId(integrationId, key) };
}

function relatedPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}
