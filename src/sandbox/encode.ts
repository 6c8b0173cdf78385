import { optionId } from '../core/model/ids.ts';
import type { OptionValue } from '../core/model/value.ts';
import type { Call, PasswordForm, Service, User } from './service.ts';
import type { Integration, Option } from './store.ts';

/** The id and the type by which a resource is referred to. */
interface Identity {
  type: string;
  id: string;
}

/** An option with its attributes. */
interface OptionResource extends Identity {
  attributes: Option;
}

/** The document of an integration, or its part of that of a list. */
interface EncodedIntegration {
  data: Identity;
  included: readonly OptionResource[];
}

/** Encodes an integration, for a list or alone: section 2.2. */
export function encodeIntegration(
  { service, user }: Call,
  integration: Integration,
  document: 'list' | 'single',
): EncodedIntegration {
  const { id, attributes, errors, options } = visibleTo(user, integration);
  const { dialect } = service;
  const isDetail = dialect === 'detail' && document === 'single';
  const resources = encodeOptions(service, id, options);
  const errorLinks = { links: { self: relatedPath('integration-errors', id) } };
  const data = {
    type: 'integrations',
    id,
    attributes,
    links: { self: `/api/integrations/${encodeURIComponent(id)}` },
    relationships: {
      'integration-errors': {
        data: errors.map(identityOf),
        ...(user.role === 'user' ? {} : errorLinks),
      },
      'integration-options': {
        data: dialect === 'inline' ? resources : resources.map(identityOf),
        links: { self: relatedPath('integration-options', id) },
      },
    },
  };
  const isIncluded = dialect === 'included' || isDetail;
  return { data, included: isIncluded ? resources : [] };
}

/** The part of an integration that a user may see: section 5. */
export function visibleTo(user: User, integration: Integration): Integration {
  if (user.role !== 'user') return integration;
  const options = integration.options.filter((option) => !option['admin-only']);
  return { ...integration, options, errors: [] };
}

function relatedPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}

/** Options of an integration with their attributes: section 2.4. */
export function encodeOptions(
  { passwords }: Service,
  integrationId: string,
  options: readonly Option[],
): readonly OptionResource[] {
  return options.map((option) => {
    const isPassword = option.type === 'password';
    const value = isPassword
      ? shownPassword(option.value, passwords)
      : option.value;
    return {
      type: 'integration-options',
      id: optionId(integrationId, option.key),
      attributes: { ...option, value },
    };
  });
}

function shownPassword(
  value: OptionValue,
  passwords: PasswordForm,
): OptionValue {
  if (passwords === 'clear' || value === '') return value;
  return passwords === 'masked' ? '********' : '';
}

export function identityOf({ type, id }: Identity): Identity {
  return { type, id };
}
