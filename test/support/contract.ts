import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { at, listAt, recordAt } from './at.ts';

export const CONTRACT_FILE = 'schemas/integration-api.openapi.yaml';

/** A request as a client sent it. */
interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly contentType?: string | null;
  readonly body?: unknown;
}

/** An answer as a client got it; the body is parsed, and undefined where there was none. */
interface GivenAnswer {
  readonly status: number;
  readonly contentType?: string | null;
  readonly body?: unknown;
}

/** What is wrong with a request by the contract. */
export function checkRequest(request: SentRequest): string[] {
  const operation = operationOf(request);
  if (operation === undefined)
    return [`${request.method} ${request.path}: the contract has no such operation`];
  const schema = `${operation.pointer}/requestBody/content/${escaped(MEDIA_TYPE)}/schema`;
  const takesBody = at(operation.raw, 'requestBody') !== undefined;
  return [
    ...checkQuery(request, operation),
    ...(takesBody ? checkType('request', request.contentType, MEDIA_TYPE) : []),
    ...(takesBody ? checkSchema('request', schema, request.body) : []),
    ...(!takesBody && request.body !== undefined ? ['request: the operation takes no body'] : []),
  ];
}

/** What is wrong with an answer by the contract. Outside of it, only 404 and 405 with an error document are right. */
export function checkAnswer(request: SentRequest, answer: GivenAnswer): string[] {
  const operation = operationOf(request);
  if (operation === undefined || !hasResponse(operation, answer.status)) {
    const outside = operation === undefined ? [404, 405, 400] : [];
    const status = outside.includes(answer.status)
      ? []
      : [`answer: status ${answer.status} is not in the contract`];
    return [...status, ...checkSchema('answer', '/components/schemas/ErrorDocument', answer.body)];
  }
  const response = responsePointer(operation, answer.status);
  const [[mediaType = '', content] = []] = Object.entries(recordAt(response.raw, 'content'));
  if (answer.body === undefined)
    return content === undefined || bodyMayLack(request, answer) ? [] : ['answer: the body is missing'];
  if (content === undefined) return ['answer: there must be no body'];
  return [
    ...checkType('answer', answer.contentType, mediaType),
    ...checkSchema('answer', `${response.pointer}/content/${escaped(mediaType)}/schema`, answer.body),
  ];
}

const MEDIA_TYPE = 'application/vnd.api+json';

interface Located {
  readonly pointer: string;
  readonly raw: unknown;
}

interface Operation extends Located {
  readonly parameters: readonly Readonly<Record<string, unknown>>[];
}

const document: unknown = parse(readFileSync(CONTRACT_FILE, 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(recordAt(document), 'contract');

/** Templates without variable parts come first, as `/errors` is no id. */
const templates = Object.keys(recordAt(document, 'paths')).sort(
  (a, b) => Number(a.includes('{')) - Number(b.includes('{')),
);

function operationOf({ method, path }: SentRequest): Operation | undefined {
  const [pathname = ''] = path.split('?');
  const template = templates.find((each) =>
    new RegExp(`^${each.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  );
  if (template === undefined) return undefined;
  const item = at(document, 'paths', template);
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const raw = at(item, name);
  if (raw === undefined) return undefined;
  const parameters = [...listAt(item, 'parameters'), ...listAt(raw, 'parameters')].map((each) =>
    recordAt(dereferenced(each)),
  );
  return { pointer: `/paths/${escaped(template)}/${name}`, raw, parameters };
}

function checkQuery({ path }: SentRequest, { parameters }: Operation): string[] {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const known = parameters.filter((parameter) => parameter['in'] === 'query');
  const names = new Set(known.map((parameter) => parameter['name']));
  const unknown = [...query.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `request: parameter ${name} is not in the contract`);
  const wrong = known.flatMap((parameter) => checkParameter(parameter, query.get(String(parameter['name']))));
  return [...unknown, ...wrong];
}

function checkParameter(parameter: Readonly<Record<string, unknown>>, text: string | null): string[] {
  const name = String(parameter['name']);
  if (text === null) return parameter['required'] === true ? [`request: parameter ${name} is missing`] : [];
  const schema = recordAt(parameter, 'schema');
  const value = schema['type'] === 'string' ? text : parsedOrText(text);
  return ajv.validate(schema, value) ? [] : [`request: parameter ${name} ${ajv.errorsText()}`];
}

function parsedOrText(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text;
}

function hasResponse({ raw }: Operation, status: number): boolean {
  return at(raw, 'responses', String(status)) !== undefined;
}

function responsePointer({ pointer, raw }: Operation, status: number): Located {
  const response = recordAt(raw, 'responses', String(status));
  const reference = response['$ref'];
  if (typeof reference !== 'string') return { pointer: `${pointer}/responses/${status}`, raw: response };
  return { pointer: reference.slice(1), raw: dereferenced(response) };
}

/** HEAD never has a body; that of a logout is not laid down. */
function bodyMayLack({ method, path }: SentRequest, { status }: GivenAnswer): boolean {
  return method === 'HEAD' || (path === '/api/users/logout' && status === 200);
}

function checkType(what: string, actual: string | null | undefined, expected: string): string[] {
  if (actual === undefined) return [];
  return actual?.split(';')[0] === expected ? [] : [`${what}: media type ${actual}, not ${expected}`];
}

function checkSchema(what: string, pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#${pointer}`);
  if (validate === undefined) throw new Error(`the contract has nothing at ${pointer}`);
  if (validate(value)) return [];
  return [`${what}: ${ajv.errorsText(validate.errors, { separator: '; ', dataVar: 'body' })}`];
}

function dereferenced(raw: unknown): unknown {
  const reference = at(raw, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : raw;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
