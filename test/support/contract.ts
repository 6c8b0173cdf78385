import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { at, recordAt } from './at.ts';

export const CONTRACT_FILE = 'schemas/integration-api.openapi.yaml';

/** A request as a client sent it. */
interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** An answer as a client got it, its body parsed. */
interface GivenAnswer {
  readonly status: number;
  readonly contentType?: string | null;
  readonly body?: unknown;
}

/** What is wrong with the body of a request by the contract. */
export function checkRequest(request: SentRequest): string[] {
  const operation = operationOf(request);
  if (at(operation?.raw, 'requestBody') === undefined) return [];
  return checkSchema(
    'request',
    `${operation?.pointer}/requestBody/${CONTENT}`,
    request.body,
  );
}

/** What is wrong with an answer by the contract. Outside of it, only 404 with an error document is right. */
export function checkAnswer(
  request: SentRequest,
  { status, contentType, body }: GivenAnswer,
): string[] {
  const operation = operationOf(request);
  const response = at(operation?.raw, 'responses', String(status));
  const type =
    contentType === MEDIA_TYPE
      ? []
      : [`answer: media type ${contentType}, not ${MEDIA_TYPE}`];
  if (response === undefined) {
    const isOutside = operation === undefined && status === 404;
    const problems = isOutside
      ? type
      : [`answer: status ${status} is not in the contract`];
    return [
      ...problems,
      ...checkSchema('answer', '/components/schemas/ErrorDocument', body),
    ];
  }
  const reference = at(response, '$ref');
  const pointer =
    typeof reference === 'string'
      ? reference.slice(1)
      : `${operation?.pointer}/responses/${status}`;
  return [...type, ...checkSchema('answer', `${pointer}/${CONTENT}`, body)];
}

const MEDIA_TYPE = 'application/vnd.api+json';
const CONTENT = `content/${escaped(MEDIA_TYPE)}/schema`;

const document: unknown = parse(readFileSync(CONTRACT_FILE, 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(
  recordAt(document),
  'contract',
);

/** Templates without variable parts come first, as `/errors` is no id. */
const templates = Object.keys(recordAt(document, 'paths')).sort(
  (a, b) => Number(a.includes('{')) - Number(b.includes('{')),
);

function operationOf({ method, path }: SentRequest) {
  const [pathname = ''] = path.split('?');
  const template = templates.find((each) =>
    new RegExp(`^${each.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  );
  if (template === undefined) return undefined;
  const name = method.toLowerCase();
  const raw = at(document, 'paths', template, name);
  return raw === undefined
    ? undefined
    : { pointer: `/paths/${escaped(template)}/${name}`, raw };
}

function checkSchema(what: string, pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#${pointer}`);
  if (validate === undefined)
    throw new Error(`the contract has nothing at ${pointer}`);
  if (validate(value)) return [];
  return [
    `${what}: ${ajv.errorsText(validate.errors, { separator: '; ', dataVar: 'body' })}`,
  ];
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
