import { optionId } from '../../core/model/ids.ts';
import type { User } from '../access/accounts.ts';
import type { Service } from '../service.ts';
import type { SandboxSettings } from '../settings.ts';
import type { StoredError, StoredIntegration, StoredOption } from '../state/integration-state.ts';
import {
  encodeIntegration,
  encodeOption,
  errorIdentity,
  optionIdentity,
  type ResourceObject,
} from './resources.ts';

/** Where a document about integrations has the attributes of their options. */
type Place = 'included' | 'inline' | 'nowhere';

/** Where each dialect serves options: with the list, with one integration, and by the link to the options of one. */
const PLACES: Record<
  SandboxSettings['dialect'],
  { readonly list: Place; readonly single: Place; readonly link: boolean }
> = {
  included: { list: 'included', single: 'included', link: true },
  inline: { list: 'inline', single: 'inline', link: true },
  detail: { list: 'nowhere', single: 'included', link: false },
  options: { list: 'nowhere', single: 'nowhere', link: true },
};

/** The resource of an integration, with what this user may see, and the options that go into `included`. */
export function encodeForReader(
  service: Service,
  user: User,
  integration: StoredIntegration,
  document: 'list' | 'single',
) {
  const place = PLACES[service.settings.dialect][document];
  const options = visibleOptions(service, user, integration);
  const split = options.map((option) => placeOption(service, integration.id, option, place, document));
  const linked = {
    options: split.map(({ link }) => link),
    errors: visibleErrors(service, user, integration).map(errorIdentity),
    hasErrorsLink: service.rights.mayManageIntegration(user, integration.id),
  };
  return {
    resource: encodeIntegration(integration, linked, service.settings),
    included: split.flatMap(({ included }) => included ?? []),
  };
}

/** The options behind the link of one integration; only their identities where the dialect has the attributes elsewhere. */
export function encodeLinkedOptions(
  service: Service,
  user: User,
  integration: StoredIntegration,
): ResourceObject[] {
  const { settings } = service;
  const { link } = PLACES[settings.dialect];
  const hasValue = settings.values === 'everywhere';
  return visibleOptions(service, user, integration).map((option) =>
    link ? encodeOption(integration.id, option, settings, hasValue) : optionIdentity(integration.id, option),
  );
}

/** The errors of an integration that this user may see: section 5.5. */
export function visibleErrors(
  { rights }: Service,
  user: User,
  { id, errors }: StoredIntegration,
): readonly StoredError[] {
  return errors.length > 0 && rights.mayManageIntegration(user, id) ? errors : [];
}

function visibleOptions(
  { rights }: Service,
  user: User,
  { options }: StoredIntegration,
): readonly StoredOption[] {
  const all = [...options.values()];
  return rights.seesHiddenOptions(user) ? all : all.filter(({ flags }) => !flags.adminOnly);
}

/** `included` cannot hold two options of one id, so those are inside the relationships of their integrations. */
function placeOption(
  { store, settings }: Service,
  integrationId: string,
  option: StoredOption,
  place: Place,
  document: 'list' | 'single',
): { readonly link: ResourceObject; readonly included?: ResourceObject } {
  const identity = optionIdentity(integrationId, option);
  if (place === 'nowhere') return { link: identity };
  const shared = store.owners(optionId(integrationId, option.spec.key)).length > 1;
  const resource = encodeOption(
    integrationId,
    option,
    settings,
    document === 'single' || settings.values === 'everywhere',
  );
  return place === 'inline' || shared ? { link: resource } : { link: identity, included: resource };
}
