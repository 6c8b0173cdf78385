import { optionId } from '../core/model/ids.ts';
import type { OptionValue } from '../core/model/value.ts';
import type { PasswordForm, Service, User } from './service.ts';
import type { Integration, Option, RaisedError } from './store.ts';

/** The id and the type by which a resource is referred to. */
interface Identity {
  readonly type: string;
  readonly id: string;
}

/** An option with its attributes. */
interface OptionResource extends Identity {
  readonly attributes: Option;
}

/** An integration, and the options that stand in `included`. */
interface EncodedIntegration {
  readonly data: Identity;
  readonly included: readonly OptionResource[];
}

/** Where the attributes of options are, by the dialect. */
const PLACES = {
  included: { list: 'included', single: 'included' },
  inline: { list: 'inline', single: 'inline' },
  detail: { list: 'nowhere', single: 'included' },
  options: { list: 'nowhere', single: 'nowhere' },
} as const;

/** An integration as this user may see it, in a list or alone: section 2.2. */
export function encodeIntegration(
  service: Service,
  user: User,
  integration: Integration,
  document: 'list' | 'single',
): EncodedIntegration {
  const { id, attributes } = integration;
  const place = PLACES[service.dialect][document];
  const options = visibleOptions(user, integration);
  const identities = options.map((option) => optionIdentity(id, option));
  const shown = place === 'nowhere' ? [] : options;
  const resources = encodeOptions(service, id, shown);
  const data = {
    type: 'integrations',
    id,
    attributes,
    links: { self: `/api/integrations/${encodeURIComponent(id)}` },
    relationships: {
      'integration-errors': relatedErrors(user, integration),
      'integration-options': {
        data: place === 'inline' ? resources : identities,
        links: { self: relatedPath('integration-options', id) },
      },
    },
  };
  return { data, included: place === 'included' ? resources : [] };
}

/** The errors of an integration, and for managers the link to them. */
function relatedErrors(user: User, integration: Integration): object {
  const data: Identity[] = [];
  for (const { type, id } of visibleErrors(user, integration)) {
    data.push({ type, id });
  }
  if (user.role === 'user') return { data };
  const self = relatedPath('integration-errors', integration.id);
  return { data, links: { self } };
}

function relatedPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}

/** The errors of an integration that a user may see. */
export function visibleErrors(
  user: User,
  integration: Integration,
): readonly RaisedError[] {
  return user.role === 'user' ? [] : integration.errors;
}

function visibleOptions(
  user: User,
  integration: Integration,
): readonly Option[] {
  const { options } = integration;
  if (user.role !== 'user') return options;
  return options.filter((option) => !option['admin-only']);
}

/** The options behind the link of an integration: section 2.2. */
export function encodeLinkedOptions(
  service: Service,
  user: User,
  integration: Integration,
): readonly Identity[] {
  const { id } = integration;
  const options = visibleOptions(user, integration);
  // Then the attributes come with the integration alone.
  if (service.dialect === 'detail') {
    return options.map((option) => optionIdentity(id, option));
  }
  return encodeOptions(service, id, options);
}

/** Options of an integration with their attributes: section 2.4. */
export function encodeOptions(
  service: Service,
  integrationId: string,
  options: readonly Option[],
): readonly OptionResource[] {
  return options.map((option) => {
    return encodeOption(integrationId, option, service.passwords);
  });
}

function encodeOption(
  integrationId: string,
  option: Option,
  passwords: PasswordForm,
): OptionResource {
  const isPassword = option.type === 'password';
  const value = isPassword
    ? shownPassword(option.value, passwords)
    : option.value;
  const attributes = { ...option, value };
  return { ...optionIdentity(integrationId, option), attributes };
}

function shownPassword(
  value: OptionValue,
  passwords: PasswordForm,
): OptionValue {
  if (passwords === 'clear' || value === '') return value;
  return passwords === 'masked' ? '********' : '';
}

function optionIdentity(integrationId: string, option: Option): Identity {
  return {
    type: 'integration-options',
    id: optionId(integrationId, option.key),
  };
}
