import { isRecord, listOf, recordOf } from '../model/json.ts';

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
  const data = decodeAll([body['data']].flat());
  if (data === undefined) return '`data` holds something that is no resource';
  const included = decodeAll(listOf(body['included']));
  if (included === undefined) return '`included` holds something that is no resource';
  if (data.some(hasBrokenLinks)) return 'a relationship to options holds something that is no resource';
  return { data, included, page: pageMeta(body['meta']) };
}

/** All resources of a list; undefined where one of them is none. */
function decodeAll(items: readonly unknown[]): readonly Resource[] | undefined {
  const resources = items.flatMap(decodeResource);
  return resources.length < items.length ? undefined : resources;
}

/** A resource object or resource identifier; nothing where it has no usable id. */
function decodeResource(raw: unknown): Resource[] {
  const { type, id, attributes, relationships } = recordOf(raw);
  if (typeof id !== 'string' && typeof id !== 'number') return [];
  return [
    {
      type: typeof type === 'string' ? type : '',
      id: String(id),
      attributes: isRecord(attributes) ? attributes : undefined,
      relationships: recordOf(relationships),
    },
  ];
}

/** An option whose link cannot be read must not look like one that is missing. */
function hasBrokenLinks(resource: Resource): boolean {
  const items = listOf(dataOf(resource, 'integration-options'));
  return linked(resource, 'integration-options').length < items.length;
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
  return [dataOf(resource, relationship)].flat().flatMap(decodeResource);
}

function dataOf({ relationships }: Resource, relationship: string): unknown {
  return recordOf(relationships[relationship])['data'];
}

/** An attribute by its dashed name; `camelCase` and `snake_case` are taken as well. */
export function attribute({ attributes = {} }: Resource, name: string): unknown {
  const camelCase = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const spellings = [name, camelCase, name.replaceAll('-', '_')];
  const found = spellings.find((spelling) => Object.hasOwn(attributes, spelling));
  return found === undefined ? undefined : attributes[found];
}

/** An attribute that is text; undefined where it is anything else. */
export function textAttribute(resource: Resource, name: string): string | undefined {
  const value = attribute(resource, name);
  return typeof value === 'string' ? value : undefined;
}

/** An attribute that is a boolean, or its word. */
export function booleanAttribute(resource: Resource, name: string): boolean | undefined {
  const value = attribute(resource, name);
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'boolean' ? value : undefined;
}
