/** A JSON:API resource object, as far as a server sent it. Nothing in it is trusted to be there. */
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
export interface PageMeta {
  readonly number?: number;
  readonly size?: number;
  readonly total?: number;
}

/** Decodes a document whose `data` is a list or one resource; the text says what is wrong with it. */
export function decodeDocument(body: unknown): ResourceDocument | string {
  if (!isRecord(body)) return 'it is not a JSON:API document';
  const data = body['data'];
  const items = Array.isArray(data) ? data : [data];
  const resources = items.flatMap((item) => decodeResource(item) ?? []);
  if (resources.length < items.length) return '`data` holds something that is no resource';
  const included = list(body['included']).flatMap((item) => decodeResource(item) ?? []);
  if (included.length < list(body['included']).length)
    return '`included` holds something that is no resource';
  if (resources.some(hasBrokenLinks)) return 'a relationship to options holds something that is no resource';
  return {
    data: resources,
    included,
    page: pageMeta(body['meta']),
  };
}

/** A resource object or resource identifier; undefined where it has no usable id. */
export function decodeResource(raw: unknown): Resource | undefined {
  if (!isRecord(raw)) return undefined;
  const id = raw['id'];
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return {
    type: typeof raw['type'] === 'string' ? raw['type'] : '',
    id: String(id),
    attributes: isRecord(raw['attributes']) ? raw['attributes'] : undefined,
    relationships: isRecord(raw['relationships']) ? raw['relationships'] : {},
  };
}

/** An option that is linked to in a way that nobody can read must not look like one that is not there. */
function hasBrokenLinks(resource: Resource): boolean {
  const value = resource.relationships['integration-options'];
  const data = isRecord(value) ? value['data'] : undefined;
  const items = Array.isArray(data) ? data : [];
  return linked(resource, 'integration-options').length < items.length;
}

/** The resources or identifiers that a relationship links to; empty where there are none. */
export function linked(resource: Resource, relationship: string): Resource[] {
  const value = resource.relationships[relationship];
  const data = isRecord(value) ? value['data'] : undefined;
  const items = Array.isArray(data) ? data : [data];
  return items.flatMap((item) => decodeResource(item) ?? []);
}

/** An attribute by its dashed name; `camelCase` and `snake_case` are taken as well. */
export function attribute(resource: Resource, name: string): unknown {
  const attributes = resource.attributes ?? {};
  const spellings = [
    name,
    name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name.replaceAll('-', '_'),
  ];
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

/** Whether unknown data is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unknown data as a list; empty where it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function pageMeta(meta: unknown): PageMeta {
  const page = isRecord(meta) && isRecord(meta['page']) ? meta['page'] : {};
  return Object.fromEntries(
    ['number', 'size', 'total'].flatMap((key) => {
      const value = page[key];
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? [[key, value]] : [];
    }),
  );
}
