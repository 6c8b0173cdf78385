import { optionId } from '../../core/model/ids.ts';
import { isChoiceList, type OptionValue } from '../../core/model/value.ts';
import type { SandboxSettings } from '../settings.ts';
import {
  currentValue,
  type StoredError,
  type StoredIntegration,
  type StoredOption,
} from '../state/integration-state.ts';

/** The type names of the resources: sections 2.2 to 2.4. */
export const INTEGRATIONS = 'integrations';
const ERRORS = 'integration-errors';
export const OPTIONS = 'integration-options';

/** The names that a PATCH may give a type: as above, in the singular, or both. */
export function acceptedTypes(plural: string, { acceptType }: SandboxSettings): readonly string[] {
  const singular = plural.replace(/s$/, '');
  return { both: [plural, singular], plural: [plural], singular: [singular] }[acceptType];
}

/** A resource object; with type and id alone, its identity. */
export interface ResourceObject {
  readonly type: string;
  readonly id: string;
  readonly attributes?: object;
  readonly links?: object;
  readonly relationships?: object;
}

function integrationPath(id: string): string {
  return `/api/integrations/${encodeURIComponent(id)}`;
}

/** What the relationships of an integration hold. */
interface Linked {
  readonly options: readonly ResourceObject[];
  readonly errors: readonly ResourceObject[];
  /** Whether the reader may follow the link to the errors. */
  readonly hasErrorsLink: boolean;
}

/** The integration with its relationships: section 2.2. */
export function encodeIntegration(
  { id, attributes }: StoredIntegration,
  linked: Linked,
  settings: SandboxSettings,
): ResourceObject {
  return {
    type: INTEGRATIONS,
    id,
    attributes: settings.attributeNames === 'camel' ? inCamelCase(attributes) : attributes,
    links: { self: integrationPath(id) },
    relationships: {
      [ERRORS]: {
        data: linked.errors,
        ...(linked.hasErrorsLink ? { links: { self: filteredPath(ERRORS, id) } } : {}),
      },
      [OPTIONS]: { data: linked.options, links: { self: filteredPath(OPTIONS, id) } },
    },
  };
}

/** An integration error as a resource: section 2.3. */
export function encodeError(integrationId: string, error: StoredError): ResourceObject {
  const { id, code, title, detail, count, status, lastSeen, affectedUsers } = error;
  const path = `/api/integration/${encodeURIComponent(integrationId)}/errors/${encodeURIComponent(id)}`;
  return {
    type: ERRORS,
    id,
    attributes: {
      code,
      title,
      detail,
      'error-count': count,
      'integration-id': integrationId,
      meta: { response: { status }, affected_users: usersById(affectedUsers) },
      'occurred-on': new Date(lastSeen).toISOString().replace('T', ' ').replace('Z', '000Z'),
      status,
    },
    links: { self: path },
    relationships: { integration: { data: { type: INTEGRATIONS, id: integrationId } } },
  };
}

/** Section 2.3 calls it an object of one or more users; so each is under its id. */
function usersById(users: StoredError['affectedUsers']): object {
  return Object.fromEntries(users.map((user) => [user.id, user]));
}

/** An integration error by its type and id alone. */
export function errorIdentity({ id }: StoredError): ResourceObject {
  return { type: ERRORS, id };
}

/** An option with its attributes: section 2.4. The settings decide how its value reads, unless it has none here. */
export function encodeOption(
  integrationId: string,
  option: StoredOption,
  settings: SandboxSettings,
  hasValue = true,
): ResourceObject {
  const { key, name, description, type, choices, multiple } = option.spec;
  return {
    type: OPTIONS,
    id: optionId(integrationId, key),
    attributes: {
      key,
      name,
      description,
      type,
      ...(hasValue ? servedValue(option, settings) : {}),
      ...(settings.flags === 'served'
        ? { 'admin-only': option.flags.adminOnly, 'user-can-edit': option.flags.userCanEdit }
        : {}),
      ...(type === 'select' ? { options: choices, multiple } : {}),
    },
  };
}

/** An option by its type and id alone. */
export function optionIdentity(integrationId: string, { spec }: StoredOption): ResourceObject {
  return { type: OPTIONS, id: optionId(integrationId, spec.key) };
}

/** Replaces a password that has a value, where passwords are masked. */
const MASK = '********';

/** How each answer shows a password. */
const PASSWORDS: Record<SandboxSettings['passwords'], (value: WireValue) => { value?: WireValue | null }> = {
  clear: (value) => ({ value }),
  masked: (value) => ({ value: value === '' ? '' : MASK }),
  null: () => ({ value: null }),
  absent: () => ({}),
  empty: () => ({ value: '' }),
};

function servedValue(option: StoredOption, settings: SandboxSettings): { value?: WireValue | null } {
  if (option.value === undefined && settings.unsetValues === 'absent') return {};
  const value = wireForm(currentValue(option), settings);
  return option.spec.type === 'password' ? PASSWORDS[settings.passwords](value) : { value };
}

/** A value as it is served: selects may be texts. */
type WireValue = OptionValue | readonly string[];

function wireForm(value: OptionValue, { store, selects }: SandboxSettings): WireValue {
  if (typeof value !== 'object') return store === 'strings' ? String(value) : value;
  if (selects === 'objects') return value;
  return isChoiceList(value) ? value.map((choice) => choice.value) : value.value;
}

function filteredPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}

function inCamelCase(attributes: object): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
