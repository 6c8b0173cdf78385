import type { ErrorObject } from 'ajv';
import { type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place, SourceText } from '../model/place.ts';
import { pointerParts } from '../model/pointer.ts';
import { present } from '../model/present.ts';
import { isPlainKey, isSecretOption } from '../model/secrecy.ts';
import { booleanWord } from '../model/value.ts';
import { dataOf, pairsOf, scalarOf, type YamlNode } from '../yaml/node.ts';
import { parseYaml, type SourceFile } from '../yaml/tree.ts';
import { hiddenIn } from './hidden.ts';

/** A JSON Schema whose errors are explained, and its validator. */
interface Schema {
  readonly schema: Part;
  readonly validate: { (data: unknown): boolean; readonly errors?: ErrorObject[] | null };
}

interface Part {
  readonly [key: string]: unknown;
}

/** A file as YAML, everything wrong with it, and what an excerpt of it must not show; no root where it is not YAML. */
interface CheckedFile extends Pick<SourceText, 'hidden'> {
  readonly root?: YamlNode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a file and validates it against a schema. What was refused as YAML is not found again as a misfit. */
export function checkFile(file: SourceFile, { schema, validate }: Schema): CheckedFile {
  const { value: root, diagnostics } = parseYaml(file);
  if (root === undefined) return { diagnostics, hidden: undefined };
  const misfits = validate(dataOf(root)) ? [] : schemaProblems(validate.errors ?? [], root, schema);
  // Of several documents only the first one is in the tree.
  const isWhole = diagnostics.every(({ code }) => code !== 'yaml-syntax');
  return {
    root,
    diagnostics: [...diagnostics, ...elsewhere(misfits, diagnostics)],
    hidden: isWhole ? () => hiddenIn(root) : undefined,
  };
}

/** Findings for the errors of a schema, each at the very key or value, without what follows from a refused node. */
function schemaProblems(errors: readonly ErrorObject[], root: YamlNode, schema: Part): Diagnostic[] {
  const unknown = grouped(
    errors.filter(({ keyword }) => keyword === 'additionalProperties'),
    ({ instancePath }) => instancePath,
  );
  const found = errors
    .filter(({ keyword }) => !WRAPPERS.has(keyword))
    .map((error) => ({ error, steps: stepsAlong(error.instancePath, root) }))
    .filter(({ error, steps }) => !isFollowUp(error, steps, unknown.get(error.instancePath)));
  if (scalarOf(root) === null && found.length > 0)
    return [diagnostic('missing-key', { key: 'version' }, root.place)];
  const problems = found.map(({ error, steps }) => schemaProblem(error, steps, schema));
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Keywords that only say that another error is below them. */
const WRAPPERS = new Set(['if', 'propertyNames', 'allOf']);

/** A node on the way to an error, and where its key is if it is in a map. */
interface Step {
  readonly value: YamlNode;
  readonly keyPlace?: Place;
}

/** The nodes that a pointer passes, from the root on. It was made from this tree, so it leads somewhere. */
function stepsAlong(pointer: string, root: YamlNode): readonly Step[] {
  const steps: Step[] = [{ value: root }];
  for (const part of pointerParts(pointer)) {
    const node = steps.at(-1)?.value;
    const item = node?.kind === 'list' ? node.items[Number(part)] : undefined;
    const next = item === undefined ? pairsOf(node).find(({ key }) => key === part) : { value: item };
    if (next !== undefined) steps.push(next);
  }
  return steps;
}

/** Whether an error follows from another. What a map lacks may be there under a mistyped key. */
function isFollowUp({ keyword, params }: ErrorObject, steps: readonly Step[], unknown: ErrorObject[] = []) {
  const node = steps.at(-1)?.value;
  const lacks = node?.kind === 'map' && node.refused !== undefined;
  const isMissing = keyword === 'required' || keyword === 'minProperties';
  const keys = unknown.map((error) => String(error.params['additionalProperty']));
  const isMistyped =
    keys.length > 0 &&
    (keys.length === pairsOf(node).length || nearNames(String(params['missingProperty']), keys).length > 0);
  return steps.some(({ value }) => value.isRefused) || (isMissing && (lacks || isMistyped));
}

function schemaProblem(error: ErrorObject, steps: readonly Step[], schema: Part): Diagnostic {
  const params: Readonly<Record<string, unknown>> = error.params;
  const { value: node, keyPlace: ownKey } = steps.at(-1) ?? {};
  const here = node?.place;
  if (error.propertyName !== undefined) return badName(error, keyPlace(node, error.propertyName));
  const formed = pointerParts(error.instancePath).at(-1) ?? '';
  const isText = words(params['type']).every((type) => type === 'string' || type === 'null');
  if (isFormed(formed) && (error.keyword === 'pattern' || (error.keyword === 'type' && isText)))
    return diagnostic(
      'not-allowed',
      { expected: [FORMS[formed]], ...present({ written: shownText(node) }) },
      here,
    );
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(String(params['additionalProperty']), error.instancePath, node, schema);
    case 'required':
      return diagnostic('missing-key', { key: String(params['missingProperty']) }, ownKey ?? here);
    case 'const':
      return diagnostic('unsupported-version', {}, here);
    case 'enum':
      return notAllowed(words(params['allowedValues']), error.instancePath, node);
    case 'type':
      return wrongType(words(params['type']), node);
    default:
      return diagnostic('not-allowed', { expected: [lengthWords(error.keyword, params['limit'])] }, here);
  }
}

/** The forms of texts that are more than words, by their keys. */
const FORMS = {
  rotated: 'a date, such as 2026-11-21',
  until: 'a date, such as 2026-12-31',
  'secret-max-age': 'a number of days, such as 180d',
};

function isFormed(key: string): key is keyof typeof FORMS {
  return Object.hasOwn(FORMS, key);
}

/** Says what was written where it can be no secret: below one, only what resembles an allowed word is shown. */
function notAllowed(allowed: readonly string[], pointer: string, node: YamlNode | undefined): Diagnostic {
  const text = shownText(node);
  const isShown = !isBelowSecret(pointer) || nearNames(text ?? '', allowed).length > 0;
  return diagnostic(
    'not-allowed',
    { expected: allowed, ...present({ written: isShown ? text : undefined }) },
    node?.place,
  );
}

/** What was written, if it is a few words, a number, a date or an age. */
function shownText(node: YamlNode | undefined): string | undefined {
  const text = String(scalarOf(node) ?? '');
  return isPlainKey(text) || /^\d[\d.:-]{0,20}(?: ?[a-z]{1,8})?$/.test(text) ? text : undefined;
}

/** A text that lost its quotes can look like a key: below a secret, only one that resembles a key is shown. */
function unknownKey(key: string, pointer: string, node: YamlNode | undefined, schema: Part): Diagnostic {
  const allowed = keysAllowedAt(pointer, schema);
  const isShown = nearNames(key, allowed).length > 0 || (isPlainKey(key) && !isBelowSecret(pointer));
  const shown = isShown ? { key } : {};
  return diagnostic('unknown-key', { ...shown, allowed }, keyPlace(node, key));
}

/** Whether a pointer passes a key that is named like a secret; the risks of a policy are none. */
function isBelowSecret(pointer: string): boolean {
  const [first, ...parts] = pointerParts(pointer);
  return first !== 'policy' && parts.some((part) => isSecretOption(part, undefined));
}

/** The keys that a schema lets the object at a pointer have. */
function keysAllowedAt(pointer: string, schema: Part): string[] {
  const expanded = (part: Part): Part[] => {
    const name = String(part['$ref'] ?? '').replace('#/definitions/', '');
    const target = Object(schema['definitions'])[name] ?? part;
    return [target, ...['then', 'else'].flatMap((key) => (key in target ? expanded(target[key]) : []))];
  };
  const at = pointerParts(pointer).reduce<Part[]>((parts, key) => {
    const below = (part: Part) =>
      Object(part['properties'])[key] ?? part['additionalProperties'] ?? part['items'];
    return parts.flatMap((part) => expanded(Object(below(part))));
  }, expanded(schema));
  return [...new Set(at.flatMap((part) => Object.keys(Object(part['properties']))))];
}

function wrongType(expected: readonly string[], node: YamlNode | undefined): Diagnostic {
  const written = expected.includes('boolean') ? booleanWord(scalarOf(node)) : undefined;
  const found = node?.kind === 'scalar' ? (typeof node.value === 'string' ? 'text' : undefined) : node?.kind;
  return diagnostic('wrong-type', { expected, ...present({ written, found }) }, node?.place);
}

/** Shows only the characters that a name must not contain: the name may be a value that lost its quotes. */
function badName({ propertyName = '', instancePath }: ErrorObject, place: Place | undefined): Diagnostic {
  if (/^\/integrations\/[^/]+\/options$/.test(instancePath))
    return diagnostic('not-allowed', { expected: ['an option key of 1 to 128 characters'] }, place);
  const characters = propertyName.match(/[^A-Za-z0-9_-]/gu) ?? [];
  const shown = [...new Set(characters)].slice(0, 5).map((character) => JSON.stringify(character));
  const written = shown.length === 0 ? {} : { written: shown.join(', ') };
  return diagnostic('not-allowed', { expected: [NAME], ...written }, place);
}

const NAME = 'a name of letters A to Z, digits, underscores and dashes, at most 128 in all';

function lengthWords(keyword: string, limit: unknown): string {
  if (keyword.startsWith('min')) return 'something that is not empty';
  return keyword === 'maxLength' ? `at most ${String(limit)} characters` : 'what the schema describes';
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function keyPlace(node: YamlNode | undefined, key: string): Place | undefined {
  return pairsOf(node).find((pair) => pair.key === key)?.keyPlace ?? node?.place;
}
