import { configSchema } from '../../generated/config-schema.ts';
import { validate } from '../../generated/config-validator.js';
import { type Checked, type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/glob.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import type { SourceText } from '../model/place.ts';
import { present } from '../model/present.ts';
import { childOf, dataOf, isNull, pairsOf, textOf, type YamlNode, type YamlPair } from '../yaml/node.ts';
import { parseYaml, type SourceFile } from '../yaml/tree.ts';
import type { Entry, Expect, Field, NamedValue, OptionEntry, Selector, WrittenFile } from './entry.ts';
import { hiddenIn } from './hidden.ts';
import { schemaProblems } from './schema-problem.ts';
import { parseText, type SingleTemplate, type Template, type TextTemplate } from './template.ts';

/** A file as far as it could be read: a value only where nothing is wrong with it. */
export interface ReadFile extends Checked<WrittenFile> {
  /** The parts of its text that are no one's business; undefined where it is no YAML. */
  readonly hidden: SourceText['hidden'];
}

/** Reads one file's text up to its typed entries: YAML, schema, the syntax of references. All problems at once. */
export function readFile(file: SourceFile): ReadFile {
  const { value: root, diagnostics } = parseYaml(file);
  if (root === undefined) return { diagnostics, hidden: undefined };
  const misfits = validate(dataOf(root)) ? [] : schemaProblems(validate.errors ?? [], root, configSchema);
  const reader = new FileReader(file.path);
  const value = reader.read(root);
  const problems = [...diagnostics, ...elsewhere(misfits, diagnostics)];
  const found = [...problems, ...elsewhere(reader.diagnostics, problems)];
  return {
    diagnostics: found,
    hidden: () => hiddenIn(root),
    ...(found.length > 0 ? {} : { value }),
  };
}

/** Makes typed entries of a tree, as far as its nodes have the form that the schema asks for. */
class FileReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(root: YamlNode): WrittenFile {
    return {
      path: this.#path,
      values: new Map(pairsOf(childOf(root, 'values')).flatMap((pair) => this.#named(pair))),
      entries: pairsOf(childOf(root, 'integrations')).map((pair) => this.#entry(pair)),
    };
  }

  #named(pair: YamlPair): [string, NamedValue][] {
    const field = this.#field(pair, (node) => this.#template(node));
    return field === undefined ? [] : [[pair.key, { ...field, namePlace: pair.keyPlace }]];
  }

  #entry({ key: name, keyPlace: place, value: node }: YamlPair): Entry<Template> {
    if (isNull(node)) return { name, place, ...stoppedEntry(node) };
    const pairs = new Map(pairsOf(node).map((pair) => [pair.key, pair]));
    const options = pairs.get('options')?.value;
    const field = <T>(key: string, decode: (node: YamlNode) => T | undefined) =>
      this.#field(pairs.get(key), decode);
    return {
      name,
      place,
      ...present({
        match: field('match', (found) => this.#selector(found)),
        expect: field('expect', expectOf),
        autosubscribe: field('autosubscribe', booleanOf),
        optionsStopped: options !== undefined && isNull(options) ? options.place : undefined,
      }),
      options: new Map(pairsOf(options).map((pair) => [pair.key, this.#option(pair)])),
    };
  }

  /** One option in its short or long form. A comment at the key belongs to all of its fields. */
  #option(pair: YamlPair): OptionEntry<Template> {
    const { key, keyPlace: place, value: node } = pair;
    if (parseText(key).parts.some(({ kind }) => kind !== 'text'))
      this.diagnostics.push(diagnostic('reference-misplaced', { of: 'key' }, place));
    if (isNull(node)) return { key, place, stopped: node.place };
    const isLong = node.kind === 'map' && childOf(node, 'display') === undefined;
    const pairs = new Map(
      (isLong ? node.pairs : [{ ...pair, key: 'value' }]).map((each) => [each.key, each]),
    );
    const field = <T>(name: string, decode: (node: YamlNode) => T | undefined) => {
      const own = pairs.get(name);
      return this.#field(own === undefined ? undefined : { ...pair, ...own }, decode);
    };
    return {
      key,
      place,
      ...present({
        value: field('value', (found) => this.#template(found)),
        permission: field('permission', permissionOf),
        sensitive: field('sensitive', booleanOf),
      }),
    };
  }

  /** A field with its place; undefined where it is not there or has another form. */
  #field<T>(pair: YamlPair | undefined, decode: (node: YamlNode) => T | undefined): Field<T> | undefined {
    if (pair === undefined || pair.value.isRefused === true) return undefined;
    const { place } = pair.value;
    const value = isNull(pair.value) ? null : decode(pair.value);
    return value === undefined ? undefined : { value, place, ...present({ comment: pair.comment }) };
  }

  /** What selects is never resolved: a reference would be read as a glob, whose braces name alternatives. */
  #selector(node: YamlNode): Selector {
    const globs = node.kind === 'map' ? node.pairs : [{ key: 'id', value: node }];
    for (const { value } of globs) {
      const glob = textOf(value) ?? '';
      if (parseText(glob).parts.some(({ kind }) => kind !== 'text'))
        this.diagnostics.push(diagnostic('reference-misplaced', { of: 'match' }, value.place));
      else if (isCostlyGlob(glob)) this.diagnostics.push(diagnostic('glob-too-complex', {}, value.place));
    }
    return Object.fromEntries(globs.map(({ key, value }) => [key, textOf(value) ?? '']));
  }

  #template(node: YamlNode): Template | undefined {
    if (node.kind !== 'list') return this.#single(node);
    return { kind: 'list', items: node.items.flatMap((item) => this.#single(item) ?? []), place: node.place };
  }

  #single(node: YamlNode): SingleTemplate | undefined {
    const { place } = node;
    if (node.kind === 'scalar') return this.#scalar(node);
    const [display, value] = ['display', 'value'].map((key) => this.#scalar(childOf(node, key)));
    return display === undefined || value === undefined
      ? undefined
      : { kind: 'choice', display, value, place };
  }

  #scalar(node: YamlNode | undefined): TextTemplate | undefined {
    if (node?.kind !== 'scalar' || node.value === null) return undefined;
    if (typeof node.value === 'string') return this.#text(node.value, node);
    return { kind: 'literal', value: node.value, place: node.place };
  }

  #text(text: string, { place }: YamlNode): TextTemplate {
    const { parts, problems } = parseText(text);
    for (const problem of new Set(problems))
      this.diagnostics.push(diagnostic('reference-syntax', { problem }, place));
    const literal = parts.map((part) => (part.kind === 'text' ? part.text : undefined));
    return literal.includes(undefined)
      ? { kind: 'text', parts, source: text, place }
      : { kind: 'literal', value: literal.join(''), place };
  }
}

function stoppedEntry({ place }: YamlNode) {
  const autosubscribe = { value: null, place };
  return { stopped: place, optionsStopped: place, autosubscribe, options: new Map<string, never>() };
}

function expectOf(node: YamlNode): Expect | undefined {
  return (['one', 'optional', 'any'] as const).find((word) => word === textOf(node));
}

function booleanOf(node: YamlNode): boolean | undefined {
  return node.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;
}

function permissionOf(node: YamlNode): Permission | undefined {
  const text = textOf(node) ?? '';
  return isPermission(text) ? text : undefined;
}
