import { grouped } from '../model/grouped.ts';
import { optionId, sortedKeys } from '../model/ids.ts';
import { isRecord, listOf } from '../model/json.ts';
import { lazyMap } from '../model/lazy-map.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { decodeOption, hasOptionAttributes, keyOfOption } from './option.ts';
import { ownerFinder } from './owners.ts';
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

const OPTION_TYPES = new Set(['integration-options', 'integration-option']);

/**
 * Decodes the integrations of a document. Options are taken from `included`, from the items of the relationship, or from
 * an attribute; where none of these has them, `options` is empty and only `optionKeys` lists them.
 */
export function decodeIntegrations(document: ResourceDocument): LiveIntegration[] {
  const included = new Map(
    document.included.filter(({ type }) => OPTION_TYPES.has(type)).map((option) => [option.id, option]),
  );
  const links = document.data.flatMap((resource) => linked(resource, 'integration-options'));
  const linkedIds = new Set(links.map(({ id }) => id));
  const unlinked = [...included.values()].filter(({ id }) => !linkedIds.has(id));
  const byOwner = grouped(unlinked, ownerFinder(document.data));
  return document.data.map((resource) =>
    decodeIntegration(resource, included, byOwner.get(resource.id) ?? []),
  );
}

/**
 * Decodes the answer to a request for the options of one integration, each when it is asked for: most are not managed. Options
 * of others are left out.
 */
export function decodeOptions(
  integrationId: string,
  resources: readonly Resource[],
): ReadonlyMap<string, LiveOption> {
  const byKey = new Map<string, Resource>();
  for (const resource of resources) {
    const key = keyOfOption(integrationId, resource);
    if (key !== undefined && hasOptionAttributes(resource)) byKey.set(key, resource);
  }
  return lazyMap(byKey, (resource, key) => decodeOption(key, resource));
}

function decodeIntegration(
  resource: Resource,
  included: ReadonlyMap<string, Resource>,
  unlinked: readonly Resource[],
): LiveIntegration {
  const links = linked(resource, 'integration-options');
  const sources = [
    ...links.map((link) => attributesFor(link, included)),
    ...unlinked,
    ...fromAttribute(resource),
  ];
  const options = decodeOptions(resource.id, sources);
  const linkedKeys = links.flatMap((link) => keyOfOption(resource.id, link) ?? []);
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
    optionKeys: sortedKeys(linkedKeys, options.keys()),
    options,
  };
}

/** What is known of a linked option: its own attributes, or those of the included resource of that id. */
function attributesFor(link: Resource, included: ReadonlyMap<string, Resource>): Resource {
  return hasOptionAttributes(link) ? link : (included.get(link.id) ?? link);
}

/** Options that an integration carries in an attribute, as a list of objects with a key. */
function fromAttribute(resource: Resource): Resource[] {
  const carried = CARRIERS.flatMap((name) => listOf(attribute(resource, name)));
  return carried.flatMap((raw) => {
    if (!isRecord(raw) || typeof raw['key'] !== 'string') return [];
    const id = optionId(resource.id, raw['key']);
    return [{ type: '', id, attributes: raw, relationships: {} }];
  });
}
