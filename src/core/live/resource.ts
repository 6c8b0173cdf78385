import { isRecord, listOf, recordOf } from '../model/json.ts';
import { cutText, isOverlong, SERVER_LIMITS } from './limits.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** A JSON:API resource object, as far as a server sent it. Any part of it may be missing. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Attributes | undefined;
  readonly relationships?: Readonly<Record<string, unknown>> | undefined;
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

/** Whether a name of a resource, or of one that it links to or carries, is too long to be one. */
function hasOverlongName({ id, type, attributes, relationships }: Resource): boolean {
  if (isOverlong(id) || isOverlong(type)) return true;
  for (const name in relationships)
    if (linksOf({ relationships }, name).some(hasOverlongIdentity)) return true;
  if (attributes === undefined) return false;
  return hasOverlong(attributes) || CARRIERS.some((name) => listOf(READ[name](attributes)).some(hasOverlong));
}

/** The same of a resource that another one links to: by its identity and, where the link carries them, its attributes. */
function hasOverlongIdentity(raw: unknown): boolean {
  const { id, type, attributes } = recordOf(raw);
  return isOverlong(id) || isOverlong(type) || (attributes !== undefined && hasOverlong(attributes));
}

/** The same of what names a resource, or says of which kind or in which state it is. */
function hasOverlong(raw: unknown): boolean {
  const attributes = recordOf(raw);
  return (
    isOverlong(attributes['name']) ||
    isOverlong(attributes['acronym']) ||
    isOverlong(attributes['status']) ||
    isOverlong(attributes['type']) ||
    isOverlong(attributes['key']) ||
    isOverlong(READ['integration-id'](attributes))
  );
}

/** All resources of a list; undefined where one of them is none. */
function decodeAll(items: readonly unknown[]): readonly Resource[] | undefined {
  const resources = resourcesOf(items);
  return resources.length < items.length ? undefined : resources;
}

/** The resource objects and resource identifiers of a list, without what has no usable id. */
function resourcesOf(items: readonly unknown[]): Resource[] {
  const resources: Resource[] = [];
  for (const item of items) {
    const resource = resourceOf(item);
    if (resource !== undefined) resources.push(resource);
  }
  return resources;
}

/** What a server sent, as it is where that can be: a list has hundreds of thousands of resources. */
function resourceOf(item: unknown): Resource | undefined {
  const { type, id, attributes, relationships } = recordOf(item);
  if (!isId(id)) return undefined;
  const hasForm = typeof id === 'string' && typeof type === 'string';
  if (hasForm && isRecordIfAny(attributes) && isRecordIfAny(relationships)) return item as Resource;
  return {
    type: typeof type === 'string' ? type : '',
    id: String(id),
    attributes: isRecord(attributes) ? attributes : undefined,
    relationships: isRecord(relationships) ? relationships : undefined,
  };
}

function isRecordIfAny(value: unknown): boolean {
  return value === undefined || isRecord(value);
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
  return resourcesOf(linksOf(resource, relationship));
}

function linksOf(
  { relationships }: Pick<Resource, 'relationships'>,
  relationship: string,
): readonly unknown[] {
  const { data } = recordOf(relationships?.[relationship]);
  if (Array.isArray(data)) return data;
  return data === undefined || data === null ? [] : [data];
}

/** Reads each attribute by its name, and where that has a dash in `camelCase` and `snake_case` as well. */
const READ = {
  key: (from) => from['key'],
  value: (from) => from['value'],
  type: (from) => from['type'],
  name: (from) => from['name'],
  description: (from) => from['description'],
  default: (from) => from['default'],
  options: (from) => from['options'],
  multiple: (from) => from['multiple'],
  acronym: (from) => from['acronym'],
  status: (from) => from['status'],
  autosubscribe: (from) => from['autosubscribe'],
  code: (from) => from['code'],
  title: (from) => from['title'],
  detail: (from) => from['detail'],
  'admin-only': (from) => from['admin-only'] ?? from['adminOnly'] ?? from['admin_only'],
  'user-can-edit': (from) => from['user-can-edit'] ?? from['userCanEdit'] ?? from['user_can_edit'],
  'integration-id': (from) => from['integration-id'] ?? from['integrationId'] ?? from['integration_id'],
  'integration-options': (from) =>
    from['integration-options'] ?? from['integrationOptions'] ?? from['integration_options'],
  'error-count': (from) => from['error-count'] ?? from['errorCount'] ?? from['error_count'],
  'occurred-on': (from) => from['occurred-on'] ?? from['occurredOn'] ?? from['occurred_on'],
} as const satisfies Readonly<Record<string, (from: Attributes) => unknown>>;

/** The dashed names of the attributes that are read. */
export type AttributeName = keyof typeof READ;

/** An attribute by its dashed name, in the spelling of the server. */
export function attribute({ attributes }: Resource, name: AttributeName): unknown {
  // No name of an attribute is one that every object has.
  return attributes === undefined ? undefined : READ[name](attributes);
}

/** An attribute that is text; undefined where it is anything else. */
export function textAttribute(resource: Resource, name: AttributeName): string | undefined {
  const value = attribute(resource, name);
  return typeof value === 'string' ? value : undefined;
}

/** An attribute that is a text for people to read, cut to what they can read. */
export function proseAttribute(resource: Resource, name: AttributeName): string | undefined {
  const text = textAttribute(resource, name);
  return text === undefined ? undefined : cutText(text);
}

/** An attribute that is a boolean, or its word. */
export function booleanAttribute(resource: Resource, name: AttributeName): boolean | undefined {
  const value = attribute(resource, name);
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'boolean' ? value : undefined;
}
