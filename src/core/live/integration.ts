import {
  countOf,
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
import { hide } from '../model/secret.ts';
import type { LiveSide } from '../model/side.ts';
import type { OptionValue } from '../model/value.ts';

type Fields = ReturnType<typeof recordOf>;

/** A page of a list, with what it says of itself. */
export interface Page<Item = { readonly id: string }> {
  readonly items: readonly Item[];
  readonly number?: number | undefined;
  /** How many items all pages have together. */
  readonly total?: number | undefined;
}

/** Which options are decoded, and how. */
export interface Reading {
  /** The keys of the options that matter: of others only the key is kept. All of them without it. */
  readonly wanted?: ReadonlySet<string>;
  /** Whether the server shows every secret as empty. */
  readonly hidesSecrets?: boolean | undefined;
}

/** What is known of the options of an integration. */
export type DecodedOptions = Pick<LiveIntegration, 'options' | 'optionKeys'>;

/**
 * Decodes integrations, one or a page of them, or says what is wrong with the document. Options are taken from `included` or
 * from the items of the relationship; if neither has them, `options` is empty and only `optionKeys` lists them.
 */
export function decodeIntegrations(
  body: unknown,
  reading: Reading = {},
): Page<LiveIntegration> | string {
  const document = recordOf(body);
  const decoder = new OptionDecoder(listOf(document['included']), reading);
  const items = [document['data']]
    .flat()
    .map((raw) => decodeIntegration(recordOf(raw), decoder));
  const problem = items.find((item) => typeof item === 'string');
  const decoded = items.filter((item) => typeof item !== 'string');
  return problem ?? pageOf(document, decoded);
}

/** A page with what its document says of it. */
function pageOf<Item>(document: Fields, items: readonly Item[]): Page<Item> {
  const { number, total } = recordOf(recordOf(document['meta'])['page']);
  return { items, number: countOf(number), total: countOf(total) };
}

/** Decodes the options of one integration from a document of their own; options of others are left out. */
export function decodeOptions(
  id: string,
  resources: readonly unknown[],
  reading: Reading = {},
): DecodedOptions | string {
  return new OptionDecoder([], reading).decode(id, resources);
}

/** Decodes a page of options as they came. One that says nothing of pages is all there is. */
export function decodeOptionPage(
  body: unknown,
): Page<Fields & { readonly id: string }> {
  const document = recordOf(body);
  const resources = listOf(document['data']).map(recordOf);
  const page = pageOf(
    document,
    resources.map((each) => ({ ...each, id: String(each['id']) })),
  );
  return page.number === undefined
    ? { ...page, total: page.total ?? resources.length }
    : page;
}

/** The most characters of an id or a name: globs take long to match with more. */
const LONGEST_NAME = 256;

function decodeIntegration(
  resource: Fields,
  decoder: OptionDecoder,
): LiveIntegration | string {
  const { id } = resource;
  if (typeof id !== 'string') return 'it holds something that is no resource';
  const relationships = recordOf(resource['relationships']);
  const related = (name: string) =>
    listOf(recordOf(relationships[name])['data']);
  const decoded = decoder.decode(id, related('integration-options'));
  if (typeof decoded === 'string') return decoded;
  const attributes = recordOf(resource['attributes']);
  const name = textOf(attributes['name']);
  const acronym = textOf(attributes['acronym']);
  if ([id, name, acronym].some((text = '') => text.length > LONGEST_NAME))
    return `a name in it has more than ${LONGEST_NAME} characters`;
  return {
    id,
    ...{ name, acronym },
    description: textOf(attributes['description']),
    ...{
      status: textOf(attributes['status']),
      autosubscribe: flagOf(attributes['autosubscribe']),
    },
    errorCount: related('integration-errors').length,
    ...{ options: decoded.options, optionKeys: decoded.optionKeys },
  };
}

/** Decodes the options of the integrations of one document, in their order. */
class OptionDecoder {
  readonly #included: readonly unknown[];
  readonly #reading: Reading;
  /** Most servers include options in the order of their links: then nothing is searched. */
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
    for (const raw of links) {
      const link = recordOf(raw);
      const linkId = link['id'];
      if (typeof linkId !== 'string')
        return 'a relationship to options holds something that is no resource';
      const place = this.#next;
      this.#next += 1;
      const key = keyIn(linkId, id, this.#keys[keys.length] ?? '');
      if (key === '') continue;
      keys.push(key);
      if (wanted?.has(key) === false) continue;
      const resource = isRecord(link['attributes'])
        ? link
        : this.#find(linkId, place);
      if (!isRecord(resource?.['attributes'])) continue;
      // Two integrations with dashes in their ids can compose one id.
      if ((textOf(resource['attributes']['key']) ?? key) === key)
        options.set(key, decodeOption(key, resource, hidesSecrets));
    }
    return { optionKeys: this.#shared(keys), options };
  }

  /** The included resource with this id, most likely at this place. */
  #find(id: string, place: number): Fields | undefined {
    const next = recordOf(this.#included[place]);
    if (next['id'] === id) return next;
    this.#byId ??= new Map(
      this.#included.map(recordOf).map((each) => [each['id'], each]),
    );
    return this.#byId.get(id);
  }

  #shared(keys: readonly string[]): ReadonlySet<string> {
    if (
      keys.length === this.#keys.length &&
      keys.every((key, index) => key === this.#keys[index])
    )
      return this.#keySet;
    this.#keys = keys;
    this.#keySet = new Set([...keys].sort());
    return this.#keySet;
  }
}

/** The key in the id of an option of an integration, empty if it is of another one. A likely one is only compared: that is fast. */
function keyIn(id: string, integrationId: string, likely: string): string {
  const start = integrationId.length + 1;
  if (!id.startsWith(integrationId) || id.charAt(start - 1) !== '-') return '';
  return id.length === start + likely.length && id.endsWith(likely)
    ? likely
    : id.slice(start);
}

/** Decodes an option; guesses nothing that the server does not send. */
function decodeOption(
  key: string,
  resource: Fields,
  hidesSecrets: boolean,
): LiveOption {
  const from = recordOf(resource['attributes']);
  const type = textOf(from['type']);
  return {
    key,
    value: decodeValue(from['value'], isSecret({ key, type }), hidesSecrets),
    permission: permissionOf(
      from['admin-only'] ?? from['adminOnly'],
      from['user-can-edit'] ?? from['userCanEdit'],
    ),
    choices: decodeChoices(listOf(from['options'])) ?? [],
    type,
    isBare: isBareChoice(from['value'], type) || undefined,
    isSingular: resource['type'] === 'integration-option' || undefined,
    multiple: flagOf(from['multiple']),
    ...{
      title: textOf(from['name']),
      description: textOf(from['description']),
    },
    initial: decodeForm(from['default']),
  };
}

/** Whether a select, or a list of choices, comes without displays. */
function isBareChoice(raw: unknown, type: string | undefined): boolean {
  const [first] = [raw].flat();
  return (
    (type === 'select' || Array.isArray(raw)) &&
    typeof first === 'string' &&
    first !== ''
  );
}

function decodeValue(
  raw: unknown,
  secret: boolean,
  hidesSecrets: boolean,
): LiveSide {
  if (raw === undefined) return { kind: 'hidden', reason: 'absent' };
  if (raw === null || (raw === '' && secret))
    return secret && hidesSecrets
      ? { kind: 'hidden', reason: 'empty' }
      : { kind: 'unset' };
  if (typeof raw === 'string' && secret && isMask(raw))
    return { kind: 'hidden', reason: 'masked' };
  const value = decodeForm(raw);
  if (value === undefined) return { kind: 'hidden', reason: 'form' };
  if (!secret) return { kind: 'shown', value };
  return { kind: 'secret', value: hide(value) };
}

/** A value in any form that options have; undefined for anything else. */
function decodeForm(raw: unknown): OptionValue | undefined {
  if (
    typeof raw === 'string' ||
    typeof raw === 'number' ||
    typeof raw === 'boolean'
  )
    return raw;
  return Array.isArray(raw) ? decodeChoices(raw) : decodeChoice(raw);
}

/** All items of all pages, or why they are not one complete list. */
export function joinPages<Item extends { readonly id: string }>(
  pages: readonly Page<Item>[],
): readonly Item[] | string {
  const [total, ...others] = new Set(pages.map((page) => page.total));
  const items = pages.flatMap((page) => page.items);
  const repeated = items.length - new Set(items.map(({ id }) => id)).size;
  if (others.length > 0) return 'the total changed between two pages';
  if (repeated > 0) return `${repeated} of the listed ones came twice`;
  if (total === undefined) return 'it does not say how many there are';
  return items.length === total
    ? items
    : `${items.length} came, but the total is ${total}`;
}
