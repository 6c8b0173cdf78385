import { expect, test } from 'vitest';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../support/documents.ts';
import { rendered } from '../../support/rendered.ts';

test('a page of 3,000 changes ends between two of them, and says how many it leaves out', () => {
  const names = Array.from(
    { length: 3_000 },
    (_, index) => `integration-${index}`,
  );
  const integrations = names.map((name, at) =>
    integrationOf(name, [changeOf(name, 3, { after: at })]),
  );
  const page = rendered(
    'markdown',
    documentWith([serverOf('production', integrations)]),
  );
  expect(page.length).toBeLessThanOrEqual(60_000);
  expect(page.length).toBeGreaterThan(50_000);
  const [, left, all] = /Left out here: (\d+) of (\d+) blocks/.exec(page) ?? [];
  const shown = page.match(/^@@ /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(100);
  // The title, the total, the counts and the name of the server are blocks too.
  expect(Number(all) - Number(left)).toBe(shown + 4);
});

test('a page starts with only the mark of its command, by which a comment is found', () => {
  for (const command of ['plan', 'apply', 'diff'] as const)
    expect(
      rendered('markdown', documentWith([], { command })).split('\n')[0],
    ).toBe(`<!-- setpoint ${command} -->`);
});

test('risks and refusals come before changes, and changes of the branch before conflicts and drift', () => {
  const page = rendered('markdown', sampleDocument());
  const order = [
    '- exposes-secret',
    '- warning risk-refused',
    '#### Changed by this',
    '#### In conflict',
    '#### Drift',
  ];
  const places = order.map((text) => page.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test.each(['markdown', 'html'] as const)(
  '%s shows that only setpoint.yaml is less strict',
  (format) => {
    const servers = [serverOf('s', [integrationOf('vt', [])])];
    const page = rendered(
      format,
      documentWith(servers, { command: 'diff', loosened: ['x was removed'] }),
    );
    expect(page).toContain('x was removed');
  },
);

test('markdown has no heading for a server on which nothing changes', () => {
  const servers = [
    serverOf('done', [integrationOf('vt', [])]),
    serverOf('open', [integrationOf('vt', [changeOf('vt', 3)])]),
  ];
  const document = documentWith(servers, { command: 'apply' });
  const headings = rendered('markdown', document)
    .match(/^###.*/gm)
    ?.join(' ');
  expect(headings).toContain('open');
  expect(headings).not.toContain('done');
});
