import type { Diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration, PermissionSetting, Setting, ValueSetting } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import type { LivePermission } from '../model/permission.ts';
import { fieldAddress } from '../model/place.ts';
import { diffAutosubscribe, diffPermission, diffValue, type FieldDiff, fieldOf } from './diff-field.ts';
import { unknownOption } from './known-option.ts';
import type { CannotTell, Change } from './plan.ts';

/** An integration, and what is asked of it. */
type Asked = Pick<DesiredIntegration, 'id' | 'name' | 'settings'>;

/** Why a difference is no change: a waiver, or it is not in the reviewed plan. */
type LeftAlone = 'waived' | 'unreviewed';

/** What becomes of differences. */
export interface DiffRules {
  /** Whether to write a field that the server does not show. */
  readonly writesHidden?: ((desired: Asked, setting: Setting) => boolean) | undefined;
  /** Why a field that differs is left as it is; undefined if it is to change. */
  readonly leavesAlone?: ((desired: Asked, setting: Setting) => LeftAlone | undefined) | undefined;
  /** Whether fields that are as desired are listed. */
  readonly keepsSame?: boolean | undefined;
  readonly suggestions?: Suggestions | undefined;
}

/** The managed fields of one integration, compared with the live ones. */
export interface IntegrationDiff {
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  /** Fields that are as desired, with the same on both sides; empty unless they are asked for. */
  readonly same: readonly Change[];
  readonly waived: readonly string[];
  readonly unreviewed: number;
  /** Whether the server shows a secret that is as desired. */
  readonly showsSecret: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares each managed field of one integration with the live one, in the order of its settings. */
export function diffIntegration(
  desired: Asked,
  live: LiveIntegration,
  rules: DiffRules = {},
): IntegrationDiff {
  const diff: Collected = {
    ...{ changes: [], cannotTell: [], same: [], waived: [], diagnostics: [] },
    ...{ unreviewed: 0, showsSecret: false },
  };
  const { suggestions = new Suggestions() } = rules;
  const comparison = {
    desired,
    live,
    rules,
    suggestions,
    permissions: new Map(),
    missing: new Set<string>(),
  };
  for (const setting of desired.settings) {
    const found = diffSetting(comparison, setting);
    if (found === undefined) continue;
    if ('problem' in found) diff.diagnostics.push(found.problem);
    else if ('cannotTell' in found) diff.cannotTell.push(found.cannotTell);
    else collect(diff, found, rules, found.isSame ? undefined : rules.leavesAlone?.(desired, setting));
    if (setting.field === 'permission') notePermission(comparison, setting, diff);
  }
  return diff;
}

/** A diff while it is made. */
interface Collected {
  readonly changes: Change[];
  readonly cannotTell: CannotTell[];
  readonly same: Change[];
  readonly waived: string[];
  readonly diagnostics: Diagnostic[];
  unreviewed: number;
  showsSecret: boolean;
}

function collect(
  diff: Collected,
  { change, isSame }: { readonly change: Change; readonly isSame: boolean },
  { keepsSame }: DiffRules,
  left: LeftAlone | undefined,
): void {
  if (isSame) diff.showsSecret ||= change.sensitive && change.before !== null;
  if (isSame && keepsSame) diff.same.push(change);
  if (isSame) return;
  if (left === undefined) diff.changes.push(change);
  else if (left === 'waived') diff.waived.push(change.address);
  else diff.unreviewed += 1;
}

/** Two sides of an integration, and what of its options was found so far. */
interface Comparison {
  readonly desired: Asked;
  readonly live: LiveIntegration;
  readonly rules: DiffRules;
  readonly suggestions: Suggestions;
  /**
   * The permissions that count for the risks of values, by option, if they are not the live ones: undefined if the permission
   * changes too and carries the risk; the desired one if the server shows none.
   */
  readonly permissions: Map<string, LivePermission | undefined>;
  /** The options that are found missing. */
  readonly missing: Set<string>;
}

/** Notes which permission counts for the value of an option, once its own field is found. */
function notePermission(
  { permissions }: Comparison,
  setting: PermissionSetting,
  { changes, cannotTell }: Collected,
): void {
  if (changes.at(-1)?.setting === setting) permissions.set(setting.option, undefined);
  if (cannotTell.at(-1)?.source === setting.place) permissions.set(setting.option, setting.want);
}

function diffSetting(comparison: Comparison, setting: Setting): FieldDiff | undefined {
  const { desired, live, rules } = comparison;
  const address = fieldAddress(desired.name, setting);
  const writes = () => rules.writesHidden?.(desired, setting) === true;
  if (setting.field === 'autosubscribe') return diffAutosubscribe(address, setting, live);
  const option = servedOption(setting.option, live);
  if (option === undefined) return missingOption(comparison, setting);
  const field = fieldOf(address, option, setting.secrecy, writes);
  if (setting.field === 'permission') return diffPermission(field, setting);
  const { permissions } = comparison;
  return diffValue(
    field,
    setting,
    permissions.has(option.key) ? permissions.get(option.key) : option.permission,
  );
}

/** The live option. If the server lists only its key, nothing else is known of it. */
function servedOption(key: string, { options, optionKeys }: LiveIntegration): LiveOption | undefined {
  const served = options.get(key);
  if (served !== undefined || !optionKeys.has(key)) return served;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** Finds an option that the integration does not have, once: its key is mistyped, unless only defaults ask for it. */
function missingOption(
  { desired, live, suggestions, missing }: Comparison,
  { option: key, keyPlace, isDefault }: PermissionSetting | ValueSetting,
): FieldDiff | undefined {
  if (isDefault || missing.has(key)) return undefined;
  missing.add(key);
  return { problem: unknownOption(key, keyPlace, live, suggestions, desired.name) };
}
