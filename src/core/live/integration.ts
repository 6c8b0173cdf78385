import {
  countOf,
  type Fields,
  flagOf,
  isRecord,
  listOf,
  recordOf,
  textOf,
} from '../model/json.ts';
import {
  decodeChoice,
  decodeChoices,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { permissionOf } from '../model/permission.ts';
import { isMask, isSecret } from '../model/secrecy.ts';
import {
  hiddenSide,
  type LiveSide,
  secretSide,
  shownSide,
  UNSET,
} from '../model/side.ts';
import type { OptionValue } from '../model/value.ts';

/** A page of a list, and how its document counts pages. */
export interface Page<Item = { id: string }> {
  items: readonly Item[];
  number?: number | undefined;
  /** How many items all pages have together. */
  total?: number | undefined;
}

/** Which options are decoded, and how. */
export interface Reading {
  /** The keys of the options to decode, of others only the key is kept. */
  wanted?: ReadonlySet<string> | undefined;
  /** Whether the server shows every secret as empty. */
  hidesSecrets?: boolean | undefined;
}

/** The options of an integration, as far as they were read. */
export interface DecodedOptions {
  optionKeys: ReadonlySet<string>;
  options: ReadonlyMap<string, LiveOption>;
}

/**
 * Decodes one integration or a page of them; a text says why it cannot.
 * Options come from `included` or from the relationship; if neither has them,
 * `options` is empty.
 */
export function decodeIntegrations(
  body: unknown,
  reading: Reading = {},
): Page<LiveIntegration> | string {
  const document = recordOf(body);
  const decoder = new OptionDecoder(listOf(document['included']), reading);
  const integrations: LiveIntegration[] = [];
  for (const resource of [document['data']].flat()) {
    const integration = decodeIntegration(recordOf(resource), decoder);
    if (typeof integration === 'string') return integration;
    integrations.push(integration);
  }
  return pageOf(document, integrations);
}

/** A page of items, as its document numbers it. */
function pageOf<Item>(document: Fields, items: readonly Item[]): Page<Item> {
  const { number, total } = recordOf(recordOf(document['meta'])['page']);
  return { items, number: countOf(number), total: countOf(total) };
}

/** Decodes the options of one integration; those of others are left out. */
export function decodeOptions(
  id: string,
  resources: readonly unknown[],
  reading: Reading = {},
): DecodedOptions | string {
  return new OptionDecoder([], reading).decode(id, resources);
}

type Resource = Fields & { id: string };

/** Decodes a page of options as they came. One without a number is all. */
export function decodeOptionPage(body: unknown): Page<Resource> {
  const document = recordOf(body);
  const resources: Resource[] = [];
  for (const item of listOf(document['data'])) {
    const resource = recordOf(item);
    resources.push({ ...resource, id: String(resource['id']) });
  }
  const page = pageOf(document, resources);
  if (page.number !== undefined) return page;
  return { ...page, total: page.total ?? resources.length };
}

/** The most characters of an id or a name: globs take long with more. */
const LONGEST_NAME = 256;

function decodeIntegration(
  resource: Fields,
  decoder: OptionDecoder,
): LiveIntegration | string {
  const { id } = resource;
  if (typeof id !== 'string') return 'it holds something that is no resource';
  const links = linksIn(resource, 'integration-options');
  const decoded = decoder.decode(id, links);
  if (typeof decoded === 'string') return decoded;
  const attributes = recordOf(resource['attributes']);
  const name = textOf(attributes['name']);
  const acronym = textOf(attributes['acronym']);
  for (const text of [id, name, acronym]) {
    if (text !== undefined && text.length > LONGEST_NAME)
      return `a name in it has more than ${LONGEST_NAME} characters`;
  }
  return {
    id,
    name,
    acronym,
    description: textOf(attributes['description']),
    status: textOf(attributes['status']),
    autosubscribe: flagOf(attributes['autosubscribe']),
    errorCount: linksIn(resource, 'integration-errors').length,
    options: decoded.options,
    optionKeys: decoded.optionKeys,
  };
}

function linksIn(resource: Fields, relationship: string): readonly unknown[] {
  const relationships = recordOf(resource['relationships']);
  return listOf(recordOf(relationships[relationship])['data']);
}

/** Decodes the options of a document, for its integrations in their order. */
class OptionDecoder {
  readonly #included: readonly unknown[];
  readonly #reading: Reading;
  /** Where the next is, if `included` is in the order of the links. */
  #next = 0;
  #byId: ReadonlyMap<unknown, Fields> | undefined;
  /** Integrations of one kind list the same keys: neighbours share one set. */
  #keys: readonly string[] = [];
  #keySet: ReadonlySet<string> = new Set();

  constructor(included: readonly unknown[], reading: Reading) {
    this.#included = included;
    this.#reading = reading;
  }

  decode(id: string, links: readonly unknown[]): DecodedOptions | string {
    const { wanted, hidesSecrets = false } = this.#reading;
    const keys: string[] = [];
    const options = new Map<string, LiveOption>();
    for (const item of links) {
      const link = recordOf(item);
      const linkId = link['id'];
      if (typeof linkId !== 'string')
        return 'a relationship to options holds something that is no resource';
      const place = this.#next;
      this.#next += 1;
      const key = keyIn(linkId, id, this.#keys[keys.length] ?? '');
      if (key === '') continue;
      keys.push(key);
      if (wanted?.has(key) === false) continue;
      const attributes = link['attributes'];
      const resource = isRecord(attributes) ? link : this.#find(linkId, place);
      if (resource !== undefined && isOptionWith(key, resource))
        options.set(key, decodeOption(key, resource, hidesSecrets));
    }
    return { optionKeys: this.#shared(keys), options };
  }

  /** The included resource with this id, most likely at this place. */
  #find(id: string, place: number): Fields | undefined {
    const likely = recordOf(this.#included[place]);
    if (likely['id'] === id) return likely;
    this.#byId ??= new Map(
      this.#included.map(recordOf).map((fields) => [fields['id'], fields]),
    );
    return this.#byId.get(id);
  }

  /** The set of these keys; that of the last integration if it has the same. */
  #shared(keys: readonly string[]): ReadonlySet<string> {
    const last = this.#keys;
    const isSame =
      keys.length === last.length &&
      keys.every((key, index) => key === last[index]);
    if (isSame) return this.#keySet;
    this.#keys = keys;
    this.#keySet = new Set([...keys].sort());
    return this.#keySet;
  }
}

/** The key in the id of an option; empty if another integration has it. */
function keyIn(id: string, integrationId: string, likely: string): string {
  const start = integrationId.length + 1;
  if (!id.startsWith(integrationId) || id.charAt(start - 1) !== '-') return '';
  // Comparing is faster than cutting.
  const isLikely = id.length === start + likely.length && id.endsWith(likely);
  return isLikely ? likely : id.slice(start);
}

/** Whether a resource has attributes, and no other key than this. */
function isOptionWith(key: string, resource: Fields): boolean {
  const attributes = resource['attributes'];
  if (!isRecord(attributes)) return false;
  // Two integrations with dashes in their ids can compose one id.
  const ownKey = textOf(attributes['key']) ?? key;
  return ownKey === key;
}

/** Decodes an option; guesses nothing that the server does not send. */
function decodeOption(
  key: string,
  resource: Fields,
  hidesSecrets: boolean,
): LiveOption {
  const attributes = recordOf(resource['attributes']);
  const type = textOf(attributes['type']);
  const held = attributes['value'];
  return {
    key,
    value: decodeSide(held, isSecret({ key, type }), hidesSecrets),
    permission: permissionOf(
      attributes['admin-only'] ?? attributes['adminOnly'],
      attributes['user-can-edit'] ?? attributes['userCanEdit'],
    ),
    choices: decodeChoices(listOf(attributes['options'])) ?? [],
    type,
    isBare: isBareChoice(held, type) || undefined,
    isSingular: resource['type'] === 'integration-option' || undefined,
    multiple: flagOf(attributes['multiple']),
    title: textOf(attributes['name']),
    description: textOf(attributes['description']),
  };
}

/** Whether a select, or a list of choices, comes without displays. */
function isBareChoice(held: unknown, type: string | undefined): boolean {
  const isList = Array.isArray(held);
  if (type !== 'select' && !isList) return false;
  const first = isList ? held[0] : held;
  return typeof first === 'string' && first !== '';
}

/** The value of an option, as far as a server shows it. */
function decodeSide(
  held: unknown,
  isOfSecrets: boolean,
  hidesSecrets: boolean,
): LiveSide {
  if (held === undefined) return hiddenSide('absent');
  if (held === null || (isOfSecrets && held === '')) {
    return isOfSecrets && hidesSecrets ? hiddenSide('empty') : UNSET;
  }
  const isMasked = isOfSecrets && typeof held === 'string' && isMask(held);
  if (isMasked) return hiddenSide('masked');
  const value = decodeForm(held);
  if (value === undefined) return hiddenSide('form');
  return isOfSecrets ? secretSide(value) : shownSide(value);
}

/** A value in any form that options have; undefined for anything else. */
function decodeForm(held: unknown): OptionValue | undefined {
  switch (typeof held) {
    case 'string':
    case 'number':
    case 'boolean':
      return held;
    default:
      return Array.isArray(held) ? decodeChoices(held) : decodeChoice(held);
  }
}

/** All items of all pages, or why they are not one complete list. */
export function joinPages<Item extends { id: string }>(
  pages: readonly Page<Item>[],
): readonly Item[] | string {
  const totals = new Set(pages.map((page) => page.total));
  if (totals.size > 1) return 'the total changed between two pages';
  const items = pages.flatMap((page) => page.items);
  const ids = new Set(items.map(({ id }) => id));
  const repeated = items.length - ids.size;
  if (repeated > 0) return `${repeated} of the listed ones came twice`;
  const [total] = totals;
  if (total === undefined) return 'it does not say how many there are';
  if (items.length === total) return items;
  return `${items.length} came, but the total is ${total}`;
}
