import { validate } from '../../generated/config-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import type { WrittenValue } from '../model/desired.ts';
import { isCostlyGlob } from '../model/glob.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { Soundness } from '../yaml/soundness.ts';
import { parseYaml, type SourceFile, type YamlTree } from '../yaml/tree.ts';
import { type Gaps, NO_GAPS } from './gaps.ts';
import { partPlaces } from './part-places.ts';
import { parseTemplate, referencesIn } from './reference.ts';
import {
  allowedKeys,
  ENTRY_KEYS,
  keyPlace,
  pointerPart,
  schemaProblems,
  valuePlace,
} from './schema-problem.ts';

/** A field as one file writes it. null means: from here on it is not managed. */
export interface WrittenField {
  readonly value: unknown;
  readonly place: Place;
  /** Where the key of its option or named value stands; absent for what is part of neither. */
  readonly key?: Place;
  /** Where the members of a list stand. */
  readonly members?: readonly Place[];
  /** Where the parts of a list or choice stand, by their pointers in it; only of one that holds references. */
  readonly parts?: ReadonlyMap<string, Place>;
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

/**
 * What one file declares, checked against the schema, with its references parsed but not resolved. What was refused is left
 * out, and told by the gaps.
 */
export interface WrittenFile {
  readonly path: string;
  readonly gaps: Gaps;
  readonly values: ReadonlyMap<string, WrittenField>;
  readonly entries: readonly WrittenEntry[];
}

/** Reads one file's text up to its declared fields: YAML, schema, the syntax of references. Without a value it is no YAML. */
export function parseFile(file: SourceFile): Checked<WrittenFile> {
  const parsed = parseYaml(file);
  const tree = parsed.value;
  if (tree === undefined) return { diagnostics: parsed.diagnostics };
  const misfits = validate(tree.raw) ? [] : schemaProblems(validate.errors ?? [], tree, file.path);
  const reader = new FileReader(file.path, tree);
  const value = reader.read();
  const problems = [...parsed.diagnostics, ...elsewhere(misfits, parsed.diagnostics)];
  return { value, diagnostics: [...problems, ...elsewhere(reader.diagnostics, problems)] };
}

class FileReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #path: string;
  readonly #tree: YamlTree;
  readonly #soundness: Soundness;

  constructor(path: string, tree: YamlTree) {
    this.#path = path;
    this.#tree = tree;
    this.#soundness = tree.soundness;
  }

