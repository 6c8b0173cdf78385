import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingTests } from './support/named-tests.ts';

const rows = readFileSync('test/promises.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const named = rows.map(([, , file = '', title = '']) => ({ file, title }));

test('each promise names a test that is there', () => {
  expect(named.filter(({ title }) => title === '')).toEqual([]);
  expect(missingTests(named)).toEqual([]);
});

test('each invariant has a row', () => {
  const numbers = new Set(rows.map(([, , , , number]) => Number(number)));
  const all = Array.from({ length: 35 }, (_, index) => index + 1);
  expect(all.filter((number) => !numbers.has(number))).toEqual([]);
});

test('each is made once', () => {
  expect(new Set(rows.map(([, promise]) => promise)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(40);
});

test('a test that is not there is noticed', () => {
  const [first = { file: '', title: '' }] = named;
  const others = [
    { ...first, file: 'test/none.test.ts' },
    { ...first, title: 'nobody tests this' },
  ];
  expect(missingTests([first, ...others])).toEqual(others);
});

test('what npm test leaves out is in the list of the soak', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const [, leftOut = ''] = /OF_SOAK = \[(.*?)\];/s.exec(config) ?? [];
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const soak: string[] = scripts['test:soak'].split(' ');
  const names = leftOut.match(/[a-z-]+(?=[,}/])/g) ?? [];
  const files = names.filter((name) => !/^(test|shell)$/.test(name));
  expect(files.length).toBeGreaterThan(5);
  const isRun = (name: string) => soak.some((word) => name.includes(word));
  expect(files.filter((name) => !isRun(name))).toEqual([]);
});
