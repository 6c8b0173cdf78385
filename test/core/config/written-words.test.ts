import { describe, expect, test } from 'vitest';
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

describe('a word that is not one of those allowed is named, with the one that was meant', () => {
  test.each([
    [
      'entries',
      'vt: { options: { apiKey: { permission: lock-and-hid } } }',
      /lock-and-hid\. Did you mean lock-and-hide/,
    ],
    ['entries', 'vt: { options: { url: { permission: user-provide } } }', /Did you mean user-provides/],
    ['policy', 'exposes-secret: erorr', /erorr\. Did you mean error/],
  ] as const)('%s: %s', (kind, text, words) => {
    expect(told(kind, text)).toEqual([['not-allowed', expect.stringMatching(words)]]);
  });
  test('but not what looks like a secret', () => {
    const [[, words] = []] = told('entries', 'vt: { options: { apiKey: { permission: aX9dK2mQ8zR4 } } }');
    expect(words).not.toContain('aX9dK2mQ8zR4');
  });
});

describe('an age is asked for in its form', () => {
  test.each(['180', '180 days', '6m'])('%s', (age) => {
    expect(told('policy', `secret-max-age: ${age}`)).toEqual([
      ['not-allowed', expect.stringMatching('180d')],
    ]);
  });
});
