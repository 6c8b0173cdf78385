import type { ErrorObject } from 'ajv';
import type { Validator } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import { withLookalikes } from '../yaml/lookalikes.ts';
import { pairsOf, scalarOf, textOf, type YamlNode } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { isLikePermission } from './hidden.ts';

/** Parses a file and validates it. A node that YAML refuses is reported once. */
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
  if (scalarOf(root) === null && !root.isRefused)
    return [diagnostic('missing-key', { key: 'version' }, root.place)];
  const misfits = errors.map((error) => misfitOf(error, root));
  const unknown = grouped(
    misfits.filter(({ error }) => error.keyword === 'additionalProperties'),
    ({ node }) => node,
  );
  return misfits.flatMap((misfit) => {
    const others = unknown.get(misfit.node) ?? [];
    const keys = others.map(({ error }) => unknownKey(error));
    return misfit.isRefused ? [] : (findingFor(misfit, keys) ?? []);
  });
}

function unknownKey({ params }: ErrorObject): string {
  return String(params['additionalProperty']);
}

/** A part of a file that does not fit its schema. */
interface Misfit {
  readonly error: ErrorObject;
  /** The keys on the way to it. */
  readonly keys: readonly string[];
  readonly node: YamlNode;
  readonly keyPlace: Place;
  /** Whether the node or one around it was refused. */
  readonly isRefused: boolean;
}

function misfitOf(error: ErrorObject, root: YamlNode): Misfit {
  const pointer = error.instancePath.split('/').slice(1);
  const keys = pointer.map((part) =>
    part.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  let node = root;
  let keyPlace = root.place;
  let isRefused = root.isRefused === true;
  for (const part of keys) {
    const pair = pairsOf(node).find(({ key }) => key === part);
    const item = node.kind === 'list' ? node.items[Number(part)] : undefined;
    node = item ?? pair?.value ?? node;
    keyPlace = pair?.keyPlace ?? node.place;
    isRefused ||= node.isRefused === true;
  }
  return { error, keys, node, keyPlace, isRefused };
}

/** The finding for an error, by its keyword; others only contain errors. `unknown` has the unknown keys beside it. */
function findingFor(
  misfit: Misfit,
  unknown: readonly string[],
): Diagnostic | undefined {
  const { error, node, keyPlace } = misfit;
  const { keyword, params, propertyName: name } = error;
  const { place } = node;
  // A key that is missing may be there, refused or mistyped.
  const isLacking = keyword === 'required' || keyword === 'minProperties';
  const mayBeRefused = node.kind === 'map' && node.refused.length > 0;
  if (isLacking && mayBeRefused) return undefined;
  switch (keyword) {
    case 'additionalProperties': {
      const word = unknownKey(error);
      const allowed = Object.keys(Object(error.parentSchema?.['properties']));
      const facts = { allowed, key: shownWord(word, allowed, misfit) };
      return diagnostic('unknown-key', facts, placeOfKey(node, word));
    }
    case 'required': {
      const key = String(params['missingProperty']);
      if (nearNames(key, unknown).length > 0) return undefined;
      return diagnostic('missing-key', { key }, keyPlace);
    }
    case 'const':
      return diagnostic('not-allowed', VERSION_1, place);
    case 'enum': {
      const expected = words(params['allowedValues']);
      const written = shownWord(textOf(node) ?? '', expected, misfit);
      return diagnostic('not-allowed', { expected, written }, place);
    }
    case 'type':
    case 'pattern':
    case 'minLength':
    case 'maxLength':
    case 'minProperties':
    case 'minItems': {
      const expected = expectedBy(misfit);
      const at = name === undefined ? place : placeOfKey(node, name);
      return diagnostic('not-allowed', { expected }, at);
    }
  }
  return undefined;
}

const VERSION_1 = { expected: ['version 1'], hint: 'Write version: 1.' };

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
  if (keys.at(-1) === 'permission' && isLikePermission(word)) return word;
  const isInSecret = keys.some((key) => isSecret({ key }));
  if (isPlainKey(word) && !isInSecret) return word;
  return nearNames(word, allowed).length > 0 ? word : undefined;
}

const NAME =
  'a name of letters A to Z, digits, underscores and dashes, at most 128 in all';

/** What a type, a name, a length or a form should be. */
function expectedBy({ error, keys, node }: Misfit): string[] {
  const { keyword, params, propertyName } = error;
  if (keyword === 'pattern' && propertyName !== undefined) return [NAME];
  const form = FORMS.get(keys.at(-1) ?? '');
  if (keyword === 'type' && (form === undefined || node.kind !== 'scalar')) {
    return words(params['type']);
  }
  if (form !== undefined) return [form];
  if (keyword.startsWith('min')) return ['something that is not empty'];
  return [`at most ${params['limit']} characters`];
}

/** The forms of texts that are more than a word, by their keys. */
const FORMS = new Map([
  ['rotated', 'a day of the calendar, such as 2026-11-21'],
  ['until', 'a day of the calendar, such as 2026-12-31'],
  ['secret-max-age', 'a number of days, such as 180d'],
]);

/** The data of a node without places, as a schema validates it. */
function dataOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(dataOf);
  // Assigning a key such as `__proto__` would mean something else.
  return Object.fromEntries(
    node.pairs.map(({ key, value }) => [key, dataOf(value)]),
  );
}
