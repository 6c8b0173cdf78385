import { namedOrigins, type Origin, originsOf } from '../config/origins.ts';
import type { ReferenceTable } from '../config/resolve.ts';
import { namesIn, type OutsidePart, partsOf, sourceOf } from '../config/template.ts';
import { type DeclaredSide, shownValue } from '../diff/shown-value.ts';
import type { FieldName } from '../model/address.ts';
import { present } from '../model/present.ts';
import { shownReference } from '../model/shown-reference.ts';
import type { KnownServer, Target } from './known.ts';
import type { ShownName, ShownOrigin, ShownOutside } from './shown.ts';
import type { TracedValue } from './traced.ts';

/** A declaration of a field of a server. */
export type FieldOrigin = Origin<TracedValue>;

/** What is known of the option of a field beside its declarations. */
export interface About {
  readonly key: string;
  /** Its type on any server, or in a catalog. */
  readonly type?: string | undefined;
  /** What the configuration says with `sensitive:`. */
  readonly mark?: boolean | undefined;
}

/** All declarations of a field of an integration. */
export function originsIn(
  server: KnownServer,
  { holding }: Target,
  field: FieldName,
): readonly FieldOrigin[] {
  return originsOf(server.config.layers, holding, field);
}

/** What `sensitive:` says of an option: its own mark, or that any entry marks one of its key. */
export function markOf({ config }: KnownServer, { holding }: Target, key: string): boolean | undefined {
  const names = new Set(holding.map(({ entry }) => entry));
  const own = config.merged.entries
    .filter(({ name }) => names.has(name))
    .flatMap(({ options }) => options.get(key)?.sensitive?.value ?? []);
  if (own.includes(true) || config.marked.has(key)) return true;
  return own[0];
}

/** What a declaration asks for, as far as it may be shown; undefined for a null, and where its named values do not fit. */
export function declaredSide({ field: { value } }: FieldOrigin, about: About): DeclaredSide | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return { value };
  return value.open && shownValue(value.open, about);
}

/** A declaration with all that it leads to. */
export function shownOrigin(server: KnownServer, origin: FieldOrigin, about: About): ShownOrigin {
  const { layer, entry, isDefault, isUncertain, wins, field } = origin;
  const value = typeof field.value === 'object' ? (field.value ?? undefined) : undefined;
  const declared = declaredSide(origin, about);
  return {
    kind: isDefault ? 'default' : layer === 0 ? 'base' : 'overlay',
    layer: server.layerNames[layer] ?? '',
    entry,
    source: field.place,
    wins,
    ...present({
      isUncertain,
      isNull: field.value === null ? true : undefined,
      declared,
      reference: value && writtenReference(value, declared, about),
      aliased: field.aliased,
    }),
    names: value === undefined ? [] : shownNames(server, value),
    outside: value === undefined || !wins ? [] : shownOutside(server, value),
  };
}

/** The text as written, where it names values; where what it comes to is not shown, what is around these need not be either. */
function writtenReference(
  { template }: TracedValue,
  declared: DeclaredSide | undefined,
  about: About,
): string | undefined {
  const source = namesIn(template).length === 0 ? undefined : sourceOf(template);
  if (source === undefined || (declared !== undefined && declared.value !== null)) return source;
  return shownReference(source, about);
}

function shownNames({ config, layerNames }: KnownServer, { template }: TracedValue): readonly ShownName[] {
  return namedOrigins(config.written, template).map(({ name, layer, value, wins }) => ({
    name,
    layer: layerNames[layer] ?? '',
    source: value.place,
    wins,
  }));
}

/** The variables and files behind a value, also behind its named values, each once. */
function shownOutside({ config }: KnownServer, { template }: TracedValue): readonly ShownOutside[] {
  const named = namedOrigins(config.written, template).flatMap(({ value, wins }) =>
    wins && value.value ? [value.value] : [],
  );
  const parts = [template, ...named].flatMap((each) =>
    partsOf(each).flatMap((part) => (part.kind === 'env' || part.kind === 'file' ? [part] : [])),
  );
  const unique = new Map(parts.map((part) => [part.source, part]));
  return [...unique.values()].map((part) => ({
    kind: part.kind,
    name: part.name,
    found: foundIn(config.table, part),
  }));
}

function foundIn(table: ReferenceTable, { kind, name, fallback }: OutsidePart): ShownOutside['found'] {
  const found = table[kind].get(name);
  if (found !== undefined && 'text' in found) return 'given';
  if (found?.reason === 'forbidden') return 'forbidden';
  return fallback === undefined ? 'missing' : 'fallback';
}
