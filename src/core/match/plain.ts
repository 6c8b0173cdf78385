import type { Entry } from '../config/entry.ts';
import { mayRefer, wholeReference } from '../config/template.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { WrittenValue } from '../model/value.ts';

/**
 * Whether an entry surely fits an integration: that has all options, takes
 * their values as they are written, and shows no password. False means that it
 * is to be checked in full.
 */
export function fitsPlainly(
  { declarations }: Entry,
  { options }: LiveIntegration,
): boolean {
  for (const { option: key, field, value } of declarations) {
    if (key === undefined) continue;
    const option = options.get(key);
    if (option === undefined || field === 'sensitive') return false;
    if (field === 'value' && !takesPlainly(option, value)) return false;
    const isShown = field === 'permission' && value === 'lock-and-show';
    if (isShown && option.type === 'password') return false;
  }
  return true;
}

function takesPlainly(
  { type, choices, multiple = false }: LiveOption,
  value: WrittenValue | null,
): boolean {
  if (value === null) return true;
  switch (type) {
    case 'text':
      return typeof value === 'string' && !mayRefer(value);
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'password':
      return (wholeReference(value)?.kind ?? 'value') !== 'value';
    case 'select':
      if (Array.isArray(value) !== multiple) return false;
      return [value]
        .flat()
        .every((member) => choices.some((choice) => choice.value === member));
    default:
      return false;
  }
}
