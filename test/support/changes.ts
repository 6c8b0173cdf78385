import type {
  OptionSettings,
  PermissionSetting,
  Settings,
  ValueSetting,
} from '../../src/core/model/desired.ts';
import type {
  LivePermission,
  Permission,
} from '../../src/core/model/permission.ts';
import type { Place } from '../../src/core/model/place.ts';
import {
  flagSide,
  type LiveSide,
  secretSide,
  shownSide,
} from '../../src/core/model/side.ts';
import { addressOf } from '../../src/core/model/subject.ts';
import type { OptionValue } from '../../src/core/model/value.ts';
import type { Comparison } from '../../src/core/plan/compare.ts';
import { type Change, NOTHING } from '../../src/core/plan/plan.ts';

/** A place in a line of the YAML. */
export function at(line: number): Place {
  return { file: 'a.yaml', line, column: 1 };
}

/** A change that nobody asks anything about. */
export function changeOfField(comparison: Comparison): Change {
  return { comparison, label: 'change', risks: [] };
}

/** The addresses of fields of a plan. */
export function addressesOf(
  fields: readonly { readonly comparison?: Comparison | undefined }[],
): string[] {
  return fields.map(({ comparison }) =>
    comparison === undefined ? '' : addressOf(comparison.subject),
  );
}

/** A value of an option of `vt` that differs, asked for in a line of the YAML. */
export function comparedValue(
  option: string,
  after: OptionValue = 'new',
  before: LiveSide = shownSide('old'),
  line = 1,
): Comparison {
  const want = { kind: 'literal', value: after } as const;
  const setting: ValueSetting = { kind: 'value', want, place: at(line) };
  return {
    subject: { kind: 'value', integration: 'vt', option },
    setting,
    before,
    after: shownSide(after),
    state: before.kind === 'hidden' ? 'hidden' : 'differs',
    isSecret: false,
  };
}

/** The same of a secret. */
export function comparedSecret(
  option: string,
  after = 'new',
  before: LiveSide = secretSide('old'),
  line = 1,
): Comparison {
  const compared = comparedValue(option, after, before, line);
  return { ...compared, after: secretSide(after), isSecret: true };
}

/** A change of the value of an option of `vt`, asked for in a line of the YAML. */
export function valueChange(option: string, line = 1): Change {
  return changeOfField(comparedValue(option, 'new', shownSide('old'), line));
}

/** A change of a permission of `vt`. */
export function permissionChange(
  option: string,
  before: LivePermission,
  after: Permission,
  line = 1,
): Change {
  const place = at(line);
  const setting: PermissionSetting = { kind: 'permission', want: after, place };
  return changeOfField({
    subject: { kind: 'permission', integration: 'vt', option },
    setting,
    before: flagSide(before),
    after: flagSide(after),
    state: before === 'unknown' ? 'hidden' : 'differs',
    isSecret: false,
  });
}

/** All users of `vt` are subscribed, or are no longer. */
export function subscribingChange(line = 1, want = true): Change {
  return changeOfField({
    subject: { kind: 'autosubscribe', integration: 'vt' },
    setting: { kind: 'autosubscribe', want, place: at(line) },
    before: flagSide(!want),
    after: flagSide(want),
    state: 'differs',
    isSecret: false,
  });
}

/** What a configuration asks that leads to these changes. */
export function settingsFor(changes: readonly Change[]): Settings {
  let settings: Settings = NOTHING.settings;
  for (const { comparison } of changes) {
    const { subject, setting, isSecret } = comparison;
    if (setting.kind === 'autosubscribe') {
      settings = { ...settings, autosubscribe: setting };
    }
    if (subject.kind === 'autosubscribe') continue;
    const { option } = subject;
    const known: OptionSettings = settings.options.get(option) ?? {
      option,
      keyPlace: setting.place,
      isDefault: false,
      secrecy: { mark: isSecret || undefined },
    };
    const asked = { ...known, [setting.kind]: setting };
    const options = new Map(settings.options).set(option, asked);
    settings = { ...settings, options };
  }
  return settings;
}
