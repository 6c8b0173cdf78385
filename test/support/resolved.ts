import { setterIn } from '../../src/core/config/declaration.ts';
import { aboutOption } from '../../src/core/config/entry.ts';
import {
  type ResolvedEntry,
  type ResolvedValue,
  resolvedIn,
} from '../../src/core/config/resolve.ts';
import type { Setting, Want } from '../../src/core/model/desired.ts';
import { reveal } from '../../src/core/model/secret.ts';
import type { OptionValue } from '../../src/core/model/value.ts';

/** The value of an option of an entry, with its references. */
export function valueIn(
  entry: ResolvedEntry | undefined,
  option: string,
): ResolvedValue | undefined {
  if (entry === undefined) return undefined;
  const setter = setterIn(aboutOption(entry, option), 'value');
  return setter && resolvedIn(entry, setter);
}

/** The text of a value: with its references as written if one was not read. */
export function contentOf(want: Want | undefined): OptionValue | undefined {
  if (want?.kind === 'resolved') return reveal(want.value);
  return want?.kind === 'unread' ? want.written : want?.value;
}

/** What is asked of a field, as a plain value. */
export function wantedContent(setting: Setting): OptionValue | undefined {
  return setting.kind === 'value' ? contentOf(setting.want) : setting.want;
}
