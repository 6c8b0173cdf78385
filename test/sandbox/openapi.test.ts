import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROUTES } from '../../src/sandbox/routes.ts';
import { recordAt } from '../support/at.ts';
import {
  CONTRACT_FILE,
  checkAnswer,
  checkRequest,
} from '../support/contract.ts';

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
    const described = Object.entries(recordAt(document, 'paths')).flatMap(
      ([path, item]) =>
        Object.keys(recordAt(item))
          .filter((key) => key !== 'parameters')
          .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });
});

describe('the contract refuses', () => {
  const path = '/api/integration-options';
  const contentType = 'application/vnd.api+json';
  const item = {
    id: 'a-b',
    type: 'integration-options',
    attributes: { value: 1 },
  };
  const attributes = {
    key: 'b',
    name: 'B',
    type: 'text',
    value: 'x',
    'admin-only': true,
    'user-can-edit': false,
  };
  test.each([
    [
      'the invalid pair',
      {
        data: [
          {
            ...item,
            attributes: { 'admin-only': true, 'user-can-edit': true },
          },
        ],
      },
    ],
    ['no body', undefined],
  ])('a request with %s', (_, body) =>
    expect(checkRequest({ method: 'PATCH', path, body })).toHaveLength(1),
  );
  test.each([
    [
      'a text that is null',
      200,
      { data: [{ ...item, attributes: { ...attributes, value: null } }] },
    ],
    ['no data', 200, { errors: [] }],
    [
      'another status',
      500,
      { errors: [{ status: '500', title: 'x', detail: 'x' }] },
    ],
  ])('an answer with %s', (_, status, body) =>
    expect(
      checkAnswer({ method: 'PATCH', path }, { status, contentType, body }),
    ).toHaveLength(1),
  );
});
