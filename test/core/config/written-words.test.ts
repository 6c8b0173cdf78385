import { expect, test } from 'vitest';
import { parseFile } from '../../../src/core/config/parse-file.ts';
import { parseProject } from '../../../src/core/config/project.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { options } from './files/case.ts';

const SERVERS =
  'version: 1\nservers: { a: { url: https://a.example, config: [a.yaml] } }\n';
const policy = (text: string) =>
  parseProject({ path: 'b.yaml', text: `${SERVERS}policy: { ${text} }\n` });

test.each([
  [
    parseFile({
      path: 'a.yaml',
      text: options('k: { permission: lock-and-hid }'),
    }),
    /Did you mean lock-and-hide/,
  ],
  [policy('exposes-secret: erorr'), /Did you mean error/],
  [policy('secret-max-age: 6m'), /180d/],
  [policy('secret-max-age: 180'), /180d/],
])(
  'a word that is not allowed comes with the one that was meant, or its form',
  ({ diagnostics }, words) => {
    const told = diagnostics
      .map((each) => explain(each))
      .map(({ code, message, hint = '' }) => [code, `${message} ${hint}`]);
    expect(told).toEqual([['not-allowed', expect.stringMatching(words)]]);
  },
);
