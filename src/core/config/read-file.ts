import { validate } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import { isPermission } from '../model/permission.ts';
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
import type { Declaration, Selector, Stop } from './declaration.ts';
import {
  type EntryPart,
  type NamedValue,
  type NamedValues,
  OPTION_FIELDS,
} from './entry.ts';
import { mayRefer, namesIn, parseText, referencesIn } from './template.ts';

/** The declarations of one file. */
export interface WrittenFile {
  readonly path: string;
  /** Where its entries begin, or its start if it has no place for them. */
  readonly place: Place;
  readonly values: NamedValues;
  readonly entries: readonly EntryPart[];
}

/** Reads one file's text up to its declarations: YAML, schema, the syntax of references. All problems at once. */
export function parseFile(file: SourceFile): Checked<WrittenFile> {
  const { value: root, diagnostics: problems } = checkFile(file, validate);
  if (root === undefined) return { diagnostics: problems };
  const { path } = file;
  const reader = new FileReader();
  const values = reader.namedValues(childOf(root, 'values'));
  const written = pairsOf(root).find(({ key }) => key === 'integrations');
  const entries = pairsOf(written?.value).map((pair) => reader.entry(pair));
  const diagnostics = [...problems, ...elsewhere(reader.diagnostics, problems)];
  if (diagnostics.length > 0) return { diagnostics };
  const place = written?.keyPlace ?? { file: path, line: 1, column: 1 };
  return { value: { path, place, values, entries }, diagnostics };
}

/** The common part of the declarations of an option. */
interface About {
  readonly entry: string;
  readonly option: string;
  readonly keyPlace: Place;
  /** The comment at its key belongs to all of its fields. */
  readonly comment?: string | undefined;
}

/** Makes declarations of the nodes of a tree that fit the schema. */
class FileReader {
  readonly diagnostics: Diagnostic[] = [];
  #declarations: Declaration[] = [];

  namedValues(node: YamlNode | undefined): NamedValues {
    const values = new Map<string, NamedValue>();
    for (const { key, keyPlace: namePlace, value: written } of pairsOf(node)) {
      const { place } = written;
      const value = isNull(written) ? null : this.#value(written);
      if (value === undefined) continue;
      if (value !== null && namesIn(value).length > 0) {
        const problem = 'A named value cannot refer to another named value.';
        this.#refuse(problem, place);
      }
      const members = membersOf(written);
      values.set(key, { value, place, namePlace, members });
    }
    return values;
  }

  entry({ key: name, keyPlace: place, value: node }: YamlPair): EntryPart {
    const declarations: Declaration[] = [];
    this.#declarations = declarations;
    if (isNull(node)) this.#stop({ entry: name, field: 'entry' }, node);
    for (const pair of pairsOf(node)) this.#ofEntry(name, pair);
    return { name, place, declarations };
  }

  #ofEntry(entry: string, pair: YamlPair): void {
    const { key: field, value: node, comment } = pair;
    const declarations = this.#declarations;
    if (field === 'options') {
      if (isNull(node)) this.#stop({ entry, field }, node);
      for (const option of pairsOf(node)) this.#option(entry, option);
      return;
    }
    const declared = { entry, place: node.place, comment };
    const flag = isNull(node) ? null : booleanOf(node);
    const expect = EXPECT.find((word) => word === textOf(node));
    if (field === 'match') {
      declarations.push({ ...declared, field, value: this.#selector(node) });
    }
    if (field === 'expect' && expect !== undefined) {
      declarations.push({ ...declared, field, value: expect });
    }
    if (field === 'autosubscribe' && flag !== undefined) {
      declarations.push({ ...declared, field, value: flag });
    }
  }

  /** One option in its short or long form. */
  #option(entry: string, pair: YamlPair): void {
    const { key: option, keyPlace, value: node, comment } = pair;
    if (hasReference(option)) {
      this.#refuse('An option key cannot contain references.', keyPlace);
    }
    const about = { entry, option, keyPlace, comment };
    if (isNull(node)) {
      this.#stop({ entry, option, keyPlace, field: 'option' }, node);
    } else if (node.kind !== 'map' || childOf(node, 'display') !== undefined) {
      this.#ofOption(about, 'value', pair);
    } else {
      for (const field of node.pairs) this.#ofOption(about, field.key, field);
    }
  }

