import { validate } from '../../generated/config-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic, elsewhere } from '../diagnostic.ts';
import type { Place, WrittenValue } from '../model.ts';
import { parseTemplate, referencesIn } from './reference.ts';
import { keyPlace, schemaProblems, valuePlace } from './schema-problem.ts';
import { parseYaml, type SourceFile, type YamlTree } from './yaml-tree.ts';

/** A field as one file writes it. null means: from here on it is not managed. */
export interface WrittenField {
  readonly value: unknown;
  readonly place: Place;
  /** Where the key of its option or named value stands; absent for what is part of neither. */
  readonly key?: Place;
  /** Where the members of a list stand. */
  readonly members?: readonly Place[];
  readonly comment?: string;
}

/**
 * One entry of one file, flat: each field under its path, `match`, `expect`, `autosubscribe` or `options/<key>/<attribute>`.
 * A null at a shorter path (`options/<key>`, `options`, or '' for the entry) stands for all fields below it.
 */
export interface WrittenEntry {
  readonly name: string;
  readonly place: Place;
  readonly fields: ReadonlyMap<string, WrittenField>;
}

/** What one file declares, checked against the schema, with its references parsed but not resolved. */
export interface WrittenFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, WrittenField>;
  readonly entries: readonly WrittenEntry[];
}

/** Reads one file's text up to its declared fields: YAML, schema, the syntax of references. */
export function parseFile(file: SourceFile): Checked<WrittenFile> {
  const parsed = parseYaml(file);
  const tree = parsed.value;
  if (tree === undefined) return { diagnostics: parsed.diagnostics };
  const misfits = validate(tree.raw) ? [] : schemaProblems(validate.errors ?? [], tree, file.path);
  const problems = [...parsed.diagnostics, ...elsewhere(misfits, parsed.diagnostics)];
  if (problems.length > 0) return { diagnostics: problems };
  const reader = new FileReader(file.path, tree);
  const raw = record(tree.raw);
  const values = new Map(
    Object.keys(record(raw['values'])).map((name) => [name, reader.named(name, record(raw['values'])[name])]),
  );
  const integrations = record(raw['integrations']);
  const entries = Object.entries(integrations).map(([name, entry]) => reader.entry(name, entry));
  return { value: { path: file.path, values, entries }, diagnostics: reader.diagnostics };
}

class FileReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #path: string;
  readonly #tree: YamlTree;

  constructor(path: string, tree: YamlTree) {
    this.#path = path;
    this.#tree = tree;
  }

  entry(name: string, raw: unknown): WrittenEntry {
    const pointer = `/integrations/${name}`;
    const place = keyPlace(this.#tree, this.#path, pointer);
    const fields =
      raw === null ? [['', this.#field(pointer, null)] as const] : this.#entryFields(pointer, record(raw));
    return { name, place, fields: new Map(fields) };
  }

  /** A named value, whose key is its name. */
  named(name: string, value: unknown): WrittenField {
    return this.#field(`/values/${name}`, value, keyPlace(this.#tree, this.#path, `/values/${name}`));
  }

  #field(pointer: string, value: unknown, key?: Place, commentAbove?: string): WrittenField {
    this.#checkReferences(pointer, value);
    const comment = this.#tree.nodes.get(pointer)?.comment ?? commentAbove;
    return {
      value,
      place: valuePlace(this.#tree, this.#path, pointer),
      ...(key === undefined ? {} : { key }),
      ...(Array.isArray(value) ? { members: this.#members(pointer, value) } : {}),
      ...(comment === undefined ? {} : { comment }),
    };
  }

  #members(pointer: string, list: readonly unknown[]): Place[] {
    return list.map((_, index) => valuePlace(this.#tree, this.#path, `${pointer}/${index}`));
  }

  #entryFields(pointer: string, raw: Readonly<Record<string, unknown>>): [string, WrittenField][] {
    this.#refuseReferences(`${pointer}/match`, raw['match']);
    return Object.entries(raw).flatMap(([key, value]): [string, WrittenField][] => {
      if (key !== 'options' || value === null) return [[key, this.#field(`${pointer}/${key}`, value)]];
      return Object.entries(record(value)).flatMap(([option, written]) =>
        this.#optionFields(optionPath(option), `${pointer}/${optionPath(option)}`, written),
      );
    });
  }

  /** The fields of one option, each with the place of the option's key. A comment at the key belongs to all of them. */
  #optionFields(path: string, pointer: string, written: unknown): [string, WrittenField][] {
    const key = keyPlace(this.#tree, this.#path, pointer);
    if (referencesIn(unescapeKey(path)).length > 0)
      this.diagnostics.push(diagnostic('reference-misplaced', { of: 'key' }, key));
    if (!isLongForm(written)) {
      return [[written === null ? path : `${path}/value`, this.#field(pointer, written, key)]];
    }
    const comment = this.#tree.nodes.get(pointer)?.comment;
    const attributes = Object.entries(written);
    if (attributes.length === 0) this.diagnostics.push(diagnostic('empty-option', {}, key));
    return attributes.map(([attribute, value]) => [
      `${path}/${attribute}`,
      this.#field(`${pointer}/${attribute}`, value, key, comment),
    ]);
  }

  /** What selects is never resolved: a reference would be read as a glob, whose braces name alternatives. */
  #refuseReferences(pointer: string, selector: unknown): void {
    const globs = typeof selector === 'string' ? [['', selector]] : Object.entries(Object(selector));
    for (const [key, glob] of globs) {
      if (referencesIn(glob).length === 0) continue;
      const place = valuePlace(this.#tree, this.#path, key === '' ? pointer : `${pointer}/${key}`);
      this.diagnostics.push(diagnostic('reference-misplaced', { of: 'match' }, place));
    }
  }

  #checkReferences(pointer: string, value: unknown): void {
    if (typeof value === 'string') {
      const template = parseTemplate(value);
      if (template.ok) return;
      const place = valuePlace(this.#tree, this.#path, pointer);
      this.diagnostics.push(diagnostic('reference-syntax', { problem: template.problem }, place));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value))
        this.#checkReferences(`${pointer}/${escapePointer(key)}`, child);
    }
  }
}

/** The path of all that an entry declares of one option; the key is escaped as in a JSON pointer. */
export function optionPath(key: string): string {
  return `options/${escapePointer(key)}`;
}

/** The keys of the options that a set of field paths speaks of, in order. */
export function optionKeysOf(paths: Iterable<string>): string[] {
  const keys = [...paths].flatMap((path) => {
    const part = path.startsWith('options/') ? path.split('/')[1] : undefined;
    return part === undefined ? [] : [unescapeKey(part)];
  });
  return [...new Set(keys)].sort(compareText);
}

/** The long form of an option is an object without `display`; with one it is a select. */
function isLongForm(written: unknown): written is Readonly<Record<string, unknown>> {
  return (
    typeof written === 'object' && written !== null && !Array.isArray(written) && !('display' in written)
  );
}

/** A key as it was before it became a part of a path. */
export function unescapeKey(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An object of the validated file; the schema has said that it is one, or null. */
function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A value of the validated file; the schema has said that it has one of these forms. */
export function asWrittenValue(value: unknown): WrittenValue {
  return value as WrittenValue;
}
