import { grouped } from '../model/grouped.ts';
import { optionId, sortedKeys } from '../model/ids.ts';
import { isRecord, listOf } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { decodeOption, hasOptionAttributes, keyOfOption } from './option.ts';
import {
  attribute,
  booleanAttribute,
  CARRIERS,
  linked,
  proseAttribute,
  type Resource,
  type ResourceDocument,
  textAttribute,
} from './resource.ts';
import { traitSet, traitsOf } from './traits.ts';

const OPTION_TYPES = new Set(['integration-options', 'integration-option']);

/** Tells by its key whether an option is wanted. */
export type IsWanted = (key: string) => boolean;

const EACH: IsWanted = () => true;

/**
 * Decodes the integrations of a document. Options are taken from `included`, from the items of the relationship, or from
 * an attribute; where none of these has them, `options` is empty and only `optionKeys` lists them. Of options that are neither
 * wanted nor may hold a secret only the key and what they show in common are kept.
 */
export function decodeIntegrations(document: ResourceDocument, isWanted = EACH): LiveIntegration[] {
  const included = document.included.filter(({ type }) => OPTION_TYPES.has(type));
  const all = document.data.map((resource) => ({
    resource,
    links: linked(resource, 'integration-options'),
    found: new FoundOptions(resource.id, isWanted),
  }));
  const links = all.flatMap((each) => each.links);
  const find = isInOrder(links, included) ? inTurn(included) : byId(included);
  for (const { found, links: own } of all) for (const link of own) found.addLinked(link, find(link.id));
  const byOwner = grouped(unlinked(links, included), ownerFinder(document.data));
  const keySets = new KeySets();
  return all.map(({ resource, found }) => {
    for (const option of byOwner.get(resource.id) ?? []) found.add(option);
    for (const option of fromAttribute(resource)) found.add(option);
    return { ...decodeAttributes(resource), ...found.decoded(keySets) };
  });
}

/** Whether a document includes just the linked options, in the order of their links, as most servers do: then nothing is searched. */
function isInOrder(links: readonly Resource[], included: readonly Resource[]): boolean {
  return links.length === included.length && links.every(({ id }, index) => id === included[index]?.id);
}

function inTurn(included: readonly Resource[]): () => Resource | undefined {
  const left = included.values();
  return () => left.next().value;
}

/** Of several options with one id the last counts. */
function byId(included: readonly Resource[]): (id: string) => Resource | undefined {
  const options = new Map(included.map((option) => [option.id, option]));
  return (id) => options.get(id);
}

function unlinked(links: readonly Resource[], included: readonly Resource[]): readonly Resource[] {
  if (isInOrder(links, included)) return [];
  const ids = new Set(links.map(({ id }) => id));
  const rest = new Map(included.map((option) => [option.id, option]));
  return [...rest.values()].filter(({ id }) => !ids.has(id));
}

/** Decodes the answer to a request for the options of one integration. Options of others are left out. */
export function decodeOptions(integrationId: string, resources: readonly Resource[]): DecodedOptions {
  const found = new FoundOptions(integrationId, EACH);
  for (const resource of resources) found.add(resource);
  return found.decoded(new KeySets());
}

/** What is known of the options of an integration. */
export type DecodedOptions = Pick<LiveIntegration, 'options' | 'optionKeys' | 'traits'>;

/** Gathers the options of one integration. */
class FoundOptions {
  readonly #integrationId: string;
  readonly #isWanted: IsWanted;
  readonly #keys: string[] = [];
  readonly #options = new Map<string, LiveOption>();
  #traits = 0;

  constructor(integrationId: string, isWanted: IsWanted) {
    this.#integrationId = integrationId;
    this.#isWanted = isWanted;
  }

