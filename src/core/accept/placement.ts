import { isAlias, isScalar } from 'yaml';
import { PROJECT_FILE } from '../config/project.ts';
import { parseText } from '../config/template.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import type { Place } from '../model/place.ts';
import { additionEdits } from './additions.ts';
import { type Fed, fedBy } from './beside.ts';
import type { EditedFile, EditedServer, WantedField } from './editing.ts';
import { fieldKey } from './editing.ts';
import { declaringEntry, newEntry } from './overriding-entry.ts';
import { type Group, hasOneValue, withAliases } from './placed-groups.ts';
import { placeKey, type ReadServer, realPaths } from './reading.ts';
import { addition, treeOf } from './tree-text.ts';
import {
  aliasesOf,
  isPartAliased,
  type Located,
  targetOf,
  type YamlSource,
  yamlSource,
} from './yaml-source.ts';

/** Where a field is written: over the value at a place, into a file, or into a new file of a layer. */
type Target =
  | { readonly kind: 'replace'; readonly real: string; readonly place: Place }
  | {
      readonly kind: 'add';
      readonly real: string;
      readonly entry: string;
      /** The glob of an entry that is new; absent where the entry is there, or is named like what it means. */
      readonly match?: string | undefined;
    }
  | {
      readonly kind: 'create';
      readonly layer: number;
      readonly path: string;
      readonly real: string;
      readonly entry: string;
      readonly match?: string | undefined;
    };

type AddingTarget = Exclude<Target, { readonly kind: 'replace' }>;

/** Fields that one edit takes back. */
export interface Placed {
  readonly fields: readonly WantedField[];
  readonly target: Target;
}

/** Finds where fields are to be written. */
export class Placement {
  readonly refused: Diagnostic[] = [];
  readonly #servers: readonly ReadServer[];
  readonly #fed: (place: Place) => readonly Fed[];
  readonly #realOf: (path: string) => string;
  readonly #files: ReadonlyMap<string, EditedFile>;
  readonly #users: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #sources = new Map<string, YamlSource>();

  constructor(servers: readonly ReadServer[]) {
    this.#servers = servers;
    this.#fed = fedBy(servers);
    this.#realOf = realPaths(servers.map(({ server }) => server));
    const files = servers.flatMap(({ server: { name, layers } }) =>
      layers.flatMap((layer) => layer.files.map((file) => ({ file, name }))),
    );
    this.#files = new Map(files.map(({ file }) => [file.real, file]));
    const users = [...grouped(files, ({ file }) => file.real)];
    this.#users = new Map(users.map(([real, all]) => [real, new Set(all.map(({ name }) => name))]));
  }

  /** The text of a file as it can be edited, by its real path. */
  source(real: string): YamlSource {
    const known = this.#sources.get(real) ?? yamlSource(this.#files.get(real) ?? { path: real, text: '' });
    this.#sources.set(real, known);
    return known;
  }

  /** The path of a file as people name it. */
  pathOf(real: string): string {
    return this.#files.get(real)?.path ?? real;
  }

