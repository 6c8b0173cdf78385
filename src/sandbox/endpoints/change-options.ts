import { optionKey } from '../../core/model/ids.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { Integration, Option } from '../state/integration.ts';
import { type Problem, pointer, Refusal, refusal } from '../wire/refusal.ts';
import { encodeOption } from '../wire/resources.ts';
import { withRaisedError } from './integration-errors.ts';
import { decodeOptionItems, type OptionItem } from './option-items.ts';
import { fitValue } from './option-value.ts';

/** Section 4.7, PATCH /api/integration-options: values and flags of options of one integration, all or nothing. */
export async function changeOptions(service: Service, { user, body }: Call): Promise<Answer> {
  const items = decodeOptionItems(body);
  const integration = ownerOf(service, items);
  if (integration.attributes['status'] !== 'running') throw refusal(422, 'Integration is not running');
  const after = await service.store.change(integration, (before) =>
    withRaisedError(service, changed(before, items), user),
  );
  const { passwords } = service.settings;
  return {
    data: items
      .flatMap((item) => optionOf(after, item) ?? [])
      .map((option) => encodeOption(after.id, option, passwords)),
  };
}

/** The one integration that has all of the options. Compares whole ids, since either part may hold dashes. */
function ownerOf({ store }: Service, items: readonly OptionItem[]): Integration {
  const all = store.integrations;
  const [owner, ...others] = all.filter((each) => items.every((item) => optionOf(each, item) !== undefined));
  if (others.length > 0)
    throw refusal(409, 'Several integrations have an option with this id.', { pointer: '/data/0/id' });
  if (owner !== undefined) return owner;
  const problems = items.flatMap((item, index) =>
    all.some((each) => optionOf(each, item) !== undefined)
      ? []
      : { detail: 'There is no such option.', source: { pointer: pointer('data', index, 'id') } },
  );
  if (problems.length > 0) throw new Refusal(404, problems);
  throw refusal(422, 'All options of a request must belong to one integration.');
}

function optionOf({ id, options }: Integration, item: OptionItem): Option | undefined {
  const key = optionKey(id, item.id);
  return key === undefined ? undefined : options.get(key);
}

/** The integration after the change. Refused, with all problems at once, if a value or a pair of flags is invalid. */
function changed(integration: Integration, items: readonly OptionItem[]): Integration {
  const options = new Map(integration.options);
  const problems: Problem[] = [];
  for (const [index, item] of items.entries()) {
    const option = optionOf(integration, item);
    if (option === undefined) continue;
    const after = changedOption(option, item, (detail, name) =>
      problems.push({ detail, source: { pointer: pointer('data', index, 'attributes', name) } }),
    );
    options.set(option.key, after);
  }
  if (problems.length > 0) throw new Refusal(422, problems);
  return { ...integration, options };
}

/** One option after the change; a missing flag stays as it is. */
function changedOption(
  option: Option,
  { attributes }: OptionItem,
  report: (detail: string, name: string) => void,
): Option {
  const { 'admin-only': adminOnly = option.adminOnly, 'user-can-edit': userCanEdit = option.userCanEdit } =
    attributes;
  const setsFlags = 'admin-only' in attributes || 'user-can-edit' in attributes;
  if (setsFlags && adminOnly && userCanEdit)
    report(`${option.key} cannot be for administrators only and editable by users`, 'admin-only');
  const fit = 'value' in attributes ? fitValue(option, attributes.value) : option;
  if ('problem' in fit) report(`${option.key} ${fit.problem}`, 'value');
  const value = 'value' in fit ? fit.value : option.value;
  return { ...option, value, adminOnly, userCanEdit };
}
