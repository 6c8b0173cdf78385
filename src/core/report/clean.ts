import { FINDINGS } from '../findings/diagnostic.ts';
import { isRecord } from '../model/json.ts';
import { HIDDEN, isHidden } from '../model/secret.ts';
import { OUTCOMES } from '../plan/outcome.ts';
import { RISKS } from '../plan/risk.ts';
import type { Scrubber } from '../scrub/scrubber.ts';

declare const CLEAN: unique symbol;

/** Data whose texts hold no known secret: all that a format gets to see. */
export type Clean<T> = T & { readonly [CLEAN]: true };

/** Takes the known secrets out of every text in plain data, before it is cut, wrapped or escaped. */
export function cleaned<T>(data: T, scrubber: Scrubber): Clean<T> {
  const kind = isRecord(data) ? String(data['kind']) : '';
  const said = new Set([...SAID, ...(SAID_IN.get(kind) ?? [])]);
  const cleanFallback = (text: string) => (text.length < 4 ? HIDDEN : scrubber.clean(text));
  const cleanNew = (text: string, name: string) => {
    if (said.has(name)) return scrubber.said(text);
    if (name === 'reference') return scrubber.name(text).replace(FALLBACK, cleanFallback);
    return NAMES.has(name) ? scrubber.name(text) : scrubber.clean(text);
  };
  // Most texts of a large plan come again and again.
  const known = new Map<string, string>();
  const cleanText = (text: string, name: string) => {
    if (OWN_WORDS.has(text)) return text;
    const key = `${name} ${text}`;
    const made = known.get(key) ?? cleanNew(text, name);
    if (text.length <= LONGEST_KEPT) known.set(key, made);
    return made;
  };
  const clean = (value: unknown, name: string, isSchema: boolean): unknown => {
    if (typeof value === 'string') return cleanText(value, name);
    if (typeof value !== 'object' || value === null || isHidden(value)) return value;
    if (Array.isArray(value)) return value.map((each) => clean(each, name, isSchema));
    // The keys of a schema are those of foreign options; all others are our own.
    const inSchema = isSchema || name === 'schema';
    const entries = Object.entries(value).map(([key, each]) => [
      inSchema ? scrubber.clean(key) : key,
      // A server has its name from the configuration.
      clean(each, name === 'servers' ? `servers.${key}` : key, inSchema),
    ]);
    return Object.fromEntries(entries);
  };
  // Only texts change, and none of those that types and tables know.
  return clean(data, '', false) as Clean<T>;
}

/** Longer texts are cleaned each time they come. */
const LONGEST_KEPT = 128;

/**
 * Names, addresses and plain values: what a saved plan is compared by. That a word is in one of them tells nobody that it is a
 * secret elsewhere.
 */
const NAMES: ReadonlySet<string> = new Set([
  ...['name', 'id', 'url', 'only', 'server', 'servers.name', 'servers.url'],
  ...['address', 'option', 'before', 'after', 'display', 'value'],
]);

/** A fallback in a reference: that of a secret is one too, and of three characters too short to be found. */
const FALLBACK = /(?<=:-)[^}]+(?=\})/g;

/** The names of what a server said in its own words. Names and ids of integrations are not: people work with them. */
const SAID = ['detail', 'title', 'mediaType', 'status'];

/** The same in one kind of report: what is only listed there, and nothing is found by. */
const SAID_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['list', ['name', 'acronym']],
  ['errors', ['id', 'code', 'occurredOn']],
  ['schema', ['description']],
]);

/** Words of our own that tables are keyed by and programs rely on. A secret that is one of them is not shown by them. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...[FINDINGS, RISKS, OUTCOMES].flatMap((table) => Object.keys(table)),
  ...['plan', 'list', 'errors', 'validation', 'schema', 'none'],
  ...['value', 'permission', 'autosubscribe', 'running', 'error', 'warn', 'warning', 'note'],
  ...['change', 'drift', 'conflict', 'settled', 'released'],
  ...['lock-and-hide', 'lock-and-show', 'user-provides', 'invalid', 'unknown'],
  ...['masked', 'null', 'absent', 'empty', 'form'],
  ...['server', 'configuration', 'either', 'unmanaged', 'key', 'managed', 'unplanned', 'default', 'policy'],
  ...['literal', 'apply', 'file', 'given', 'login', 'url', 'SIGINT', 'SIGTERM', 'SIGHUP'],
  ...['text', 'number', 'boolean', 'select', 'multi-select', 'any', 'string'],
]);
