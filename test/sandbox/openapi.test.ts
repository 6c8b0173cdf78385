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
  const optionWith = (attributes: object) => {
    return { data: [{ id: 'a-b', type: 'integration-options', attributes }] };
  };
  const flags = { 'admin-only': true, 'user-can-edit': false };
  test.each([
    ['the invalid pair', optionWith({ ...flags, 'user-can-edit': true })],
    ['no body', undefined],
  ])('a request with %s', (_, body) =>
    expect(checkRequest({ method: 'PATCH', path, body })).toHaveLength(1),
  );
  const text = { key: 'b', name: 'B', type: 'text', ...flags };
  const error = { status: '500', title: 'x', detail: 'x' };
  test.each([
    ['a text that is null', 200, optionWith({ ...text, value: null })],
    ['no data', 200, { errors: [] }],
    ['another status', 500, { errors: [error] }],
  ])('an answer with %s', (_, status, body) => {
    const answer = { status, contentType, body };
    const problems = checkAnswer({ method: 'PATCH', path }, answer);
    expect(problems).toHaveLength(1);
  });
});
