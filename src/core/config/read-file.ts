import { validate } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { present } from '../model/json.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import type { Place, SourceFile } from '../model/place.ts';
import type { Choice, Scalar, WrittenValue } from '../model/value.ts';
import {
  childOf,
  pairsOf,
  scalarOf,
  textOf,
  type YamlNode,
  type YamlPair,
} from '../yaml/node.ts';
import { checkFile } from './checked-file.ts';
import type {
  Entry,
  Field,
  OptionEntry,
  selectorOf,
  Template,
  WrittenConfig,
} from './entry.ts';
import { namesIn, parseText } from './template.ts';

/** What one file declares. */
export interface WrittenFile extends WrittenConfig {
  readonly path: string;
  /** Where its entries begin, or its start if it has no place for them. */
  readonly place: Place;
}

/** The files of each layer of a configuration, earliest layer first. */
export type WrittenLayers = readonly (readonly WrittenFile[])[];

/** Reads one file's text up to its typed entries: YAML, schema, the syntax of references. All problems at once. */
export function parseFile(file: SourceFile): Checked<WrittenFile> {
  const { value: root, diagnostics: problems } = checkFile(file, validate);
  if (root === undefined) return { diagnostics: problems };
  const reader = new FileReader();
  const { path } = file;
  const place = entriesPlace(root) ?? { file: path, line: 1, column: 1 };
  const value = { path, place, ...reader.read(root) };
  const diagnostics = [...problems, ...elsewhere(reader.diagnostics, problems)];
  return diagnostics.length > 0 ? { diagnostics } : { value, diagnostics };
}

function entriesPlace(root: YamlNode): Place | undefined {
  return pairsOf(root).find(({ key }) => key === 'integrations')?.keyPlace;
}

/** Makes typed entries of a tree, from those nodes that have the form that the schema asks for. */
class FileReader {
  readonly diagnostics: Diagnostic[] = [];

