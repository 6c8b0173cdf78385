import type { ErrorObject } from 'ajv';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { booleanWord } from '../model/value.ts';
import type { YamlNode, YamlPair } from '../yaml/node.ts';

/** A JSON Schema whose errors are explained. */
export interface Schema {
  readonly [key: string]: unknown;
}

/** What stands at a JSON pointer: the node, its pair if it is in a map, and whether it was refused before. */
interface Spot {
  readonly node: YamlNode;
  readonly pair?: YamlPair;
  readonly isRefused: boolean;
}

/** Keywords that only say that another error is below them. */
const WRAPPERS = new Set(['if', 'propertyNames', 'allOf']);

/**
 * Turns the errors of a schema into findings at the very key or value; each place once for each kind of problem. What only
 * follows from something that was refused before is left out.
 */
export function schemaProblems(errors: readonly ErrorObject[], root: YamlNode, schema: Schema): Diagnostic[] {
  const found = errors
    .filter(({ keyword }) => !WRAPPERS.has(keyword))
    .map((error) => ({ error, spot: spotAt(root, error.instancePath) }))
    .filter(({ error, spot }) => !isFollowUp(error, spot));
  if (root.kind === 'scalar' && root.value === null && found.length > 0)
    return [diagnostic('missing-key', { key: 'version' }, root.place)];
  const unique = new Map(
    found.map(({ error, spot }) => {
      const problem = schemaProblem(error, spot, schema);
      return [JSON.stringify(problem), problem];
    }),
  );
  return [...unique.values()];
}

function isFollowUp({ keyword }: ErrorObject, { node, isRefused }: Spot): boolean {
  const lacks = node.kind === 'map' && node.refused !== undefined;
  return isRefused || (lacks && (keyword === 'required' || keyword === 'minProperties'));
}

/** Walks a pointer through the tree; it was made from this very tree, so it leads somewhere. */
function spotAt(root: YamlNode, pointer: string): Spot {
  return partsOf(pointer).reduce<Spot>(below, { node: root, isRefused: root.isRefused === true });
}

function below({ node, isRefused }: Spot, part: string): Spot {
  if (node.kind === 'map') {
    const pair = node.pairs.find(({ key }) => key === part);
    const inner = pair?.value ?? node;
    return { node: inner, isRefused: isRefused || inner.isRefused === true, ...present({ pair }) };
  }
  const inner = (node.kind === 'list' ? node.items[Number(part)] : undefined) ?? node;
  return { node: inner, isRefused: isRefused || inner.isRefused === true };
}

function schemaProblem(error: ErrorObject, { node, pair }: Spot, schema: Schema): Diagnostic {
  const params: Readonly<Record<string, unknown>> = error.params;
  const here = node.place;
  if (error.propertyName !== undefined) return badName(error, keyPlace(node, error.propertyName));
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      return unknownKey(key, error.instancePath, node, schema);
    }
    case 'required':
      return diagnostic('missing-key', { key: String(params['missingProperty']) }, pair?.keyPlace ?? here);
    case 'const':
      return diagnostic('unsupported-version', {}, here);
    case 'enum':
      return diagnostic('not-allowed', { allowed: words(params['allowedValues']) }, here);
    case 'type':
      return wrongType(words(params['type']), node);
    default:
      return diagnostic('bad-length', { problem: lengthProblem(error.keyword, params['limit']) }, here);
  }
}

/** A text that lost its quotes can look like a key: one that resembles no key is not repeated. */
function unknownKey(key: string, pointer: string, node: YamlNode, schema: Schema): Diagnostic {
  const allowed = keysAllowedAt(pointer, schema);
  const shown = nearNames(key, allowed).length === 0 ? {} : { key };
  return diagnostic('unknown-key', { ...shown, allowed }, keyPlace(node, key));
}

/** The keys that a schema lets the object at a pointer have. */
function keysAllowedAt(pointer: string, schema: Schema): string[] {
  const expanded = (part: Schema): Schema[] => {
    const name = String(part['$ref'] ?? '').replace('#/definitions/', '');
    const target = Object(schema['definitions'])[name] ?? part;
    return [target, ...['then', 'else'].flatMap((key) => (key in target ? expanded(target[key]) : []))];
  };
  const at = partsOf(pointer).reduce<Schema[]>((parts, key) => {
    const below = (part: Schema) =>
      Object(part['properties'])[key] ?? part['additionalProperties'] ?? part['items'];
    return parts.flatMap((part) => expanded(Object(below(part))));
  }, expanded(schema));
  return [...new Set(at.flatMap((part) => Object.keys(Object(part['properties']))))];
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function wrongType(expected: readonly string[], node: YamlNode): Diagnostic {
  const value = node.kind === 'scalar' ? node.value : undefined;
  const written = expected.includes('boolean') ? booleanWord(value) : undefined;
  return diagnostic('wrong-type', { expected, ...present({ written }) }, node.place);
}

/** The name is not repeated, only what it must not hold: it may be a value that lost its quotes. */
function badName({ propertyName = '', instancePath }: ErrorObject, place: Place): Diagnostic {
  const isOption = /^\/integrations\/[^/]+\/options$/.test(instancePath);
  const characters = isOption ? [] : (propertyName.match(/[^A-Za-z0-9_-]/gu) ?? []);
  const shown = [...new Set(characters)].slice(0, 5).map((character) => JSON.stringify(character));
  return diagnostic('bad-name', { of: isOption ? 'option' : 'name', characters: shown }, place);
}

function lengthProblem(keyword: string, limit: unknown): string {
  if (keyword.startsWith('min')) return 'This must not be empty.';
  return keyword === 'maxLength'
    ? `This has more than ${String(limit)} characters.`
    : 'This does not fit the schema.';
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function keyPlace(node: YamlNode, key: string): Place {
  const pair = node.kind === 'map' ? node.pairs.find((each) => each.key === key) : undefined;
  return pair?.keyPlace ?? node.place;
}
