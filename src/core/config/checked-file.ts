import type { ErrorObject } from 'ajv';
import type { Validator } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import { grouped, present } from '../model/json.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import {
  pairsOf,
  scalarOf,
  textOf,
  type YamlNode,
  type YamlPair,
} from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { isLikePermission } from './hidden.ts';

/** Parses a file and validates it against a schema. What was refused as YAML is not found again as a misfit. */
export function checkFile(
  file: SourceFile,
  validate: Validator,
): Checked<YamlNode> {
  const { value, diagnostics } = parseYaml(file);
  if (value === undefined) return { diagnostics };
  const misfits = validate(dataOf(value))
    ? []
    : schemaProblems(validate.errors ?? [], value);
  return {
    value,
    diagnostics: [...diagnostics, ...elsewhere(misfits, diagnostics)],
  };
}

/** Findings for the errors of a schema, each at the very key or value, without what follows from other findings. */
function schemaProblems(
  errors: readonly ErrorObject[],
  root: YamlNode,
): Diagnostic[] {
  if (scalarOf(root) === null && !root.isRefused)
    return [diagnostic('missing-key', { key: 'version' }, root.place)];
  const unknown = grouped(
    errors.filter(({ keyword }) => keyword === 'additionalProperties'),
    ({ instancePath }) => instancePath,
  );
  return errors.flatMap((error) => {
    const { isRefused, ...found } = nodeAt(error.instancePath, root);
    const keys = (unknown.get(error.instancePath) ?? []).map(
      ({ params }) => params['additionalProperty'],
    );
    return isRefused || isElsewhere(error, found.node, keys.map(String))
      ? []
      : (PROBLEMS[error.keyword]?.({ error, ...found }) ?? []);
  });
}

/** Whether a map may have what it lacks under a refused or mistyped key. */
function isElsewhere(
  { keyword, params }: ErrorObject,
  node: YamlNode,
  unknown: readonly string[],
): boolean {
  if (
    node.kind !== 'map' ||
    (keyword !== 'required' && keyword !== 'minProperties')
  )
    return false;
  const isUnknown = unknown.length > 0 && unknown.length === node.pairs.length;
  return (
    node.refused.length > 0 ||
    isUnknown ||
    nearNames(String(params['missingProperty']), unknown).length > 0
  );
}

/** The node at a pointer, where its key is, and whether it or a node around it was refused. */
function nodeAt(pointer: string, root: YamlNode) {
  const start = {
    node: root,
    keyPlace: root.place,
    isRefused: root.isRefused === true,
  };
  return pointerParts(pointer).reduce(({ node, isRefused }, part) => {
    const pair = pairsOf(node).find(({ key }) => key === part);
    const next =
      (node.kind === 'list' ? node.items[Number(part)] : pair?.value) ?? node;
    const keyPlace = pair?.keyPlace ?? next.place;
    return {
      node: next,
      keyPlace,
      isRefused: isRefused || next.isRefused === true,
    };
  }, start);
}

/** A part of a file that does not fit its schema. */
interface Misfit {
  readonly error: ErrorObject;
  readonly node: YamlNode;
  readonly keyPlace: Place;
}

/** The findings for errors, by the keyword of the schema. Other keywords only say that an error is below them. */
const PROBLEMS: Readonly<Record<string, (misfit: Misfit) => Diagnostic>> = {
  additionalProperties: ({ error, node }) => {
    const word = String(error.params['additionalProperty']);
    const allowed = Object.keys(Object(error.parentSchema?.['properties']));
    const key = shownWord(word, allowed, error);
    return diagnostic(
      'unknown-key',
      { allowed, ...present({ key }) },
      placeOfKey(node, word),
    );
  },
  required: ({ error, keyPlace }) =>
    diagnostic(
      'missing-key',
      { key: String(error.params['missingProperty']) },
      keyPlace,
    ),
  const: ({ node }) => diagnostic('unsupported-version', {}, node.place),
  enum: ({ error, node }) => {
    const expected = words(error.params['allowedValues']);
    const written = shownWord(textOf(node) ?? '', expected, error);
    return diagnostic(
      'not-allowed',
      { expected, ...present({ written }) },
      node.place,
    );
  },
  type: (misfit) => {
    const { error, node } = misfit;
    const expected = words(error.params['type']);
    if (formAt(error) !== undefined && node.kind === 'scalar')
      return unfit(misfit);
    return diagnostic('wrong-type', { expected }, node.place);
  },
  pattern: unfit,
  minLength: unfit,
  maxLength: unfit,
  minProperties: unfit,
  minItems: unfit,
};

function words(value: unknown): string[] {
  return [value].flat().map(String);
}

function placeOfKey(node: YamlNode, key: string): Place {
  return pairsOf(node).find((pair) => pair.key === key)?.keyPlace ?? node.place;
}

/** A word as it may be shown: below a secret, anything may be its value that resembles no allowed word. */
function shownWord(
  word: string,
  allowed: readonly string[],
  { instancePath }: ErrorObject,
) {
  const isInSecret = pointerParts(instancePath).some((part) =>
    isSecret({ key: part }),
  );
  const isOfPermission =
    instancePath.endsWith('/permission') && isLikePermission(word);
  return isOfPermission ||
    (isPlainKey(word) && !isInSecret) ||
    nearNames(word, allowed).length > 0
    ? word
    : undefined;
}

const NAME =
  'a name of letters A to Z, digits, underscores and dashes, at most 128 in all';

/** The finding for a name, a length or a form that is not allowed. */
function unfit({ error, node }: Misfit): Diagnostic {
  const { keyword, params, propertyName } = error;
  const place =
    propertyName === undefined ? node.place : placeOfKey(node, propertyName);
  const isName = keyword === 'pattern' && propertyName !== undefined;
  const isEmpty = keyword.startsWith('min');
  const length = isEmpty
    ? 'something that is not empty'
    : `at most ${params['limit']} characters`;
  return diagnostic(
    'not-allowed',
    { expected: [isName ? NAME : (formAt(error) ?? length)] },
    place,
  );
}

/** The form of a text that is more than a word, by its key. */
function formAt({ instancePath }: ErrorObject): string | undefined {
  return FORMS.get(pointerParts(instancePath).at(-1) ?? '');
}

const FORMS = new Map([
  ['rotated', 'a date, such as 2026-11-21'],
  ['until', 'a date, such as 2026-12-31'],
  ['secret-max-age', 'a number of days, such as 180d'],
]);

/** The data of a node without places, as a schema validates it. */
function dataOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(dataOf);
  const data: Record<string, unknown> = {};
  for (const { key, value } of node.pairs) {
    if (key === '__proto__') return plainDataOf(node.pairs);
    data[key] = dataOf(value);
  }
  return data;
}

/** The same of keys that mean something else where they are assigned. */
function plainDataOf(pairs: readonly YamlPair[]): unknown {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, dataOf(value)]),
  );
}

/** The parts of a JSON pointer. */
function pointerParts(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