  /** Adds a linked option: with its own attributes, or those of the included resource of its id. */
  addLinked(link: Resource, included: Resource | undefined): void {
    const option = hasOptionAttributes(link) ? link : (included ?? link);
    if (this.add(option)) return;
    const key = keyOfOption(this.#integrationId, link);
    if (key !== undefined) this.#keys.push(key);
  }

  /** Adds an option with attributes; returns whether it is one of this integration. */
  add(option: Resource): boolean {
    const key = hasOptionAttributes(option) ? keyOfOption(this.#integrationId, option) : undefined;
    if (key === undefined) return false;
    this.#keys.push(key);
    this.#traits |= traitsOf(key, option);
    if (this.#isWanted(key)) this.#options.set(key, decodeOption(key, option));
    return true;
  }

  decoded(keySets: KeySets): DecodedOptions {
    return {
      optionKeys: keySets.of(this.#keys),
      options: this.#options,
      traits: traitSet(this.#traits),
    };
  }
}

/** Sorted sets of keys. Integrations of one kind have the same keys in the same order: neighbours share one set. */
class KeySets {
  #last: readonly string[] = [];
  #set: ReadonlySet<string> = new Set();

  of(keys: readonly string[]): ReadonlySet<string> {
    if (keys.length === this.#last.length && keys.every((key, index) => key === this.#last[index]))
      return this.#set;
    this.#last = keys;
    this.#set = sortedKeys(keys);
    return this.#set;
  }
}

function decodeAttributes(resource: Resource) {
  return {
    id: resource.id,
    ...present({
      name: textAttribute(resource, 'name'),
      acronym: textAttribute(resource, 'acronym'),
      description: proseAttribute(resource, 'description'),
      status: textAttribute(resource, 'status'),
      autosubscribe: booleanAttribute(resource, 'autosubscribe'),
    }),
    errorCount: linked(resource, 'integration-errors').length,
  };
}

/** Options that an integration carries in an attribute, as a list of objects with a key. */
function fromAttribute(resource: Resource): Resource[] {
  const carried = CARRIERS.flatMap((name) => listOf(attribute(resource, name)));
  return carried.flatMap((raw) => {
    if (!isRecord(raw) || typeof raw['key'] !== 'string') return [];
    const id = optionId(resource.id, raw['key']);
    return [{ type: '', id, attributes: raw }];
  });
}

/** The ids of integrations by the pieces between their dashes: all that begin an option's id are found on one way. */
interface Branch {
  readonly below: Map<string, Branch>;
  id?: string;
}

/**
 * Finds the integration of an option that no relationship links to: the one it names, or the only one its id fits. It takes
 * the same time however many integrations there are.
 */
function ownerFinder(integrations: readonly Resource[]): (option: Resource) => string | undefined {
  const ids = new Set(integrations.map(({ id }) => id));
  const root: Branch = { below: new Map() };
  for (const id of ids) branchTo(root, id).id = id;
  return (option) => {
    const named = linked(option, 'integration')[0]?.id ?? textAttribute(option, 'integration-id');
    if (named !== undefined) return named;
    const key = textAttribute(option, 'key');
    const fitting = key === undefined ? beginnings(root, option) : ownersByKey(ids, option, key);
    return fitting.length === 1 ? fitting[0] : undefined;
  };
}

function branchTo(root: Branch, id: string): Branch {
  return id.split('-').reduce((branch, piece) => {
    const next = branch.below.get(piece) ?? { below: new Map() };
    branch.below.set(piece, next);
    return next;
  }, root);
}

function ownersByKey(ids: ReadonlySet<string>, option: Resource, key: string): string[] {
  const id = option.id.slice(0, Math.max(0, option.id.length - optionId('', key).length));
  return ids.has(id) && keyOfOption(id, option) !== undefined ? [id] : [];
}

/** The integrations whose ids begin the id of an option. */
function beginnings(root: Branch, option: Resource): string[] {
  const found: string[] = [];
  let branch: Branch | undefined = root;
  for (const piece of option.id.split('-')) {
    branch = branch.below.get(piece);
    // Two are as many as more: nobody can tell whose option it is.
    if (branch === undefined || found.length > 1) break;
    if (branch.id !== undefined && keyOfOption(branch.id, option) !== undefined) found.push(branch.id);
  }
  return found;
}