  read(): WrittenFile {
    const root = this.#partsOf('', this.#tree.raw);
    const values = this.#partsOf('/values', root['values']);
    const integrations = this.#partsOf('/integrations', root['integrations']);
    return {
      path: this.#path,
      values: new Map(Object.entries(values).flatMap(([name, value]) => this.#named(name, value))),
      entries: Object.entries(integrations).flatMap(([name, entry]) => this.#entry(name, entry)),
      gaps: this.#soundness.isWhole ? NO_GAPS : this.#gaps(root, values, integrations),
    };
  }

  #gaps(root: Parts, values: Parts, integrations: Parts): Gaps {
    const isOdd =
      this.#lacks('') ||
      this.#soundness.isBroken('/version') ||
      Object.keys(root).some((key) => !allowedKeys('').includes(key));
    const unsound = (section: string, names: Parts) =>
      Object.keys(names).filter((name) => !this.#soundness.isSound(`${section}/${pointerPart(name)}`));
    const entries = unsound('/integrations', integrations);
    return {
      anyEntry: isOdd || this.#lacks('/integrations'),
      anyValue: isOdd || this.#lacks('/values'),
      entries: new Set(entries),
      selectors: new Set(entries.filter((name) => this.#hidesSelector(name, integrations[name]))),
      values: new Set(unsound('/values', values)),
    };
  }

  /** Whether an entry may select in other ways than it seems to. */
  #hidesSelector(name: string, entry: unknown): boolean {
    const pointer = `/integrations/${pointerPart(name)}`;
    const isSound = ['match', 'expect'].every((key) => this.#soundness.isSound(`${pointer}/${key}`));
    return (
      !isSound || this.#lacks(pointer) || Object.keys(record(entry)).some((key) => !ENTRY_KEYS.includes(key))
    );
  }

  #lacks(pointer: string): boolean {
    return this.#soundness.isBroken(pointer) || this.#soundness.isIncomplete(pointer);
  }

  /** The parts of a map; none where it was refused. */
  #partsOf(pointer: string, raw: unknown): Parts {
    return this.#soundness.isBroken(pointer) ? {} : record(raw);
  }

  #entry(name: string, raw: unknown): WrittenEntry[] {
    const pointer = `/integrations/${pointerPart(name)}`;
    if (this.#soundness.isBroken(pointer)) return [];
    const place = keyPlace(this.#tree, this.#path, pointer);
    const fields = raw === null ? this.#field('', pointer, null) : this.#entryFields(pointer, record(raw));
    return [{ name, place, fields: new Map(fields) }];
  }

  /** A named value, whose key is its name. */
  #named(name: string, value: unknown): [string, WrittenField][] {
    const pointer = `/values/${pointerPart(name)}`;
    return this.#field(name, pointer, value, keyPlace(this.#tree, this.#path, pointer));
  }

  /** A field under its name; nothing where a part of it was refused. */
  #field(
    name: string,
    pointer: string,
    value: unknown,
    key?: Place,
    commentAbove?: string,
  ): [string, WrittenField][] {
    this.#checkReferences(pointer, value);
    if (!this.#soundness.isSound(pointer)) return [];
    const comment = this.#tree.nodes.get(pointer)?.comment ?? commentAbove;
    const field = {
      value,
      place: valuePlace(this.#tree, this.#path, pointer),
      ...present({ key, comment }),
      ...partPlaces(value, (part) => valuePlace(this.#tree, this.#path, `${pointer}${part}`)),
    };
    return [[name, field]];
  }

  #entryFields(pointer: string, raw: Parts): [string, WrittenField][] {
    this.#checkGlobs(`${pointer}/match`, raw['match']);
    return Object.entries(raw).flatMap(([key, value]): [string, WrittenField][] => {
      const child = `${pointer}/${pointerPart(key)}`;
      if (key !== 'options' || value === null) return this.#field(key, child, value);
      return Object.entries(this.#partsOf(child, value)).flatMap(([option, written]) =>
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
      return this.#field(written === null ? path : `${path}/value`, pointer, written, key);
    }
    const comment = this.#tree.nodes.get(pointer)?.comment;
    const attributes = Object.entries(written);
    if (attributes.length === 0 && this.#soundness.isSound(pointer))
      this.diagnostics.push(diagnostic('empty-option', {}, key));
    return attributes.flatMap(([attribute, value]) =>
      this.#field(`${path}/${attribute}`, `${pointer}/${pointerPart(attribute)}`, value, key, comment),
    );
  }

  /** What selects is never resolved: a reference would be read as a glob, whose braces name alternatives. */
  #checkGlobs(pointer: string, selector: unknown): void {
    const globs = typeof selector === 'string' ? [['', selector]] : Object.entries(Object(selector));
    for (const [key, glob] of globs) {
      const place = valuePlace(this.#tree, this.#path, key === '' ? pointer : `${pointer}/${key}`);
      if (referencesIn(glob).length > 0)
        this.diagnostics.push(diagnostic('reference-misplaced', { of: 'match' }, place));
      else if (isCostlyGlob(String(glob))) this.diagnostics.push(diagnostic('glob-too-complex', {}, place));
    }
  }

  #checkReferences(pointer: string, value: unknown): void {
    if (typeof value === 'string') {
      if (this.#soundness.isBroken(pointer)) return;
      for (const problem of new Set(parseTemplate(value).problems))
        this.diagnostics.push(
          diagnostic('reference-syntax', { problem }, valuePlace(this.#tree, this.#path, pointer)),
        );
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value))
        this.#checkReferences(`${pointer}/${pointerPart(key)}`, child);
    }
  }
}

/** The path of all that an entry declares of one option; the key is escaped as in a JSON pointer. */
export function optionPath(key: string): string {
  return `options/${pointerPart(key)}`;
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

type Parts = Readonly<Record<string, unknown>>;

/** An object of the validated file; the schema has said that it is one, or null. */
function record(value: unknown): Parts {
  return typeof value === 'object' && value !== null ? (value as Parts) : {};
}

/** A value of the validated file; the schema has said that it has one of these forms. */
export function asWrittenValue(value: unknown): WrittenValue {
  return value as WrittenValue;
}