  read(root: YamlNode): WrittenConfig {
    return {
      values: new Map(
        pairsOf(childOf(root, 'values')).flatMap((pair) => this.#named(pair)),
      ),
      entries: pairsOf(childOf(root, 'integrations')).map((pair) =>
        this.#entry(pair),
      ),
    };
  }

  #named(pair: YamlPair) {
    const field = this.#template(pair);
    if (field === undefined) return [];
    if (namesIn(field.value).length > 0)
      this.#refuse(
        'A named value cannot refer to another named value.',
        field.place,
      );
    return [[pair.key, { ...field, namePlace: pair.keyPlace }] as const];
  }

  #entry({
    key: name,
    keyPlace: place,
    value: node,
  }: YamlPair): Entry<Template> {
    const pairs = new Map(pairsOf(node).map((each) => [each.key, each]));
    const stopped = stopOf(node);
    const options = pairs.get('options')?.value;
    return {
      name,
      place,
      ...present({
        stopped,
        match: fieldOf(pairs.get('match'), (match) => this.#selector(match)),
        expect: fieldOf(pairs.get('expect'), (word) =>
          EXPECT.find((each) => each === textOf(word)),
        ),
        autosubscribe:
          stopped ?? fieldOf(pairs.get('autosubscribe'), booleanOf),
        optionsStopped: stopped ?? stopOf(options),
      }),
      options: new Map(
        pairsOf(options).map((each) => [each.key, this.#option(name, each)]),
      ),
    };
  }

  /** One option in its short or long form. A comment at the key belongs to all of its fields. */
  #option(name: string, pair: YamlPair): OptionEntry<Template> {
    const { key, keyPlace: place, value: node } = pair;
    const own = { key, place, address: `${name}.options.${key}` };
    if (hasReference(key))
      this.#refuse('An option key cannot contain references.', place);
    const stopped = stopOf(node);
    if (stopped !== undefined) return { ...own, stopped };
    const isLong =
      node.kind === 'map' && childOf(node, 'display') === undefined;
    const fields = isLong
      ? node.pairs.map((each) => ({ ...pair, ...each }))
      : [{ ...pair, key: 'value' }];
    const pairs = new Map(fields.map((each) => [each.key, each]));
    return {
      ...own,
      ...present({
        value: this.#template(pairs.get('value')),
        permission: fieldOf(pairs.get('permission'), permissionOf),
        sensitive: fieldOf(pairs.get('sensitive'), booleanOf),
        rotated: fieldOf(pairs.get('rotated'), textOf),
      }),
    };
  }

  /** A selector cannot contain references: their braces would be read as the alternatives of a glob. */
  #selector(node: YamlNode): ReturnType<typeof selectorOf> {
    const globs =
      node.kind === 'map' ? node.pairs : [{ key: 'id', value: node }];
    return Object.fromEntries(
      globs.map(({ key, value: { place }, value }) => {
        const glob = textOf(value) ?? '';
        if (hasReference(glob))
          this.#refuse('A match cannot contain references.', place);
        else if (isCostlyGlob(glob))
          this.diagnostics.push(diagnostic('too-large', COSTLY, place));
        return [key, glob];
      }),
    );
  }

  #template(pair: YamlPair | undefined): Template | undefined {
    const field = fieldOf(pair, (node) => this.#value(node));
    const members =
      pair?.value.kind === 'list'
        ? pair.value.items.map(({ place }) => place)
        : undefined;
    return field && { ...field, ...present({ members }) };
  }

  #value(node: YamlNode): WrittenValue | undefined {
    return node.kind === 'list'
      ? node.items.flatMap((item) => this.#single(item) ?? [])
      : this.#single(node);
  }

  #single(node: YamlNode): Scalar | Choice | undefined {
    if (node.kind === 'scalar') return this.#scalar(node);
    const [display, value] = ['display', 'value'].map((key) =>
      this.#scalar(childOf(node, key)),
    );
    return typeof display === 'string' && typeof value === 'string'
      ? { display, value }
      : undefined;
  }

  #scalar(node: YamlNode | undefined): Scalar | undefined {
    const value = scalarOf(node) ?? undefined;
    if (typeof value !== 'string') return value;
    const place = node?.place;
    const { references, problems } = parseText(value);
    for (const problem of new Set(problems))
      this.diagnostics.push(diagnostic('reference-syntax', { problem }, place));
    const own = references.filter(
      ({ kind, name }) => kind === 'env' && isOwnCredential(name),
    );
    for (const name of new Set(own.map((each) => each.name)))
      this.diagnostics.push(
        diagnostic('reference-not-allowed', { name, isOwn: true }, place),
      );
    return value;
  }

  #refuse(problem: string, place: Place): void {
    this.diagnostics.push(
      diagnostic('reference-syntax', { problem, hint: 'Write it out.' }, place),
    );
  }
}

const EXPECT = ['one', 'optional', 'any'] as const;

const COSTLY = { of: 'stars in this glob, or too many alternatives', limit: 3 };

function hasReference(text: string): boolean {
  return parseText(text).references.length > 0;
}

/** A field with its place; undefined where it is absent or has another form. */
function fieldOf<T>(
  pair: YamlPair | undefined,
  decode: (node: YamlNode) => T | undefined,
): Field<T> | undefined {
  if (pair === undefined || pair.value.isRefused === true) return undefined;
  const { place } = pair.value;
  const value = scalarOf(pair.value) === null ? null : decode(pair.value);
  return value === undefined
    ? undefined
    : { value, place, ...present({ comment: pair.comment }) };
}

/** The null that stops the management of an option, of all options, or of an entry. */
function stopOf(node: YamlNode | undefined): Field<never> | undefined {
  return node !== undefined && scalarOf(node) === null
    ? { value: null, place: node.place }
    : undefined;
}

function booleanOf(node: YamlNode): boolean | undefined {
  const value = scalarOf(node);
  return typeof value === 'boolean' ? value : undefined;
}

function permissionOf(node: YamlNode): Permission | undefined {
  const text = textOf(node) ?? '';
  return isPermission(text) ? text : undefined;
}