  /** The value at a place. */
  located(place: Place): Located | undefined {
    return this.source(this.#realOf(place.file)).at(place);
  }

  /**
   * Where to write fields: where each is declared, if that feeds nothing else or what it feeds is taken back too, else in a
   * layer of its server's own. With `everywhere` always where the value comes from.
   */
  place(wanted: readonly WantedField[], everywhere: boolean): Placed[] {
    const placeOf = ({ server, place }: WantedField) => (everywhere ? this.origin(server, place) : place);
    const groups = grouped(
      wanted.map((field) => ({ field, place: placeOf(field) })),
      ({ place }) => placeKey(place, this.#realOf(place.file)),
    );
    const all = [...groups].map(([key, group]): Group => {
      const fields = group.map(({ field }) => field);
      return { key, fields, place: group[0]?.place ?? { file: '', line: 1, column: 1 } };
    });
    if (everywhere) return all.flatMap((group) => this.#placeEverywhere(group));
    const { joined, isFree } = withAliases(
      all,
      (group) => this.#isAlone(group),
      ({ place }) => this.#aliasesOf(place),
    );
    return all.flatMap((group) => {
      if (joined.has(group.key)) return [];
      const aliases = all.filter(({ key }) => joined.get(key) === group);
      const fields = [group, ...aliases].flatMap((each) => each.fields);
      return isFree.has(group.key) ? [this.#here(group.place, fields)] : this.#placeElsewhere(group);
    });
  }

  #here(place: Place, fields: readonly WantedField[]): Placed {
    return { fields, target: { kind: 'replace', real: this.#realOf(place.file), place } };
  }

  #placeEverywhere({ fields, place }: Group): Placed[] {
    if (hasOneValue(fields)) return [this.#here(place, fields)];
    const sides = fields.map(({ server, address }) => `${server}: ${address}`);
    const isOneField = new Set(fields.map(({ address }) => address)).size === 1;
    this.refused.push(diagnostic('accept-disagrees', { sides, isOneField }, place));
    return [];
  }

  /** What else has its value from the place of some fields. */
  #others({ fields, place }: Group): readonly Fed[] {
    const own = new Set(fields.map(fieldKey));
    return this.#fed(place).filter(({ key }) => !own.has(key));
  }

  /** Whether the place of some fields is theirs alone, but for aliases of the very value. */
  #isAlone(group: Group): boolean {
    return this.#others(group).length === 0 && hasOneValue(group.fields) && !this.#isPartNamed(group);
  }

  #isPartNamed({ place }: Group): boolean {
    const located = this.located(place);
    return located !== undefined && isPartAliased(this.source(this.#realOf(place.file)), located);
  }

  /** The keys of the places that have a value by an alias. */
  #aliasesOf(place: Place): string[] {
    const real = this.#realOf(place.file);
    const located = this.located(place);
    const places = located === undefined ? [] : aliasesOf(this.source(real), located.value);
    return places.map((each) => placeKey(each, real));
  }

  #placeElsewhere(group: Group): Placed[] {
    const isNamed = this.#isPartNamed(group) || this.#aliasesOf(group.place).length > 0;
    return group.fields.flatMap((field) => this.#inOwnLayer(field, this.#others(group), isNamed));
  }

  /** Writes a field into the last layer that its server has for itself, and that overrides the place where it is declared. */
  #inOwnLayer(field: WantedField, others: readonly Fed[], isNamed: boolean): Placed[] {
    const found = this.#servers.find(({ server }) => server.name === field.server);
    const target = found && this.#ownTarget(found, field);
    if (target !== undefined) return [{ fields: [field], target }];
    const fed = others.map(({ server, address }) =>
      server === field.server ? address : `${server}: ${address}`,
    );
    const { address, server } = field;
    this.refused.push(diagnostic('accept-shared', { address, server, fed, isNamed }, field.place));
    return [];
  }

  #ownTarget({ server, reading }: ReadServer, field: WantedField): AddingTarget | undefined {
    const { entry: declaring, isDefault } = declaringEntry(reading, field);
    const isNew =
      isDefault && declaring === field.id && !reading.config.some(({ name }) => name === declaring);
    const { entry, match } = isNew ? newEntry({ server, reading }, field.id) : { entry: declaring };
    const real = this.#realOf(field.place.file);
    const declared = server.layers.findLastIndex(({ files }) => files.some((file) => file.real === real));
    // A specific entry overrides defaults, whatever the layers of the two.
    const first = isDefault ? 0 : declared + 1;
    const targets = server.layers
      .map((_, layer) => layer)
      .slice(first)
      .reverse()
      .flatMap((layer) => this.#targetIn(server, layer, entry) ?? []);
    const target = targets.find((each) => this.#takes(each, field)) ?? targets[0];
    return target && { ...target, match };
  }

  /** Whether a field can be added to an entry as it stands: an alias there, or of what is there, is used for other things. */
  #takes({ kind, real, entry }: AddingTarget, field: WantedField): boolean {
    const tree = treeOf([addition(entry, field)]);
    return kind === 'create' || typeof additionEdits(this.source(real), tree) !== 'string';
  }

  #targetIn({ layers }: EditedServer, layer: number, entry: string): AddingTarget | undefined {
    const { files, folder } = layers[layer] ?? { files: [] };
    const own = files.filter(({ real }) => this.#users.get(real)?.size === 1);
    const holding = own.find(({ real }) => this.#hasEntry(real, entry));
    if (holding !== undefined) return { kind: 'add', real: holding.real, entry };
    const last = own.at(-1);
    if (last === undefined) return undefined;
    const file = `${entry.replace(/[^\w-]+/g, '-')}.yaml`;
    const isTaken = files.some(({ path }) => path.toLowerCase() === `${folder?.path}/${file}`.toLowerCase());
    const isOwn = folder !== undefined && own.length === files.length;
    if (!isOwn || isTaken || file === PROJECT_FILE) return { kind: 'add', real: last.real, entry };
    return { kind: 'create', layer, entry, path: `${folder.path}/${file}`, real: `${folder.real}/${file}` };
  }

  #hasEntry(real: string, entry: string): boolean {
    return this.source(real).doc.hasIn(['integrations', entry]);
  }

  /** Where a value comes from: through aliases and named values, as far as these are all of it. */
  origin(server: string, place: Place, left = MOST_STEPS): Place {
    const source = this.source(this.#realOf(place.file));
    const value = source.at(place)?.value;
    if (value === undefined || left === 0) return place;
    const next = isAlias(value) ? targetOf(source, value)?.value : undefined;
    if (next !== undefined) {
      const [from, to] = next.range ?? [0, 0];
      return this.origin(server, { ...source.placeOf(from, to), file: place.file }, left - 1);
    }
    const text = isScalar(value) && typeof value.value === 'string' ? parseText(value.value).parts : [];
    const [only, second] = text;
    if (only?.kind !== 'value' || second !== undefined) return place;
    const named = this.#namedPlace(server, only.name);
    return named === undefined ? place : this.origin(server, named, left - 1);
  }

  #namedPlace(server: string, name: string): Place | undefined {
    const layers = this.#servers.find((each) => each.server.name === server)?.server.layers ?? [];
    for (const { path, real } of layers.flatMap(({ files }) => files).reverse()) {
      const source = this.source(real);
      const node = source.doc.getIn(['values', name], true);
      const range = isScalar(node) || isAlias(node) ? node.range : undefined;
      if (range) return { ...source.placeOf(range[0], range[1]), file: path };
    }
    return undefined;
  }
}

/** How many aliases and named values are followed. */
const MOST_STEPS = 16;
