import { isBareChoice } from '../live/traits.ts';
import { fieldAddress } from '../model/address.ts';
import { sortedKeys } from '../model/ids.ts';
import type { FingerprintLack, LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { present } from '../model/present.ts';
import { isSecretOption } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { type Choice, isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Snapshot, SnapshotIntegration, SnapshotOption } from './document.ts';

/** What the key of this run or of the snapshot lacks. */
type KeyLack = Exclude<FingerprintLack, 'length'> | undefined;

type Shown = Extract<SnapshotOption, { readonly permission: unknown }>;

/**
 * What was installed when a snapshot was taken, as a server tells it. `key` is that of the fingerprints of this run: those under
 * another key are left out, since they could not be compared.
 */
export function liveOf(
  { integrations, fingerprintKey }: Snapshot,
  key: string | undefined,
): readonly LiveIntegration[] {
  const isSame = key !== undefined && key === fingerprintKey;
  const lacks = fingerprintKey === undefined ? 'key' : isSame ? undefined : 'same-key';
  return integrations.map((each) => liveIntegration(each, lacks));
}

function liveIntegration({ options, ...integration }: SnapshotIntegration, lacks: KeyLack): LiveIntegration {
  const shown = options.filter((each): each is Shown => each.permission !== undefined);
  return {
    ...integration,
    errorCount: 0,
    optionKeys: sortedKeys(options.map(({ key }) => key)),
    options: new Map(shown.map((each) => [each.key, liveOption(integration.id, each, lacks)])),
    // They tell how to read on and how to write, and nobody does either here.
    traits: new Set(),
  };
}

function liveOption(id: string, option: Shown, lacks: KeyLack): LiveOption {
  const { key, type, title, description, multiple, choices = [], initial, permission } = option;
  const bareChoice = ('value' in option && isBareChoice(option.value, type)) || undefined;
  return {
    key,
    value: liveValue(id, option, lacks),
    permission,
    choices,
    ...present({ type, title, description, multiple, initial, bareChoice }),
  };
}

function liveValue(id: string, option: Shown, lacks: KeyLack): LiveValue {
  const { key, type } = option;
  if (option.unreadable !== undefined) return { kind: 'unreadable', reason: option.unreadable };
  if (option.secret !== undefined) {
    const { fingerprint: digest, secret } = option;
    const isLikely = secret === 'likely' || undefined;
    const kept = { kind: 'unreadable', reason: 'snapshot', ...present({ isLikely }) } as const;
    if (digest === undefined) return { ...kept, lacks: lacks === 'key' ? 'key' : 'length' };
    if (lacks !== undefined) return { ...kept, lacks };
    return { ...kept, fingerprint: { address: fieldAddress(id, { field: 'value', option: key }), digest } };
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
