import type { ErrorObject } from 'ajv';
import type { Validator } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import { withLookalikes } from '../yaml/lookalikes.ts';
import { pairsOf, scalarOf, textOf, type YamlNode } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';

/**
 * Parses a file and validates it. A node that YAML refuses is reported once.
 */
export function checkFile(
  file: SourceFile,
  validate: Validator,
): Checked<YamlNode> {
  const { value, diagnostics: problems } = parseYaml(file);
  if (value === undefined)
    return { diagnostics: withLookalikes(file, problems) };
  const isValid = validate(dataOf(value));
  const misfits = isValid ? [] : schemaProblems(validate.errors ?? [], value);
  const diagnostics = [...problems, ...elsewhere(misfits, problems)];
  return { value, diagnostics: withLookalikes(file, diagnostics) };
}

/** Findings for the errors of a schema, each at the very key or value. */
function schemaProblems(
  errors: readonly ErrorObject[],
  root: YamlNode,
): Diagnostic[] {
  if (scalarOf(root) === null)
    return [diagnostic('missing-key', { key: 'version' }, root.place)];
  const misfits = errors.map((error) => misfitOf(error, root));
  return misfits.flatMap((misfit) => findingFor(misfit, misfits) ?? []);
}

function unknownKey({ params }: ErrorObject): string {
  return String(params['additionalProperty']);
}

/** A part of a file that does not fit its schema. */
interface Misfit {
  error: ErrorObject;
  /** The keys on the way to it. */
  keys: readonly string[];
  node: YamlNode;
  keyPlace: Place;
}

function misfitOf(error: ErrorObject, root: YamlNode): Misfit {
  const pointer = error.instancePath.split('/').slice(1);
  const keys = pointer.map((part) =>
    part.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  let node = root;
  let keyPlace = root.place;
  for (const part of keys) {
    const pair = pairsOf(node).findLast(({ key }) => key === part);
    const item = node.kind === 'list' ? node.items[Number(part)] : undefined;
    node = item ?? pair?.value ?? node;
    keyPlace = pair?.keyPlace ?? node.place;
  }
  return { error, keys, node, keyPlace };
}

/** The finding for an error, by its keyword; others only contain errors. */
function findingFor(
  misfit: Misfit,
  misfits: readonly Misfit[],
): Diagnostic | undefined {
  const { error, node, keyPlace } = misfit;
  const { keyword, params, propertyName: name, parentSchema } = error;
  const place = name === undefined ? node.place : placeOfKey(node, name);
  const misfitting = (...expected: readonly string[]): Diagnostic =>
    diagnostic('not-allowed', { expected }, place);
  const { pattern, description } = parentSchema ?? {};
  switch (keyword) {
    case 'additionalProperties': {
      const word = unknownKey(error);
      const allowed = Object.keys(Object(parentSchema?.['properties']));
      const facts = { allowed, key: shownWord(word, allowed, misfit) };
      return diagnostic('unknown-key', facts, placeOfKey(node, word));
    }
    case 'required': {
      const key = String(params['missingProperty']);
      const unknown = misfits
        .filter((other) => other.node === node)
        .map((other) => unknownKey(other.error));
      // It may be mistyped.
      if (nearNames(key, unknown).length > 0) return undefined;
      return diagnostic('missing-key', { key }, keyPlace);
    }
    case 'const': {
      const facts = { expected: ['version 1'], hint: 'Write version: 1.' };
      return diagnostic('not-allowed', facts, place);
    }
    case 'enum': {
      const expected = words(params['allowedValues']);
      const text = textOf(node);
      const written = text && shownWord(text, expected, misfit);
      return diagnostic('not-allowed', { expected, written }, place);
    }
    case 'type':
      // A number is often a text of another form.
      if (pattern === undefined) return misfitting(...words(params['type']));
      return otherForm(description, place);
    case 'pattern':
      return otherForm(description, place);
    case 'maxLength':
      return misfitting(`at most ${params['limit']} characters`);
    case 'minLength':
    case 'minProperties':
    case 'minItems':
      return misfitting('something that is not empty');
  }
  return undefined;
}

function otherForm(description: unknown, place: Place): Diagnostic {
  const facts = { expected: ['another form'], hint: String(description) };
  return diagnostic('not-allowed', facts, place);
}

function words(value: unknown): string[] {
  return [value].flat().map(String);
}

function placeOfKey(node: YamlNode, key: string): Place {
  return pairsOf(node).find((pair) => pair.key === key)?.keyPlace ?? node.place;
}

/** A word if it may be shown: below a secret, it may be its value. */
function shownWord(
  word: string,
  allowed: readonly string[],
  { keys }: Misfit,
): string | undefined {
  const isInSecret = keys.some((key) => isSecret({ key }));
  const isShown = isPlainKey(word) && !isInSecret;
  return isShown || nearNames(word, allowed).length > 0 ? word : undefined;
}

/** The data of a node without places, as a schema validates it. */
function dataOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(dataOf);
  // Assigning a key such as `__proto__` would mean something else.
  return Object.fromEntries(
    node.pairs.map(({ key, value }) => [key, dataOf(value)]),
  );
}
