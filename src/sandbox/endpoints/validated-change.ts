import { optionKey } from '../../core/model/ids.ts';
import { type PermissionFlags, permissionOf } from '../../core/model/permission.ts';
import { present } from '../../core/model/present.ts';
import type { Service } from '../service.ts';
import type { SandboxSettings } from '../settings.ts';
import {
  changed,
  currentValue,
  type IntegrationChange,
  type OptionChange,
  type StoredIntegration,
  type StoredOption,
} from '../state/integration-state.ts';
import { type Problem, type ProblemSource, pointer, Refusal } from '../wire/refusal.ts';
import type { OptionItem } from './option-items.ts';
import { fitValue, isEmpty } from './option-value.ts';

/** The change that one item of the request makes to its option, and the problems with it. */
interface Checked {
  readonly change: OptionChange;
  readonly problems: readonly Problem[];
}

/** The change that the items make. Refused, with all problems at once, where it is invalid for the integration. */
export function validatedChange(
  service: Service,
  integration: StoredIntegration,
  items: readonly OptionItem[],
): IntegrationChange {
  if (integration.attributes['status'] !== 'running')
    throw refused(service, [{ detail: 'Integration is not running' }]);
  const checked = items.map((item) => checkItem(service.settings, integration, item));
  const change = { id: integration.id, options: checked.map((each) => each.change) };
  const problems = [
    ...checked.flatMap((each) => each.problems),
    ...missingValues(service, changed(integration, change), items),
  ];
  if (problems.length > 0) throw refused(service, problems);
  return change;
}

/** The refusal of a change that is well formed but invalid. */
export function refused({ settings }: Service, problems: readonly Problem[]): Refusal {
  return new Refusal(Number(settings.refusalStatus), problems, {
    title: 'Failed to update integration options',
  });
}

function checkItem(settings: SandboxSettings, integration: StoredIntegration, item: OptionItem): Checked {
  const key = optionKey(integration.id, item.id) ?? '';
  const option = integration.options.get(key);
  if (option === undefined) throw new Error(`${integration.id} has no option ${key}`);
  const flags = flagsAfter(option, item);
  const value = Object.hasOwn(item.attributes, 'value')
    ? fitValue(option.spec, item.attributes.value, settings.selects)
    : undefined;
  return {
    change: { key, ...present({ flags, ...(value !== undefined && 'value' in value ? value : {}) }) },
    problems: [...valueProblems(settings, key, item, value), ...pairProblems(settings, key, item, flags)],
  };
}

/** Both flags after the change, a missing one as it was; undefined where both are missing. */
function flagsAfter({ flags }: StoredOption, { attributes }: OptionItem): PermissionFlags | undefined {
  const adminOnly = attributes['admin-only'];
  const userCanEdit = attributes['user-can-edit'];
  if (adminOnly === undefined && userCanEdit === undefined) return undefined;
  return { adminOnly: adminOnly ?? flags.adminOnly, userCanEdit: userCanEdit ?? flags.userCanEdit };
}

function valueProblems(
  settings: SandboxSettings,
  key: string,
  { index, attributes }: OptionItem,
  value: ReturnType<typeof fitValue> | undefined,
): Problem[] {
  if (value === undefined || 'value' in value) return [];
  const echo = settings.echo === 'value' ? `, not ${JSON.stringify(attributes.value)}` : '';
  return [{ detail: `${key} ${value.problem}${echo}`, ...sourceOf(settings, key, index, 'value') }];
}

function pairProblems(
  settings: SandboxSettings,
  key: string,
  { index }: OptionItem,
  flags: PermissionFlags | undefined,
): Problem[] {
  if (flags === undefined || settings.invalidPair === 'stored') return [];
  if (permissionOf(flags.adminOnly, flags.userCanEdit) !== 'invalid') return [];
  const detail = `${key} cannot be for administrators only and editable by users`;
  return [{ detail, ...sourceOf(settings, key, index, 'admin-only') }];
}

/** Required options that would be empty after the change, also those that are not in the request. */
function missingValues(service: Service, after: StoredIntegration, items: readonly OptionItem[]): Problem[] {
  const missing = [...after.options.values()].filter(
    (option) => isEmpty(currentValue(option)) && service.isRequired(after.id, option.spec.key),
  );
  return missing.map(({ spec }) => {
    const index = items.findIndex(({ id }) => optionKey(after.id, id) === spec.key);
    const detail = `${spec.key} must not be empty`;
    return { detail, ...sourceOf(service.settings, spec.key, index, 'value') };
  });
}

/** The place of a problem with an option; an option that is not in the request points at `/data`. */
function sourceOf(
  { pointer: form }: SandboxSettings,
  key: string,
  index: number,
  name: string,
): { source?: ProblemSource } {
  if (form === 'none') return {};
  if (form === 'key') return { source: { pointer: pointer('data', 'attributes', key) } };
  return { source: { pointer: index < 0 ? '/data' : pointer('data', index, 'attributes', name) } };
}
