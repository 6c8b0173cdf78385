import { literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { WrittenField } from './entry.ts';
import type { MergedConfig, MergedEntry } from './layers.ts';
import { outsideReferences, type ResolvedValue, resolveValues } from './resolve.ts';

/**
 * The managed values as far as the configuration alone tells them. A value that needs the environment or a file is marked
 * `unread`: it is there, but nothing is known of it. Finds named values that are missing or go in a circle.
 */
export function resolveOffline(config: MergedConfig) {
  const outside = outsideReferences(config);
  const unread = (kind: 'env' | 'file') =>
    new Map(outside.flatMap((each) => (each.kind === kind ? [[each.name, { text: '' }] as const] : [])));
  const { value, diagnostics } = resolveValues(config, { env: unread('env'), file: unread('file') });
  // Only what came from the environment or a file is sensitive at this point.
  const marked = [...value].map(([field, found]): [WrittenField, ResolvedValue] => [
    field,
    found.sensitive ? { ...found, unread: true } : found,
  ]);
  return { value: new Map(marked) as ReadonlyMap<WrittenField, ResolvedValue>, diagnostics };
}

/** The exact ids that entries name, without a wildcard. */
export function namedIds(config: MergedConfig): string[] {
  return config.entries.map(idSelector).filter((id) => baseOfId(id) !== id && literalStart(id) === id);
}

function idSelector(entry: MergedEntry): string {
  const selector = entry.fields.get('match')?.value ?? entry.name;
  return typeof selector === 'string' ? selector : String(Object(selector).id ?? '');
}
