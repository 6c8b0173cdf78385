import type { Setting, ValueSetting } from '../../src/core/model/desired.ts';
import type { Permission } from '../../src/core/model/permission.ts';
import { reveal, type Secret } from '../../src/core/model/secret.ts';
import type { OptionValue } from '../../src/core/model/value.ts';
import type { Change } from '../../src/core/plan/plan.ts';

/** A place in a line of the YAML. */
export const at = (line: number) => ({ file: 'a.yaml', line, column: 1 });

const BASE = { label: 'change', risks: [] } as const;

const optionIn = (option: string, line: number) => ({
  option,
  place: at(line),
  keyPlace: at(line),
  secrecy: {},
});

/** What is asked of the value of an option. */
function valueSetting(
  option: string,
  want: OptionValue,
  line = 1,
): ValueSetting {
  return {
    ...optionIn(option, line),
    field: 'value',
    want,
    isFromOutside: false,
  };
}

/** A change of the value of an option of `vt`, asked for in a line of the YAML. */
export function valueChange(
  option: string,
  line = 1,
  [before, after]: readonly [OptionValue | null, OptionValue] = ['old', 'new'],
): Change {
  return {
    ...BASE,
    address: `vt.options.${option}.value`,
    setting: valueSetting(option, after, line),
    before,
    after,
  };
}

/** The same of a secret. */
export function secretChange(
  option: string,
  before: Secret<OptionValue> | null,
  after: Secret<OptionValue>,
  line = 1,
): Change {
  const setting = {
    ...valueSetting(option, reveal(after), line),
    secrecy: { mark: true },
  };
  const { address } = valueChange(option);
  return { ...BASE, address, setting, before, after };
}

/** A change of a permission of `vt`. */
export function permissionChange(
  option: string,
  before: Change['before'],
  after: Permission,
  line = 1,
): Change {
  const setting: Setting = {
    ...optionIn(option, line),
    field: 'permission',
    want: after,
  };
  const address = `vt.options.${option}.permission`;
  return { ...BASE, address, setting, before, after };
}

/** All users of `vt` are subscribed. */
export function subscribingChange(line = 1): Change {
  const setting: Setting = {
    place: at(line),
    field: 'autosubscribe',
    want: true,
  };
  const sides = { before: false, after: true } as const;
  return { ...BASE, address: 'vt.autosubscribe', setting, ...sides };
}
