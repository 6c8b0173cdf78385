import fc from 'fast-check';
import {
  body,
  credentials,
  framedJson,
  integrationPatch,
  optionsPatch,
  rightAttributes,
  rightOptions,
} from './body-arbitrary.ts';
import { ASSETS, DNS, LOGS, THREAT, VAULT } from './sandbox-requests.ts';

/** A request before it has a token: the user whose token it is to carry, or a header of its own. */
export interface DrawnRequest {
  readonly method: string;
  readonly path: string;
  readonly as: 'admin' | 'manager' | 'user' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly chunked: boolean;
}

const MEDIA_TYPE = 'application/vnd.api+json';

const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('GET', 'PATCH', 'POST') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'LINK'),
  },
);

const id = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(THREAT, ASSETS, LOGS, VAULT, DNS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'errors',
      '__proto__',
      'constructor',
      '..',
      '%2e%2e',
      '%',
      '%00',
      '%FF',
      '*',
      `${THREAT}-apiKey`,
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }).map(encoded) },
);

const pathname = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '/api/users/login',
      '/api/users/refresh',
      '/api/integrations',
      '/api/integrations/errors',
      '/api/integration-options',
      '/api/integration-errors',
      '/api/openapi',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/api/users/logout',
      '/',
      '//',
      '/api',
      '/api//integrations',
      '/api/integrations/',
      '/%61pi/integrations',
      '/API/users/login',
      '*',
    ),
  },
  { weight: 3, arbitrary: id.map((each) => `/api/integrations/${each}`) },
  { weight: 1, arbitrary: fc.tuple(id, id).map(([a, b]) => `/api/integration/${a}/errors/${b}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii' }).map((text) => `/${visible(text)}`) },
);

const parameter = fc.constantFrom(
  'page[size]',
  'page[number]',
  'filter[integration.status]',
  'filter[integration.integration-errors]',
  'filter[integration.id]',
  'include',
  '__proto__',
  'page',
);
const parameterValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1e9',
    '999999999999999999999',
    'true',
    'false',
    'running',
    '%',
    '%ZZ',
    'null',
    '[]',
    THREAT,
  ),
  fc.nat().map(String),
  fc.string({ unit: 'grapheme' }).map(encoded),
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(parameter, parameterValue), { minLength: 1, maxLength: 3 })
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii' }).map((text) => `?${visible(text)}`) },
);

const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 6, arbitrary: fc.constant(MEDIA_TYPE) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '',
          'application/json',
          'text/html',
          `${MEDIA_TYPE}; charset=utf-8`,
          `${MEDIA_TYPE}; ext=x`,
          ';',
          '/',
        ),
      },
    ),
    accept: fc.constantFrom('*/*', MEDIA_TYPE, 'text/html', '', 'x'),
    host: fc.constantFrom(
      'x',
      'localhost:1',
      'a b',
      '',
      '[::1]',
      'x:99999',
      '%',
      'ä'.normalize('NFD').slice(0, 1),
    ),
    'x-http-method-override': fc.constant('DELETE'),
    'accept-encoding': fc.constantFrom('gzip', '*', ''),
    'if-match': fc.constant('*'),
    range: fc.constant('bytes=0-1'),
    cookie: fc.string({ unit: 'binary-ascii' }).map(visible),
  },
  { requiredKeys: ['content-type'] },
);

/** Requests of every kind: right ones, nearly right ones, and nonsense. */
const anyRequest: fc.Arbitrary<DrawnRequest> = fc.record({
  method,
  path: fc.tuple(pathname, query).map((parts) => parts.join('')),
  as: fc.constantFrom('admin', 'admin', 'admin', 'manager', 'user', undefined),
  headers,
  body,
  chunked: fc.boolean(),
});

/** Requests that come as far as the validation of a change, and many further; and logins with wrong names. */
const nearlyRight: fc.Arbitrary<DrawnRequest> = fc
  .oneof(
    fc
      .oneof(rightOptions, optionsPatch, framedJson)
      .map((each) => ['PATCH', '/api/integration-options', each] as const),
    fc
      .oneof(rightAttributes, integrationPatch)
      .map((each) => ['PATCH', `/api/integrations/${each.data.id}`, each] as const),
    framedJson.map((each) => ['PATCH', `/api/integrations/${THREAT}`, each] as const),
    fc.oneof(credentials, framedJson).map((each) => ['POST', '/api/users/login', each] as const),
  )
  .map(([verb, path, each]) => ({
    method: verb,
    path,
    as: 'admin',
    headers: { 'content-type': MEDIA_TYPE },
    body: Buffer.from(JSON.stringify(each)),
    chunked: false,
  }));

/** A request to the sandbox with the example catalog, as a fuzzer sends it. */
export const drawnRequest: fc.Arbitrary<DrawnRequest> = fc.oneof(
  { weight: 4, arbitrary: anyRequest },
  { weight: 2, arbitrary: nearlyRight },
);

/** Text without what cannot stand in a request line or a header. */
function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '');
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));
}
