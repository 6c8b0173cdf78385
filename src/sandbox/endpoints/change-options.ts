import { optionKey } from '../../core/model/ids.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { StoredIntegration } from '../state/integration-state.ts';
import { pointer, Refusal, refusal } from '../wire/refusal.ts';
import { encodeOption } from '../wire/resources.ts';
import { requireManaged } from './integrations.ts';
import { decodeOptionItems, type OptionItem } from './option-items.ts';
import { raisedErrors } from './raised-error.ts';
import { refused, validatedChange } from './validated-change.ts';

/**
 * Section 4.7, PATCH /api/integration-options: values and flags of options of one integration, all or nothing. A missing
 * flag stays as it is, and the integration validates all of its options, not only those in the request.
 */
export async function changeOptions(service: Service, { user, body }: Call): Promise<Answer> {
  const items = decodeOptionItems(body, service.settings);
  const integration = ownerOf(service, items);
  requireManaged(service, user, integration.id);
  const change = validatedChange(service, integration, items);
  const after = await service.store.commit({ ...change, ...raisedErrors(service, integration, user) });
  return service.settings.patchAnswer === 'empty' ? { status: 204 } : changedAnswer(service, after, items);
}

/** The one integration that has all of the options. Looks up whole ids, since either part may hold dashes. */
function ownerOf(service: Service, items: readonly OptionItem[]): StoredIntegration {
  const { store } = service;
  const unknown = items.filter(({ id }) => store.owners(id).length === 0);
  if (unknown.length > 0) throw unknownOptions(unknown);
  const [first = [], ...others] = items.map(({ id }) => store.owners(id));
  const common = first.filter((id) => others.every((ids) => ids.includes(id)));
  const owner = store.find(common[0] ?? '');
  if (owner === undefined)
    throw refused(service, [{ detail: 'All options of a request must belong to one integration.' }]);
  if (common.length > 1)
    throw refusal(409, 'Several integrations have an option with this id.', { pointer: '/data/0/id' });
  return owner;
}

function unknownOptions(items: readonly OptionItem[]): Refusal {
  const problems = items.map(({ index }) => ({
    detail: 'There is no such option.',
    source: { pointer: pointer('data', index, 'id') },
  }));
  return new Refusal(404, problems);
}

function changedAnswer(
  { settings }: Service,
  { id, options }: StoredIntegration,
  items: readonly OptionItem[],
): Answer {
  const changed = items.flatMap((item) => options.get(optionKey(id, item.id) ?? '') ?? []);
  return { status: 200, document: { data: changed.map((option) => encodeOption(id, option, settings)) } };
}
