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
  const isSnapshot = kind === 'snapshot';
  const ownNames = NAMES_IN.get(kind);
  const names = ownNames ?? NAMES;
  const words = [...SAID, ...(SAID_IN.get(kind) ?? [])].filter((each) => ownNames?.has(each) !== true);
  const said = new Set(isSnapshot ? [] : words);
  // A secret of three characters is too short to be found: beside one, no such fallback is shown.
  const cleanFallback = (text: string) =>
    text.length < 4 && scrubber.said(text) !== text ? HIDDEN : scrubber.clean(text);
  const cleanNew = (text: string, name: string) => {
    if (said.has(name)) return scrubber.said(text);
    if (name === 'reference') return scrubber.name(text).replace(FALLBACK, cleanFallback);
    return names.has(name) ? scrubber.name(text) : scrubber.clean(text);
  };
  // Most texts of a large plan come again and again.
  const known = new Map<string, string>();
  const cleanText = (text: string, name: string) => {
    if (text === '' || OWN_WORDS.has(text) || (isSnapshot && OWN_TEXTS.has(name))) return text;
    const key = `${names.has(name) && !said.has(name) ? '' : name} ${text}`;
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
    return cleanObject(
      value,
      (each, key) =>
        // A server has its name from the configuration.
        clean(each, name === 'servers' ? `servers.${key}` : key, inSchema),
      inSchema ? scrubber.clean : undefined,
    );
  };
  // Only texts change, and none of those that types and tables know.
  return clean(data, '', false) as Clean<T>;
}

function cleanObject(
  value: object,
  clean: (value: unknown, key: string) => unknown,
  cleanKey: ((key: string) => string) | undefined,
): object {
  const entries = Object.entries(value);
  if (cleanKey !== undefined)
    return Object.fromEntries(entries.map(([key, each]) => [cleanKey(key), clean(each, key)]));
  // Faster for keys of our own. None of them is `__proto__`, which an edited plan may have, and which would not be a key here.
  const made: Record<string, unknown> = {};
  for (const [key, each] of entries) if (key !== '__proto__') made[key] = clean(each, key);
  return made;
}

/** Longer texts are cleaned each time they come. */
const LONGEST_KEPT = 128;

/**
 * Names, addresses and plain values: what a saved plan is compared by. That a word is in one of them tells nobody that it is a
 * secret elsewhere.
 */
const NAMES: ReadonlySet<string> = new Set([
  ...['name', 'id', 'url', 'only', 'server', 'servers.name', 'servers.url'],
  ...['address', 'option', 'before', 'after', 'display', 'value', 'variable'],
]);

/**
 * The same in one kind of report: in a snapshot, which was cleaned when it was taken and is compared with the next one, and
 * where people look up what integrations are called.
 */
const NAMES_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['snapshot', new Set([...NAMES, 'key', 'type', 'acronym', 'status'])],
  ['show', new Set([...NAMES, 'displayName', 'acronym'])],
]);

/** What setpoint says of a snapshot: no text of it is foreign, whatever a secret has in common with it. */
const OWN_TEXTS: ReadonlySet<string> = new Set([...['formatVersion', 'version', 'takenAt']]);

/** A fallback in a reference, which may be a secret that is known from elsewhere. */
const FALLBACK = /(?<=:-)[^}]+(?=\})/g;

/** The names of what a server said in its own words. Names and ids of integrations are not: people work with them. */
const SAID = ['detail', 'title', 'mediaType', 'status'];

/** The same in one kind of report: what is only listed there, and nothing is found by. */
const SAID_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['list', ['name', 'acronym']],
  ['errors', ['id', 'code', 'occurredOn']],
  ['schema', ['description']],
  ['show', ['description']],
]);

/** Words of our own that tables are keyed by and programs rely on. A secret that is one of them is not shown by them. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...[FINDINGS, RISKS, OUTCOMES].flatMap((table) => Object.keys(table)),
  ...['plan', 'list', 'errors', 'validation', 'schema', 'pull', 'accept', 'snapshot', 'diff', 'show'],
  ...['explanations', 'none', 'add', 'remove', 'context', 'hunk', 'open'],
  ...['value', 'permission', 'autosubscribe', 'running', 'error', 'warn', 'warning', 'note'],
  ...['change', 'drift', 'conflict', 'unseen', 'settled', 'released'],
  ...['kept', 'added', 'changed', 'match', 'expect', 'sensitive', 'rotated', 'waiver', 'labels', 'fallback'],
  ...['lock-and-hide', 'lock-and-show', 'user-provides', 'invalid', 'unknown'],
  ...['masked', 'null', 'absent', 'empty', 'form', 'unresolved', 'same-key', 'length'],
  ...[
    'server',
    'configuration',
    'either',
    'unmanaged',
    'waived',
    'key',
    'managed',
    'unplanned',
    'unseen',
    'default',
    'policy',
  ],
  ...['literal', 'apply', 'file', 'given', 'login', 'url', 'SIGINT', 'SIGTERM', 'SIGHUP'],
  ...['shown', 'hidden', 'unreadable', 'read', 'unread', 'not-asked', 'catalog', 'base', 'overlay', 'env'],
  ...['as-desired', 'differs', 'cannot-tell', 'same', 'missing', 'not-known', 'forbidden'],
  ...['text', 'number', 'boolean', 'select', 'multi-select', 'any', 'string'],
]);
