import { isRecord, listOf, recordOf } from '../model/json.ts';
import { cutText, isOverlong, SERVER_LIMITS } from './limits.ts';

/** A JSON:API resource object, as far as a server sent it. Any part of it may be missing. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  readonly relationships: Readonly<Record<string, unknown>>;
}

/** The parts of a JSON:API document that setpoint reads. */
export interface ResourceDocument {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
  readonly page: PageMeta;
  /** Whether the document links to a next page; absent where it does not say. */
  readonly hasNext?: boolean;
}

/** `meta.page`; each number is absent where the server does not send it. */
interface PageMeta {
  readonly number?: number;
  readonly size?: number;
  readonly total?: number;
}

/** Decodes a document whose `data` is a list or one resource; a text says what is wrong with it. */
export function decodeDocument(body: unknown): ResourceDocument | string {
  if (!isRecord(body)) return 'it is not a JSON:API document';
  const items = [body['data']].flat();
  const beside = listOf(body['included']);
  const links = items.reduce<number>((sum, item) => sum + linkCount(item), 0);
  const { resources, name } = SERVER_LIMITS;
  if (items.length + beside.length + links > resources) return `it holds more than ${resources} resources`;
  const data = decodeAll(items);
  if (data === undefined) return '`data` holds something that is no resource';
  const included = decodeAll(beside);
  if (included === undefined) return '`included` holds something that is no resource';
  if (data.some(hasBrokenLinks)) return 'a relationship to options holds something that is no resource';
  if ([...data, ...included].some(hasOverlongName)) return `a name in it has more than ${name} characters`;
  return { data, included, page: pageMeta(body['meta']), ...nextPage(body['links']) };
}

/** How many items the relationships of a resource link to, and how many options it carries. */
function linkCount(item: unknown): number {
  const { relationships, attributes } = recordOf(item);
  const related = Object.values(recordOf(relationships)).map((each) => recordOf(each)['data']);
  const lists = [...related, ...CARRIERS.map((name) => recordOf(attributes)[name])];
  return lists.reduce<number>((sum, list) => sum + listOf(list).length, 0);
}

/** The attributes in which an integration may carry its options. */
export const CARRIERS = ['options', 'integration-options'] as const;

/** What names a resource, or says of which kind or in which state it is. */
const NAMES = ['name', 'acronym', 'status', 'type', 'key', 'integration-id'] as const;

/** Whether a name of a resource, or of one that it links to or carries, is too long to be one. */
function hasOverlongName(resource: Resource): boolean {
  const { id, type, attributes, relationships } = resource;
  if (isOverlong(id) || isOverlong(type) || NAMES.some((name) => isOverlong(attribute(resource, name))))
    return true;
  if (Object.keys(relationships).some((name) => linksOf(resource, name).some(hasOverlongIdentity)))
    return true;
  return (
    attributes !== undefined && CARRIERS.some((name) => listOf(attribute(resource, name)).some(hasOverlong))
  );
}

/** The same of a resource that another one links to: by its identity and, where the link carries them, its attributes. */
function hasOverlongIdentity(raw: unknown): boolean {
  const { id, type, attributes } = recordOf(raw);
  return isOverlong(id) || isOverlong(type) || (attributes !== undefined && hasOverlong(attributes));
}

function hasOverlong(attributes: unknown): boolean {
  const named = recordOf(attributes);
  return NAMES.some((name) => isOverlong(named[name]));
}

/** All resources of a list; undefined where one of them is none. */
function decodeAll(items: readonly unknown[]): readonly Resource[] | undefined {
  const resources = items.flatMap(decodeResource);
  return resources.length < items.length ? undefined : resources;
}

/** A resource object or resource identifier; nothing where it has no usable id. */
function decodeResource(raw: unknown): Resource[] {
  const { type, id, attributes, relationships } = recordOf(raw);
  if (!isId(id)) return [];
  return [
    {
      type: typeof type === 'string' ? type : '',
      id: String(id),
      attributes: isRecord(attributes) ? attributes : undefined,
      relationships: recordOf(relationships),
    },
  ];
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/** An option whose link cannot be read must not look like one that is missing. */
function hasBrokenLinks(resource: Resource): boolean {
  return !linksOf(resource, 'integration-options').every((item) => isId(recordOf(item)['id']));
}

/** A link to the next page is never followed, but it tells that there is one. */
function nextPage(links: unknown): Pick<ResourceDocument, 'hasNext'> {
  const { next } = recordOf(links);
  return next === undefined ? {} : { hasNext: next !== null && next !== '' };
}

function pageMeta(meta: unknown): PageMeta {
  const page = recordOf(recordOf(meta)['page']);
  return Object.fromEntries(
    ['number', 'size', 'total'].flatMap((key) => {
      const value = page[key];
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? [[key, value]] : [];
    }),
  );
}

/** The resources or identifiers that a relationship links to. */
export function linked(resource: Resource, relationship: string): Resource[] {
  return linksOf(resource, relationship).flatMap(decodeResource);
}

function linksOf({ relationships }: Resource, relationship: string): readonly unknown[] {
  const { data } = recordOf(relationships[relationship]);
  if (Array.isArray(data)) return data;
  return data === undefined || data === null ? [] : [data];
}

/** An attribute by its dashed name; `camelCase` and `snake_case` are taken as well. */
export function attribute({ attributes }: Resource, name: string): unknown {
  if (attributes === undefined) return undefined;
  for (const spelling of spellingsOf(name))
    if (Object.hasOwn(attributes, spelling)) return attributes[spelling];
  return undefined;
}

const spellings = new Map<string, readonly string[]>();

/** The spellings of a name that a caller knows, each made once. */
function spellingsOf(name: string): readonly string[] {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const camelCase = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const made = [...new Set([name, camelCase, name.replaceAll('-', '_')])];
  spellings.set(name, made);
  return made;
}

/** An attribute that is text; undefined where it is anything else. */
export function textAttribute(resource: Resource, name: string): string | undefined {
  const value = attribute(resource, name);
  return typeof value === 'string' ? value : undefined;
}

/** An attribute that is a text for people to read, cut to what they can read. */
export function proseAttribute(resource: Resource, name: string): string | undefined {
  const text = textAttribute(resource, name);
  return text === undefined ? undefined : cutText(text);
}

/** An attribute that is a boolean, or its word. */
export function booleanAttribute(resource: Resource, name: string): boolean | undefined {
  const value = attribute(resource, name);
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'boolean' ? value : undefined;
}
