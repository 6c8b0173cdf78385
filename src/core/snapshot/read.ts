import { isBareChoice } from '../live/traits.ts';
import { sortedKeys } from '../model/ids.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { present } from '../model/present.ts';
import { isSecretOption } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { type Choice, isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Snapshot, SnapshotIntegration, SnapshotOption } from './document.ts';

type Shown = Extract<SnapshotOption, { readonly permission: unknown }>;

/** What was installed when a snapshot was taken, as a server tells it. */
export function liveOf({ integrations }: Snapshot): readonly LiveIntegration[] {
  return integrations.map(liveIntegration);
}

function liveIntegration({ options, ...integration }: SnapshotIntegration): LiveIntegration {
  const shown = options.filter((each): each is Shown => each.permission !== undefined);
  return {
    ...integration,
    errorCount: 0,
    optionKeys: sortedKeys(options.map(({ key }) => key)),
    options: new Map(shown.map((each) => [each.key, liveOption(each)])),
    // They tell how to read on and how to write, and nobody does either here.
    traits: new Set(),
  };
}

function liveOption(option: Shown): LiveOption {
  const { key, type, title, description, multiple, choices = [], initial, permission } = option;
  const bareChoice = ('value' in option && isBareChoice(option.value, type)) || undefined;
  return {
    key,
    value: liveValue(option),
    permission,
    choices,
    ...present({ type, title, description, multiple, initial, bareChoice }),
  };
}

function liveValue(option: Shown): LiveValue {
  const { key, type } = option;
  if (option.unreadable !== undefined) return { kind: 'unreadable', reason: option.unreadable };
  if (option.secret !== undefined) {
    const isLikely = option.secret === 'likely' || undefined;
    return { kind: 'unreadable', reason: 'snapshot', ...present({ isLikely }) };
  }
  if (option.value === null) return { kind: 'empty' };
  const value = withDisplays(option.value);
  // Only an edited snapshot has one.
  return { kind: 'readable', value: isSecretOption(key, type) ? hide(value) : value };
}

/** A value as the service has it: a choice that was written by its value alone is shown by it. */
function withDisplays(value: OptionValue | readonly string[]): OptionValue {
  if (!isChoiceList<Choice | string>(value)) return value;
  return value.map((each) => (isChoice(each) ? each : { display: each, value: each }));
}
