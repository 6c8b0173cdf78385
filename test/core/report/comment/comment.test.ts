import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
} from '../../../../src/core/plan/plan.ts';
import { renderComment } from '../../../../src/core/report/comment/comment.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  leftField,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';

/** Integrations with a change each, or with as many as `changes` says. */
function integrationsOf(number: number, changes = 1): IntegrationDocument[] {
  return Array.from({ length: number }, (_, at) => {
    const name = `integration-${at}`;
    const own = Array.from({ length: changes }, (__, field) =>
      changeOf(name, 3, {
        address: `${name}.options.field${field}.value`,
        after: 100 * at + field,
      }),
    );
    return integrationOf(name, own);
  });
}

function onProduction(integrations: readonly IntegrationDocument[]): Document {
  return documentWith([serverOf('production', integrations)]);
}

/** How many rows of tables show a change. */
function rowsIn(comment: string): number {
  return comment.match(/^\|.* → /gm)?.length ?? 0;
}

function errorOf(at: number): Document['diagnostics'][number] {
  const message = `zeek has no option o${at}.`;
  return { code: 'unknown-option', severity: 'error', message };
}

describe('the first line', () => {
  test.each(['plan', 'apply', 'diff', 'validate', 'merge'] as const)(
    'of %s is the marker by which the comment is found',
    (command) => {
      const comment = renderComment(documentWith([], { command }));
      expect(comment.split('\n')[0]).toBe(`<!-- setpoint ${command} -->`);
    },
  );
});

describe('errors of a plan', () => {
  const left = integrationOf('zeek', [], { unplanned: true });
  const changed = integrationOf('vt', [changeOf('vt', 3)]);
  const plan = documentWith([serverOf('production', [left, changed])], {
    diagnostics: [errorOf(1)],
  });
  const refusal = { code: 'many-changes', message: 'Too many.' };
  const refused = serverOf('production', [left, changed], {
    refusals: [refusal],
  });
  test.each<[string, Document, boolean, boolean]>([
    ['leave out one integration', plan, true, false],
    ['of a server keep back all', { ...plan, complete: false }, false, true],
    [
      'of a server were there before an apply',
      { ...plan, command: 'apply', complete: false },
      false,
      false,
    ],
    ['stand beside a refusal', { ...plan, servers: [refused] }, false, false],
  ])('%s', (_, document, writesOthers, isKeptBack) => {
    const comment = renderComment(document);
    expect(comment).toContain('**Left out**, because of errors: `zeek`');
    expect(comment.includes('apply writes the other integrations')).toBe(
      writesOthers,
    );
    expect(comment.includes('without `--keep-going`')).toBe(isKeptBack);
  });
});

