import type { ErrorObject } from 'ajv';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { booleanWord } from '../model/value.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { characterNames } from './character-names.ts';

/** Keywords that only say that another error stands below them. */
const WRAPPERS = new Set(['if', 'propertyNames', 'allOf']);

/** The keys that the object at a JSON pointer may have. */
export type KeysAt = (pointer: string) => readonly string[];

/**
 * Turns the errors of the schema into findings at the very key or value; each place once for each kind of problem. What
 * only follows from something that was refused before is left out; what is found is refused in its turn.
 */
export function schemaProblems(
  errors: readonly ErrorObject[],
  tree: YamlTree,
  file: string,
  keysAt: KeysAt = allowedKeys,
): Diagnostic[] {
  const own = errors.filter((error) => !WRAPPERS.has(error.keyword) && !isFollowUp(error, tree));
  if (tree.raw === null && own.length > 0) {
    tree.soundness.breakAt('');
    if (tree.soundness.isIncomplete('')) return [];
    return [diagnostic('missing-key', { key: 'version' }, { file, line: 1, column: 1 })];
  }
  const unique = new Map(
    own
      .map((error) => schemaProblem(error, tree, file, keysAt))
      .map((problem) => [JSON.stringify(problem), problem]),
  );
  for (const error of own) refuse(error, tree);
  return [...unique.values()];
}

function isFollowUp({ keyword, instancePath }: ErrorObject, { soundness }: YamlTree): boolean {
  if (soundness.isBroken(instancePath)) return true;
  return (keyword === 'required' || keyword === 'minProperties') && soundness.isIncomplete(instancePath);
}

/** Marks what an error is about: a key with its value, a map that lacks a key, or a value. */
function refuse({ keyword, instancePath, propertyName, params }: ErrorObject, { soundness }: YamlTree): void {
  const key = propertyName ?? (keyword === 'additionalProperties' ? params['additionalProperty'] : undefined);
  if (key !== undefined) soundness.breakAt(`${instancePath}/${pointerPart(String(key))}`);
  else if (keyword !== 'required') soundness.breakAt(instancePath);
  // A file without its version says all the rest.
  else if (instancePath !== '') soundness.loseKeyOf(instancePath);
}

function schemaProblem(error: ErrorObject, tree: YamlTree, file: string, keysAt: KeysAt): Diagnostic {
  const params: Readonly<Record<string, unknown>> = error.params;
  const here = valuePlace(tree, file, error.instancePath);
  const keyHere = (key: string) => keyPlace(tree, file, `${error.instancePath}/${pointerPart(key)}`);
  if (error.propertyName !== undefined) {
    const of = /^\/integrations\/[^/]+\/options$/.test(error.instancePath) ? 'option' : 'name';
    return badName(error.propertyName, of, keyHere(error.propertyName));
  }
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const inChoice = error.schemaPath.startsWith('#/definitions/choice/');
      const allowed = inChoice ? CHOICE_KEYS : keysAt(error.instancePath);
      // What looks like a key may be a value that lost its quotes: what resembles no key is not repeated.
      const shown = nearNames(key, allowed).length === 0 ? {} : { key };
      const below = inChoice ? undefined : sectionFor(error.instancePath, key, allowed, tree);
      return diagnostic('unknown-key', { ...shown, allowed, ...present({ below }) }, keyHere(key));
    }
    case 'required':
      return diagnostic(
        'missing-key',
        { key: String(params['missingProperty']) },
        parentPlace(tree, file, error.instancePath),
      );
    case 'const':
      return diagnostic('unsupported-version', {}, here);
    case 'enum':
      return diagnostic('not-allowed', { allowed: words(params['allowedValues']) }, here);
    case 'type':
      return wrongType(words(params['type']), valueAt(tree.raw, error.instancePath), here);
    default:
      return diagnostic('bad-length', { problem: lengthProblem(error.keyword, params['limit']) }, here);
  }
}

/** The section that a key may belong to, if it is indented too little. */
function sectionFor(pointer: string, key: string, allowed: readonly string[], tree: YamlTree) {
  // An entry by the name of a key of entries is itself indented too little.
  const isEntry = allowed === ENTRY_KEYS && !ENTRY_KEYS.includes(pointer.slice('/integrations/'.length));
  if (pointer !== '') return isEntry ? 'options' : undefined;
  const value = valueAt(tree.raw, `/${pointerPart(key)}`);
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return allowed.includes('servers') ? 'servers' : 'integrations';
}

function wrongType(expected: readonly string[], value: unknown, place: Place): Diagnostic {
  const written = expected.includes('boolean') ? booleanWord(value) : undefined;
  return diagnostic('wrong-type', { expected, ...present({ written }) }, place);
}

/** The part of a value at a JSON pointer. */
function valueAt(raw: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>(
    (value, part) => Object(value)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    raw,
  );
}

/** The name is not repeated, only what it must not hold: it may be a value that lost its quotes. */
function badName(name: string, of: 'name' | 'option', place: Place): Diagnostic {
  const characters = of === 'option' ? [] : (name.match(/[^A-Za-z0-9_-]/gu) ?? []);
  return diagnostic('bad-name', { of, characters: characterNames(characters) }, place);
}

function lengthProblem(keyword: string, limit: unknown): string {
  if (keyword === 'minLength' || keyword === 'minProperties' || keyword === 'minItems')
    return 'This must not be empty.';
  return keyword === 'maxLength'
    ? `This has more than ${String(limit)} characters.`
    : 'This does not fit the schema.';
}

/** The keys of an entry. */
export const ENTRY_KEYS: readonly string[] = ['match', 'expect', 'autosubscribe', 'options'];
const CHOICE_KEYS = ['display', 'value'];

/** The keys that an object may have, by where it stands. A test holds this against the schema. */
export function allowedKeys(pointer: string): readonly string[] {
  if (pointer === '') return ['version', 'values', 'integrations'];
  if (/^\/integrations\/[^/]+$/.test(pointer)) return ENTRY_KEYS;
  if (/^\/integrations\/[^/]+\/match$/.test(pointer)) return ['id', 'name', 'acronym'];
  if (/^\/integrations\/[^/]+\/options\/[^/]+$/.test(pointer)) return ['value', 'permission', 'sensitive'];
  return CHOICE_KEYS;
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** A key as a part of a JSON pointer. */
export function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Where the value at a JSON pointer stands; the start of the file where it is not known. */
export function valuePlace(tree: YamlTree, file: string, pointer: string): Place {
  return tree.nodes.get(pointer)?.value ?? { file, line: 1, column: 1 };
}

/** Where the key at a JSON pointer stands. */
export function keyPlace(tree: YamlTree, file: string, pointer: string): Place {
  return tree.nodes.get(pointer)?.key ?? valuePlace(tree, file, pointer);
}

function parentPlace(tree: YamlTree, file: string, pointer: string): Place {
  return pointer === '' ? { file, line: 1, column: 1 } : keyPlace(tree, file, pointer);
}
