import { isOptionId, optionKey, sortedKeys } from '../model/ids.ts';
import { type Fields, flagOf, isRecord, listOf, present, recordOf, textOf } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isOverlong, proseOf, SERVER_LIMITS } from './limits.ts';
import { decodeOption } from './option.ts';
import { type Page, pageOf } from './pages.ts';

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
export function decodeIntegrations(body: unknown, reading: Reading = {}): Page<LiveIntegration> | string {
  const document = recordOf(body);
  const decoder = new OptionDecoder(listOf(document['included']), reading);
  const items: LiveIntegration[] = [];
  for (const raw of [document['data']].flat()) {
    const item = decodeIntegration(recordOf(raw), decoder);
    if (typeof item === 'string') return item;
    items.push(item);
  }
  return pageOf(document, items);
}

/** Decodes the options of one integration from a document of their own; options of others are left out. */
export function decodeOptions(
  id: string,
  resources: readonly unknown[],
  reading: Reading = {},
): DecodedOptions | string {
  return new OptionDecoder([], reading).decode(id, resources);
}

function decodeIntegration(resource: Fields, decoder: OptionDecoder): LiveIntegration | string {
  const { id } = resource;
  if (typeof id !== 'string') return 'it holds something that is no resource';
  const relationships = recordOf(resource['relationships']);
  const related = (name: string) => listOf(recordOf(relationships[name])['data']);
  const attributes = recordOf(resource['attributes']);
  const name = textOf(attributes['name']);
  const acronym = textOf(attributes['acronym']);
  const status = textOf(attributes['status']);
  if ([id, name, acronym, status].some(isOverlong)) return OVERLONG;
  const options = decoder.decode(id, related('integration-options'));
  if (typeof options === 'string') return options;
  const description = proseOf(attributes['description']);
  const autosubscribe = flagOf(attributes['autosubscribe']);
  return {
    id,
    ...present({ name, acronym, description, status, autosubscribe }),
    errorCount: related('integration-errors').length,
    ...options,
  };
}

const OVERLONG = `a name in it has more than ${SERVER_LIMITS.name} characters`;

const NO_OPTIONS: ReadonlyMap<string, LiveOption> = new Map();

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
    const keys: string[] = [];
    const options = new Map<string, LiveOption>();
    for (const raw of links) {
      const link = recordOf(raw);
      const linkId = link['id'];
      if (typeof linkId !== 'string') return 'a relationship to options holds something that is no resource';
      const resource = isRecord(link['attributes']) ? link : this.#find(linkId);
      const { key, option } = keyed(id, linkId, resource);
      if (key === undefined) continue;
      if (isOverlong(key)) return OVERLONG;
      keys.push(key);
      if (option === undefined || this.#reading.wanted?.has(key) === false) continue;
      options.set(key, decodeOption(key, option, this.#reading.hidesSecrets === true));
    }
    return { optionKeys: this.#shared(keys), options: options.size === 0 ? NO_OPTIONS : options };
  }

  #find(id: string): Fields | undefined {
    const next = recordOf(this.#included[this.#next]);
    if (next['id'] === id) {
      this.#next += 1;
      return next;
    }
    this.#byId ??= new Map(this.#included.map(recordOf).map((each) => [each['id'], each]));
    return this.#byId.get(id);
  }

  #shared(keys: readonly string[]): ReadonlySet<string> {
    if (keys.length === this.#keys.length && keys.every((key, index) => key === this.#keys[index]))
      return this.#keySet;
    this.#keys = keys;
    this.#keySet = sortedKeys(keys);
    return this.#keySet;
  }
}

/**
 * The key of an option, and what was sent of it. Two integrations with dashes can compose one id: then the served key tells
 * whose option it is.
 */
function keyed(id: string, linkId: string, resource: Fields | undefined) {
  const attributes = resource?.['attributes'];
  const served = textOf(recordOf(attributes)['key']);
  const isOwn = served === undefined || isOptionId(linkId, id, served);
  return {
    key: served !== undefined && isOwn ? served : optionKey(id, linkId),
    option: isOwn && isRecord(attributes) ? resource : undefined,
  };
}