describe('the order', () => {
  test('is refusals and errors, risks, then sections by their weight', () => {
    const sample = sampleDocument();
    const moved = changeOf('moved', 3, { label: 'drift' });
    const other = serverOf('other', [integrationOf('moved', [moved])]);
    const servers = [...sample.servers, other];
    const comment = renderComment({ ...sample, servers });
    const parts = [
      '### setpoint plan',
      '**Refused** on `production`',
      '**Left out**',
      '**unknown-option**',
      '| server |',
      '- **1 exposes-secret**',
      '#### Refused',
      '#### Conflicts',
      '#### Risks',
      '#### Other changes by this branch',
      '#### Drift only',
      'not compared; --write-hidden',
      '1 field left alone for now',
      '<sub>',
    ];
    const places = parts.map((part) => comment.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
  test('has servers without changes at the end', () => {
    const servers = [
      serverOf('done', [integrationOf('vt', [])]),
      serverOf('open', [integrationOf('vt', [changeOf('vt', 3)])]),
    ];
    const comment = renderComment(documentWith(servers));
    const last = comment.split('\n\n').at(-2);
    expect(last).toBe('No changes on `done`.');
    expect(comment).not.toMatch(/^\| `done`/m);
  });
  test('has what a diff loosens at the top', () => {
    const message = 'setpoint.yaml is less strict at policy/x.';
    const loosened = {
      code: 'loosened',
      severity: 'warning',
      message,
    } as const;
    const servers = [serverOf('s', [integrationOf('vt', [])])];
    const own = { command: 'diff', diagnostics: [loosened] } as const;
    const comment = renderComment(documentWith(servers, own));
    expect(comment).toMatch(/> \[!WARNING\]\n> .*less strict at/);
    expect(comment.match(/less strict/g)).toHaveLength(1);
  });
});

describe('what is read without a click', () => {
  test('is a small plan', () => {
    const comment = renderComment(onProduction(integrationsOf(7, 2)));
    expect(rowsIn(comment)).toBe(14);
    expect(comment.split('<details>')[0]).toContain('`integration-6`');
  });
  test('is 45 lines; an integration beyond is a fold of its own', () => {
    const comment = renderComment(onProduction(integrationsOf(30, 3)));
    const [open = ''] = comment.split('<details>');
    expect(rowsIn(open)).toBe(45);
    expect(rowsIn(comment)).toBe(90);
    const summaries = comment.match(/<summary><code>integration-/g);
    expect(summaries).toHaveLength(15);
    expect(comment).toContain('<code>integration-29</code>: 3 changes');
  });
  test('leaves integrations of one row to a single fold', () => {
    const comment = renderComment(onProduction(integrationsOf(60)));
    const summary = /<summary>(15 more integrations) with one field each/;
    expect(comment).toMatch(summary);
    expect(rowsIn(comment)).toBe(60);
  });
  test('goes on with small integrations after a large one', () => {
    const large = integrationsOf(1, 50);
    const small = integrationOf('small', [changeOf('small', 3)]);
    const comment = renderComment(onProduction([...large, small]));
    const [open = ''] = comment.split('<details>');
    expect(open).toContain('`small`');
    expect(open).not.toContain('integration-0');
  });
  test('are warnings, if there is room', () => {
    const diagnostics = [
      { code: 'not-running', severity: 'warning', message: 'x y' } as const,
    ];
    const warned = (integrations: readonly IntegrationDocument[]) =>
      renderComment({ ...onProduction(integrations), diagnostics });
    expect(warned(integrationsOf(3))).toContain('#### 1 warning\n');
    expect(warned(integrationsOf(45))).toContain(
      '<summary>1 warning: not-running</summary>',
    );
  });
});

describe('60,000 characters', () => {
  test('are not exceeded; what has no room is counted', () => {
    for (const [number, changes] of [
      [1_000, 3],
      [60, 40],
      [2_000, 1],
    ] as const) {
      const document = onProduction(integrationsOf(number, changes));
      const comment = renderComment(document);
      expect(comment.length).toBeLessThanOrEqual(60_000);
      expect(comment.length).toBeGreaterThan(50_000);
      const pattern = /here: (\d+) of (\d+) changes/;
      const [, left, all] = pattern.exec(comment) ?? [];
      expect(Number(all)).toBe(number * changes);
      expect(Number(left) + rowsIn(comment)).toBe(number * changes);
    }
  });
  test('hold texts of any length', () => {
    const long = '`x|<'.repeat(5_000);
    const name = `${long}.name`;
    const changes = [
      changeOf(name, 3, { after: long, comment: long }),
      changeOf(name, 4, { after: `${long}\n`.repeat(50), label: 'drift' }),
    ];
    const message = `${long} ${'a [b] '.repeat(2_000)}`;
    const finding = { severity: 'error', message, hint: message } as const;
    const diagnostics = Array.from({ length: 50 }, (_, at) => {
      const place = { file: long, line: at + 1, column: 1 };
      const places = [place];
      return { code: `code-${at}`, ...finding, places, server: long };
    });
    const refusals = [{ code: 'many-changes', message, hint: message }];
    const integrations = [
      integrationOf(name, changes),
      integrationOf(`${name}2`, [], {
        left: Array.from({ length: 900 }, (_, at) =>
          leftField(`${name}2.${at}`, at + 1, 'settled'),
        ),
      }),
    ];
    const servers = [...Array(9).keys()].map((at) =>
      serverOf(`${at}${long}`, integrations, { refusals }),
    );
    const own = {
      diagnostics: [
        ...diagnostics,
        ...diagnostics.map((each) => {
          const severity = 'warning' as const;
          return { ...each, code: 'loosened', severity };
        }),
      ],
      base: { ref: long, commit: long },
      repository: 'https://git.example/a',
      commit: '0123456789abcdef0123456789abcdef01234567',
    };
    const comment = renderComment(documentWith(servers, own));
    expect(comment.length).toBeLessThanOrEqual(60_000);
  });
});

describe('a finding', () => {
  test('of one cause stands once, with its servers', () => {
    const servers = ['a', 'b'].map((name) => serverOf(name, []));
    const diagnostics = servers.map(({ name: server }) => {
      return { ...errorOf(1), server, integrations: ['zeek'] };
    });
    const comment = renderComment(documentWith(servers, { diagnostics }));
    expect(comment.match(/has no option/g)).toHaveLength(1);
    expect(comment).toContain('**unknown-option** on `a`, `b`: zeek');
  });
  test('is at the top if it is one of the first four errors', () => {
    const diagnostics = [...Array(6).keys()].map(errorOf);
    const document = documentWith([], { command: 'validate', diagnostics });
    const comment = renderComment(document);
    const [top = '', rest = ''] = comment.split('#### 2 more errors');
    expect(top.match(/^> \*\*unknown-option/gm)).toHaveLength(4);
    expect(rest.match(/^- \*\*unknown-option/gm)).toHaveLength(2);
  });
  test('that only follows from others has its remedy alone', () => {
    const waiting = {
      code: 'not-attempted',
      severity: 'error',
      message: 'Not attempted: alpha, beta.',
      hint: 'Run again.',
    } as const;
    const diagnostics = [waiting, errorOf(1)];
    const comment = renderComment(documentWith([], { diagnostics }));
    expect(comment).not.toContain('alpha');
    expect(comment).toMatch(
      /unknown-option.*\n>\n> .*not-attempted.*Run again/,
    );
  });
});

describe('after an apply', () => {
  const stale = { outcome: 'stale', reason: 'moved on the server' } as const;
  const ended = (name: string, own: Partial<ChangeDocument>) =>
    integrationOf(name, [changeOf(name, 3, own)]);
  const integrations = [
    ended('done', { outcome: 'verified', after: 61 }),
    ended('first', { ...stale, after: 62 }),
    ended('second', { ...stale, after: 63 }),
    ended('wrong', { outcome: 'failed', reason: 'the key is unknown' }),
  ];
  const document = { ...onProduction(integrations), command: 'apply' } as const;
  const comment = renderComment(document);
  test('what failed and was held back comes first, with its reason', () => {
    expect(comment.match(/^####? .*/gm)).toEqual([
      '### setpoint apply: 4 changes in 4 integrations on `production`',
      '#### Failed or unclear',
      '#### Held back',
      '#### Done',
    ]);
    expect(comment).toContain('| **failed**: the key is unknown |');
    expect(comment).toContain('**3 of 4 not written**: 1 verified, 1 failed');
  });
  test('a reason to hold back stands once', () => {
    expect(comment.match(/moved on the server/g)).toHaveLength(1);
  });
});

describe('places', () => {
  const document = onProduction(integrationsOf(1));
  const commit = '0123456789abcdef0123456789abcdef01234567';
  test('are links to the commit if the document knows it', () => {
    const repository = 'https://github.com/acme/a';
    const comment = renderComment({ ...document, repository, commit });
    const link = `${repository}/blob/${commit}/base/integrations.yaml#L3`;
    expect(comment).toContain(`[\`:3\`](${link})`);
    expect(comment).not.toContain('Where it is declared');
  });
  test('are lines and a list of files if it does not', () => {
    const comment = renderComment(document);
    expect(comment).toContain('`0` :3 |');
    expect(comment).toContain('- `integration-0`: `base/integrations.yaml`');
  });
});

describe('values', () => {
  const shown = (own: Partial<ChangeDocument>) =>
    renderComment(
      onProduction([integrationOf('vt', [changeOf('vt', 3, own)])]),
    );
  test('stand beside each other, with words for those that are not shown', () => {
    const secret = { before: null, after: null, secret: true } as const;
    expect(shown({})).toContain('| `vt` | `limit`: `30` → `60` :3 |');
    expect(shown({ before: null })).toContain('(not set) → `60`');
    expect(shown({ ...secret, reference: '${env:KEY}' })).toContain(
      '(secret) → `${env:KEY}`',
    );
  });
  test('with a bar or a backtick are compared below the table', () => {
    const comment = shown({ before: 'a | b', after: 'a | c' });
    expect(comment).toContain('```diff\n- a | b\n+ a | c\n```');
    expect(rowsIn(comment)).toBe(0);
  });
  test('that differ in a line end alone are compared', () => {
    const comment = shown({ before: 'a\nb', after: 'a\nb\n' });
    expect(comment).toContain(
      '```diff\n  (2 equal lines)\n  (before without a newline at its end)\n```',
    );
  });
  test('of many lines are cut with a count', () => {
    const lines = (word: string) =>
      Array.from({ length: 40 }, (_, at) => `${word} ${at}`).join('\n');
    const comment = shown({ before: null, after: lines('line') });
    expect(comment).toContain('+ line 28\n  (11 more lines)\n```');
  });
  test('of a list are what it loses and gets', () => {
    const choices = (...values: readonly string[]) =>
      values.map((value) => ({ display: value, value }));
    const own = { before: choices('ip', 'url'), after: choices('url', 'tld') };
    expect(shown(own)).toContain('`limit`: `-ip` `+tld` :3');
  });
});
