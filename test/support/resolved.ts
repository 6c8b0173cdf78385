import { setterIn } from '../../src/core/config/declaration.ts';
import { aboutOption } from '../../src/core/config/entry.ts';
import {
  type ResolvedEntry,
  resolvedIn,
} from '../../src/core/config/resolve.ts';
import type { Setting, Want } from '../../src/core/model/desired.ts';
import { reveal } from '../../src/core/model/secret.ts';
import type { OptionValue } from '../../src/core/model/value.ts';

/** The value of an option of an entry, with its references. */
export function valueIn(entry: ResolvedEntry | undefined, option: string) {
  if (entry === undefined) return undefined;
  const setter = setterIn(aboutOption(entry, option), 'value');
  const resolved = setter && resolvedIn(entry, setter);
  if (resolved === undefined) return undefined;
  const { wanted, findings } = resolved;
  const isFromOutside = wanted !== undefined && wanted.want.kind !== 'literal';
  return { ...wanted, isFromOutside, findings };
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
