import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLink } from '../../../src/core/report/repository.ts';
import { documentWith } from '../../support/documents.ts';
import { foreignText } from '../../support/foreign-report.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const GITHUB = 'https://github.com/acme/integrations';

interface Where {
  readonly repository?: string;
  readonly commit?: string;
  readonly file?: string;
}

function linkOf({
  repository = GITHUB,
  commit = COMMIT,
  file = 'base/a.yaml',
}: Where): string | undefined {
  const document = documentWith([], { repository, commit });
  return placeLink(document, { file, line: 12, column: 3 });
}

test.each([
  ['https://github.com/acme/integrations', 'github.com/acme/integrations/blob'],
  ['https://gitlab.com/a/b/c', 'gitlab.com/a/b/c/-/blob'],
  [
    'https://gitlab.acme.example:8443/a/b',
    'gitlab.acme.example:8443/a/b/-/blob',
  ],
  ['https://git.example/~me/a%20b', 'git.example/~me/a%20b/blob'],
])('a place in %s has a link to its line', (repository, root) => {
  const link = `https://${root}/${COMMIT}/base/a.yaml#L12`;
  expect(linkOf({ repository })).toBe(link);
});

test('a path is percent-encoded, whatever it holds', () => {
  const path = (file: string) =>
    linkOf({ file })?.slice(`${GITHUB}/blob/${COMMIT}/`.length);
  expect(path('./a b/c.yaml')).toBe('a%20b/c.yaml#L12');
  expect(path('a)(`|"<?#%\n@.yaml')).toBe(
    'a%29%28%60%7C%22%3C%3F%23%25%0A%40.yaml#L12',
  );
  expect(path('\ud800.yaml')).toBe('%EF%BF%BD.yaml#L12');
});

test.each([
  ['http', { repository: 'http://github.com/acme/a' }],
  ['a script', { repository: 'javascript:alert(1)//github.com' }],
  ['an account', { repository: 'https://token@github.com/acme/a' }],
  ['another spelling', { repository: `${GITHUB}/` }],
  ['a short commit', { commit: COMMIT.slice(0, 12) }],
  ['a file above', { file: '../a.yaml' }],
  ['a file above, inside', { file: 'a/../../b.yaml' }],
  ['an absolute path', { file: '/etc/a.yaml' }],
  ['no file', { file: '' }],
])('%s has no link', (_, where) => {
  expect(linkOf(where)).toBeUndefined();
});

test('no text makes a link with other characters than those of addresses', () => {
  const check = (text: string): void => {
    const links = [
      linkOf({ file: text }),
      linkOf({ repository: text }),
      linkOf({ repository: `${GITHUB}/${text}` }),
      linkOf({ repository: `https://${text}` }),
    ];
    for (const link of links) {
      expect(link ?? 'https://none').toMatch(/^https:\/\/[\w.:~%/+-]+(#L12)?$/);
    }
  };
  fc.assert(fc.property(foreignText, check), { numRuns: 300 });
});
