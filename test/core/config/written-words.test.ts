import { expect, test } from 'vitest';
import { parseProject } from '../../../src/core/config/project.ts';
import { parseFile } from '../../../src/core/config/read-file.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { entries } from '../../support/config.ts';

/** The words of the only finding of a configuration file, or of a `setpoint.yaml` with a policy. */
function told(kind: 'entries' | 'policy', text: string) {
  const servers = 'servers: { a: { url: https://a.example, config: [a.yaml] } }';
  const { diagnostics } =
    kind === 'entries'
      ? parseFile({ path: 'a.yaml', text: entries(text) })
      : parseProject({ path: 'setpoint.yaml', text: `version: 1\n${servers}\npolicy: { ${text} }\n` });
  return diagnostics.map(explain).map(({ code, message, hint = '' }) => [code, `${message} ${hint}`]);
}

test.each([
  [
    'entries',
    'vt: { options: { apiKey: { permission: lock-and-hid } } }',
    /lock-and-hid\. Did you mean lock-and-hide/,
  ],
  ['policy', 'exposes-secret: erorr', /erorr\. Did you mean error/],
  ['policy', 'secret-max-age: 6m', /180d/],
] as const)(
  'a word that is not allowed comes with the one that was meant, or its form: %s: %s',
  (kind, text, words) => {
    expect(told(kind, text)).toEqual([['not-allowed', expect.stringMatching(words)]]);
  },
);
