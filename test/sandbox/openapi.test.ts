import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROUTES } from '../../src/sandbox/app.ts';
import { recordAt } from '../support/at.ts';
import { CONTRACT_FILE, checkAnswer, checkExchange, checkRequest } from '../support/contract.ts';

const openapi = readFileSync(CONTRACT_FILE, 'utf8');
const document: unknown = parse(openapi);

describe('the contract', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(openapi)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });
  test('has exactly the operations that the sandbox serves', () => {
    const served = ROUTES.map(
      ({ method, path }) =>
        `${method} ${path.replace(':errorId', '{errorId}').replace(':id', '{integrationId}')}`,
    );
    const described = Object.entries(recordAt(document, 'paths')).flatMap(([path, item]) =>
      Object.keys(recordAt(item))
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });
});

describe('the checker', () => {
  const path = '/api/integration-options';
  const contentType = 'application/vnd.api+json';
  const item = { id: 'a-b', type: 'integration-options', attributes: { value: 1 } };
  const option = {
    id: 'a-b',
    type: 'integration-options',
    attributes: { key: 'b', name: 'B', type: 'text', value: 'x', 'admin-only': true, 'user-can-edit': false },
  };
  const patch = (body: unknown) => checkRequest({ method: 'PATCH', path, contentType, body });
  const answer = (body: unknown) =>
    checkAnswer({ method: 'PATCH', path }, { status: 200, contentType, body });

  test('finds nothing wrong with a right exchange', () =>
    expect(
      checkExchange(
        { method: 'PATCH', path, contentType, body: { data: [item] } },
        { status: 200, contentType, body: { data: [option] } },
      ),
    ).toEqual([]));
  test.each([
    ['the invalid pair', { data: [{ ...item, attributes: { 'admin-only': true, 'user-can-edit': true } }] }],
    ['an empty list', { data: [] }],
    ['no type', { data: [{ id: 'a-b', attributes: { value: 1 } }] }],
    ['no attribute', { data: [{ ...item, attributes: {} }] }],
    ['another attribute', { data: [{ ...item, attributes: { key: 'b' } }] }],
    ['null as a value', { data: [{ ...item, attributes: { value: null } }] }],
    ['no body', undefined],
  ])('finds a request with %s', (_, body) => expect(patch(body)).toHaveLength(1));
  test('finds a wrong media type', () =>
    expect(
      checkRequest({ method: 'PATCH', path, contentType: 'application/json', body: { data: [item] } }),
    ).toHaveLength(1));
  test.each([
    ['/api/integrations?page[size]=0'],
    ['/api/integrations?page[size]=many'],
    ['/api/integrations?page[limit]=1'],
    ['/api/integration-options'],
    ['/api/nothing'],
  ])('finds a request to %s', (wrong) =>
    expect(checkRequest({ method: 'GET', path: wrong })).toHaveLength(1),
  );
  test.each([
    [
      'an option without flags',
      { data: [{ ...option, attributes: { key: 'b', name: 'B', type: 'text', value: 'x' } }] },
    ],
    [
      'a text without value',
      { data: [{ ...option, attributes: { ...option.attributes, value: undefined } }] },
    ],
    ['a text that is null', { data: [{ ...option, attributes: { ...option.attributes, value: null } }] }],
    ['an id without dash', { data: [{ ...option, id: 'a' }] }],
    ['no data', { errors: [] }],
  ])('finds an answer with %s', (_, body) =>
    expect(answer(JSON.parse(JSON.stringify(body)))).toHaveLength(1),
  );
  test('finds a status that is not in the contract', () =>
    expect(
      checkAnswer(
        { method: 'GET', path: '/api/integrations' },
        { status: 500, body: { errors: [{ status: '500', title: 'x', detail: 'x' }] } },
      ),
    ).toHaveLength(1));
  test('finds an answer without body', () =>
    expect(checkAnswer({ method: 'GET', path: '/api/integrations' }, { status: 200 })).toHaveLength(1));
  test('takes errors for no id', () =>
    expect(
      checkAnswer(
        { method: 'GET', path: '/api/integrations/errors' },
        { status: 200, contentType, body: { data: {} } },
      ),
    ).toHaveLength(1));
});
