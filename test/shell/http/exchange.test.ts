import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  type Answer,
  decodeAnswer,
  type Request,
} from '../../../src/shell/http/exchange.ts';

const SECRET = 'hunter2-and-more';
const mask = (text: string): string => text.replaceAll(SECRET, '***');

const GET: Request = { method: 'GET', path: '/api/integrations' };

function answer(body: unknown): Answer {
  const headers = { 'content-type': 'application/vnd.api+json' };
  return { status: 200, headers, text: JSON.stringify(body), isUtf8: true };
}

function thrownBy(body: Answer): unknown {
  try {
    return decodeAnswer(GET, body, mask);
  } catch (thrown) {
    return thrown;
  }
}

test('errors in a good answer are masked before they are cut to fit', () => {
  // Their limit is in the middle of the secret.
  const detail = `${'x'.repeat(4_090)}${SECRET}`;
  const body = answer({ data: [], errors: [{ detail }] });
  const text = inspect(thrownBy(body), { depth: null, maxStringLength: null });
  expect(text).toContain('***');
  expect(text).not.toContain('hunter');
});

test('what is read for its values is not masked', () => {
  const body = { data: [{ id: SECRET }] };
  expect(decodeAnswer(GET, answer(body), mask)).toEqual(body);
});
