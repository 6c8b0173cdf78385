import { configSchema as schema } from '../../generated/config-schema.ts';
import { validate } from '../../generated/config-validator.js';
import { type Checked, type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/glob.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import type { SourceText } from '../model/place.ts';
import { present } from '../model/present.ts';
import { childOf, pairsOf, scalarOf, textOf, type YamlNode, type YamlPair } from '../yaml/node.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { checkFile } from './checked-file.ts';
import type { Entry, Field, NamedValue, OptionEntry, Selector, WrittenConfig } from './entry.ts';
import {
  isLinked,
  type Linked,
  parseText,
  type SingleTemplate,
  type Template,
  type TemplatePart,
  type TextTemplate,
} from './template.ts';

/** What one file declares. */
export interface WrittenFile extends WrittenConfig {
  readonly path: string;
}

/** Reads one file's text up to its typed entries: YAML, schema, the syntax of references. All problems at once. */
export function readFile(file: SourceFile): Checked<WrittenFile> & Pick<SourceText, 'hidden'> {
  const { root, diagnostics: problems, hidden } = checkFile(file, { schema, validate });
  if (root === undefined) return { diagnostics: problems, hidden };
  const reader = new FileReader();
  const value = { path: file.path, ...reader.read(root) };
  const diagnostics = [...problems, ...elsewhere(reader.diagnostics, problems)];
  return diagnostics.length > 0 ? { diagnostics, hidden } : { value, diagnostics, hidden };
}

/** Makes typed entries of a tree, from those nodes that have the form that the schema asks for. */
class FileReader {
  readonly diagnostics: Diagnostic[] = [];

  read(root: YamlNode): WrittenConfig {
    return {
      values: new Map(pairsOf(childOf(root, 'values')).flatMap((pair) => this.#named(pair))),
      entries: pairsOf(childOf(root, 'integrations')).map((pair) => this.#entry(pair)),
    };
  }

  #named(pair: YamlPair): [string, NamedValue][] {
    const field = this.#field(pair, (node) => this.#linked(node));
    return field === undefined ? [] : [[pair.key, { ...field, namePlace: pair.keyPlace }]];
  }

  /** A named value; it cannot refer to other named values. */
  #linked(node: YamlNode): Linked | undefined {
    const template = this.#template(node);
    if (template === undefined || isLinked(template)) return template;
    const problem = 'A named value cannot refer to another named value.';
    this.diagnostics.push(diagnostic('reference-syntax', { problem, hint: 'Write it out.' }, node.place));
    return undefined;
  }

  #entry(pair: YamlPair): Entry<Template> {
    const pairs = new Map(pairsOf(pair.value).map((each) => [each.key, each]));
    const field = <T>(key: string, decode: (node: YamlNode) => T | undefined) =>
      this.#field(pairs.get(key), decode);
    const stopped = stopOf(pair);
    return {
      name: pair.key,
      place: pair.keyPlace,
      ...present({
        stopped,
        match: field('match', (node) => this.#selector(node)),
        expect: field('expect', expectOf),
        autosubscribe: stopped ?? field('autosubscribe', booleanOf),
        optionsStopped: stopped ?? stopOf(pairs.get('options')),
      }),
      options: new Map(pairsOf(pairs.get('options')?.value).map((each) => [each.key, this.#option(each)])),
    };
  }

  /** One option in its short or long form. A comment at the key belongs to all of its fields. */
  #option(pair: YamlPair): OptionEntry<Template> {
    const { key, keyPlace: place, value: node } = pair;
    if (hasReference(key))
      this.diagnostics.push(
        diagnostic(
          'reference-syntax',
          { problem: 'An option key cannot contain references.', hint: 'Write the key out.' },
          place,
        ),
      );
    const stopped = stopOf(pair);
    if (stopped !== undefined) return { key, place, stopped };
    const isLong = node.kind === 'map' && childOf(node, 'display') === undefined;
    const pairs = isLong ? node.pairs : [{ ...pair, key: 'value' }];
    const field = <T>(name: string, decode: (node: YamlNode) => T | undefined) => {
      const own = pairs.find((each) => each.key === name);
      return this.#field(own && { ...pair, ...own }, decode);
    };
    return {
      key,
      place,
      ...present({
        value: field('value', (found) => this.#template(found)),
        permission: field('permission', permissionOf),
        sensitive: field('sensitive', booleanOf),
        rotated: field('rotated', textOf),
      }),
    };
  }

  /** A field with its place; undefined where it is absent or has another form. */
  #field<T>(pair: YamlPair | undefined, decode: (node: YamlNode) => T | undefined): Field<T> | undefined {
    if (pair === undefined || pair.value.isRefused === true) return undefined;
    const { place } = pair.value;
    const value = scalarOf(pair.value) === null ? null : decode(pair.value);
    return value === undefined ? undefined : { value, place, ...present({ comment: pair.comment }) };
  }

  /** A selector cannot contain references: their braces would be read as the alternatives of a glob. */
  #selector(node: YamlNode): Selector {
    const globs = node.kind === 'map' ? node.pairs : [{ key: 'id', value: node }];
    for (const { value } of globs) {
      const glob = textOf(value) ?? '';
      if (hasReference(glob))
        this.diagnostics.push(
          diagnostic(
            'reference-syntax',
            { problem: 'A match cannot contain references.', hint: GLOB_HINT },
            value.place,
          ),
        );
      else if (isCostlyGlob(glob))
        this.diagnostics.push(
          diagnostic(
            'too-large',
            { of: 'stars in this glob, or too many alternatives', limit: 3 },
            value.place,
          ),
        );
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
    const value = scalarOf(node);
    if (node === undefined || value === undefined || value === null) return undefined;
    const { place } = node;
    if (typeof value !== 'string') return { kind: 'literal', value, place };
    const { parts, problems } = parseText(value);
    for (const problem of new Set(problems))
      this.diagnostics.push(diagnostic('reference-syntax', { problem }, place));
    for (const name of new Set(parts.flatMap(ownCredentialIn)))
      this.diagnostics.push(diagnostic('reference-not-allowed', { name, isOwn: true }, place));
    const literal = parts.map((part) => (part.kind === 'text' ? part.text : undefined));
    return literal.includes(undefined)
      ? { kind: 'text', parts, source: value, place }
      : { kind: 'literal', value: literal.join(''), place };
  }
}

const GLOB_HINT = 'Write the glob out; if servers need different ones, put them in layers of their own.';

/** The variable of a reference that would read a credential of setpoint itself. */
function ownCredentialIn(part: TemplatePart): string[] {
  return part.kind === 'env' && isOwnCredential(part.name) ? [part.name] : [];
}

function hasReference(text: string): boolean {
  return parseText(text).parts.some(({ kind }) => kind !== 'text');
}

/** The null that stops the management of an option, of all options, or of an entry. */
function stopOf(pair: YamlPair | undefined): Field<never> | undefined {
  return pair !== undefined && scalarOf(pair.value) === null
    ? { value: null, place: pair.value.place }
    : undefined;
}

function expectOf(node: YamlNode): 'one' | 'optional' | 'any' | undefined {
  return (['one', 'optional', 'any'] as const).find((word) => word === textOf(node));
}

function booleanOf(node: YamlNode): boolean | undefined {
  const value = scalarOf(node);
  return typeof value === 'boolean' ? value : undefined;
}

function permissionOf(node: YamlNode): Permission | undefined {
  const text = textOf(node) ?? '';
  return isPermission(text) ? text : undefined;
}