  #ofOption(about: About, key: string, pair: YamlPair): void {
    const { value: node, comment = about.comment } = pair;
    const field = OPTION_FIELDS.find((word) => word === key);
    if (field === undefined) return;
    const declarations = this.#declarations;
    const declared = { ...about, comment, place: node.place };
    if (isNull(node)) {
      declarations.push({ ...declared, field, value: null });
      return;
    }
    const text = textOf(node);
    const flag = booleanOf(node);
    const value = field === 'value' ? this.#value(node) : undefined;
    if (field === 'value' && value !== undefined) {
      const members = membersOf(node);
      declarations.push({ ...declared, field, value, members });
    }
    if (field === 'permission' && isPermission(text)) {
      declarations.push({ ...declared, field, value: text });
    }
    if (field === 'sensitive' && flag !== undefined) {
      declarations.push({ ...declared, field, value: flag });
    }
    if (field === 'rotated' && text !== undefined) {
      declarations.push({ ...declared, field, value: text });
    }
  }

  /** A selector cannot contain references: their braces would be read as the alternatives of a glob. */
  #selector(node: YamlNode): Selector {
    if (node.kind !== 'map') return { id: this.#glob(node) };
    return Object.fromEntries(
      node.pairs.map(({ key, value }) => [key, this.#glob(value)]),
    );
  }

  #glob(node: YamlNode): string {
    const glob = textOf(node) ?? '';
    if (hasReference(glob)) {
      this.#refuse('A match cannot contain references.', node.place);
    } else if (isCostlyGlob(glob)) {
      this.diagnostics.push(diagnostic('too-large', COSTLY, node.place));
    }
    return glob;
  }

  /** A value; undefined in another form. */
  #value(node: YamlNode): WrittenValue | undefined {
    if (node.kind !== 'list') return this.#single(node);
    return node.items.flatMap((item) => this.#single(item) ?? []);
  }

  #single(node: YamlNode): Scalar | Choice | undefined {
    if (node.kind === 'scalar') return this.#scalar(node);
    const display = this.#scalar(childOf(node, 'display'));
    const value = this.#scalar(childOf(node, 'value'));
    if (typeof display !== 'string' || typeof value !== 'string') {
      return undefined;
    }
    return { display, value };
  }

  #scalar(node: YamlNode | undefined): Scalar | undefined {
    const value = scalarOf(node) ?? undefined;
    if (typeof value !== 'string' || !mayRefer(value)) return value;
    const place = node?.place;
    const { references, problems } = parseText(value);
    for (const problem of new Set(problems)) {
      this.diagnostics.push(diagnostic('reference-syntax', { problem }, place));
    }
    const own = new Set<string>();
    for (const { kind, name } of references) {
      if (kind === 'env' && isOwnCredential(name)) own.add(name);
    }
    for (const name of own) {
      const facts = { name, isOwn: true } as const;
      this.diagnostics.push(diagnostic('reference-not-allowed', facts, place));
    }
    return value;
  }

  #stop(stop: Omit<Stop, 'value' | 'place'>, { place }: YamlNode): void {
    this.#declarations.push({ ...stop, value: null, place });
  }

  #refuse(problem: string, place: Place): void {
    const facts = { problem, hint: 'Write it out.' };
    this.diagnostics.push(diagnostic('reference-syntax', facts, place));
  }
}

const EXPECT = ['one', 'optional', 'any'] as const;

const COSTLY = { of: 'stars in this glob, or too many alternatives', limit: 3 };

function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** True for a null, which stops the management of its field. */
function isNull(node: YamlNode): boolean {
  return scalarOf(node) === null;
}

function membersOf(node: YamlNode): readonly Place[] | undefined {
  if (node.kind !== 'list') return undefined;
  return node.items.map(({ place }) => place);
}

function booleanOf(node: YamlNode): boolean | undefined {
  const value = scalarOf(node);
  return typeof value === 'boolean' ? value : undefined;
}
