import { addressOf, declarationsOf } from '../config/declaration.ts';
import type { Entry } from '../config/entry.ts';
import type { LinkedConfig } from '../config/link.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { contentText, isSameField } from './checked-draft.ts';
import { fieldKey, type WantedField } from './editing.ts';
import type { ReadServer } from './placement.ts';
import { askedFields } from './reading.ts';

/** A finding of the fields that get another desired value beside those that are taken back; none where there are none. */
export function spreadFindings(
  before: readonly ReadServer[],
  after: readonly ReadServer[],
  taken: readonly WantedField[],
): Diagnostic[] {
  const own = new Set(taken.map(fieldKey));
  const now = new Map(after.map((each) => [each.server.name, each]));
  const fields = before.flatMap((was) => {
    const is = now.get(was.server.name);
    if (is === undefined) return [];
    const others = was.server.planned === undefined ? otherDeclared(was, is) : otherAsked(was, is, own);
    return others.map((address) => `${was.server.name}: ${address}`);
  });
  return fields.length === 0 ? [] : [diagnostic('accept-spreads', { fields })];
}

function otherAsked({ server, reading }: ReadServer, after: ReadServer, own: ReadonlySet<string>): string[] {
  const is = new Map(askedFields(server.name, after.reading).map(({ key, field }) => [key, field]));
  return askedFields(server.name, reading).flatMap(({ key, address, field }) => {
    const other = is.get(key);
    return own.has(key) || (other !== undefined && isSameField(field, other)) ? [] : [address];
  });
}

/** By the names of entries, since nobody knows what these match on a server that was not read. */
function otherDeclared({ reading }: ReadServer, after: ReadServer): string[] {
  const is = declaredTexts(after.reading.config);
  return [...declaredTexts(reading.config)].flatMap(([address, text]) =>
    is.get(address) === text ? [] : [address],
  );
}

function declaredTexts(config: LinkedConfig): Map<string, string | undefined> {
  return new Map(
    config.flatMap((entry) =>
      declarationsOf(entry).map(
        ({ path }) => [addressOf(entry.name, path), contentText(fieldAt(entry, path))] as const,
      ),
    ),
  );
}

function fieldAt(entry: Entry<unknown>, [part, key = '', name]: readonly string[]): unknown {
  if (part === 'autosubscribe') return entry.autosubscribe;
  const option = entry.options.get(key);
  return name === 'value' || name === 'permission' ? option?.[name] : option;
}
