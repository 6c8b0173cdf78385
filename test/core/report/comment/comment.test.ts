import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  Document,
  IntegrationDocument,
} from '../../../../src/core/plan/plan-document.ts';
import { renderComment } from '../../../../src/core/report/comment/comment.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';
import { foreignText } from '../../../support/foreign-report.ts';
import { codeOf, commandsOf } from '../../../support/sinks.ts';
import { seeds } from '../../../support/soak.ts';

/** Integrations with a change each, or with as many as `changes` says. */
function integrationsOf(number: number, changes = 1): IntegrationDocument[] {
  return Array.from({ length: number }, (_, at) => {
    const name = `integration-${at}`;
    const own = Array.from({ length: changes }, (__, field) =>
      changeOf(name, 3, {
        address: `${name}.options.field${field}.value`,
        after: 1000 * at + field,
      }),
    );
    return integrationOf(name, own);
  });
}

function onProduction(integrations: readonly IntegrationDocument[]): Document {
  return documentWith([serverOf('production', integrations)]);
}

/** The names of integrations that have a card, without those in lists. */
function cardsIn(comment: string): string[] {
  return [...comment.matchAll(/^\*\*`(integration-\d+)`\*\*/gm)].map(
    ([, name = '']) => name,
  );
}

function errorOf(at: number): Document['diagnostics'][number] {
  const message = `zeek has no option o${at}.`;
  return { code: 'unknown-option', severity: 'error' as const, message };
}

test('the order is what needs a person, changes by weight, folds, what is next', () => {
  const comment = renderComment(sampleDocument());
  const parts = [
    '### setpoint plan: ',
    '> [!CAUTION]\n> **Refused',
    '> **Left out, because of errors: zeek**',
    '> [!WARNING]\n> **`setpoint.yaml` is less strict**',
    '| server | changes |',
    '- **1 exposes-secret** (all users will see this secret): `jira`',
    '#### Refused',
    '#### Conflicts',
    '#### Risks',
    '#### Changes',
    '#### Drift',
    '<summary>2 warnings</summary>',
    '<summary>5 more fields</summary>',
    '<sub>',
    '**Next** Correct this, then `setpoint plan',
  ];
  const places = parts.map((part) => comment.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(comment).toMatch(/setpoint plan --base main`\n$/);
});

describe('a hint', () => {
  const hint = `${'Some words go before it. '.repeat(60)}Pass --allow-changes 104.`;
  const whole = 'before it. Pass `--allow-changes 104`.';
  test('of a refusal is never cut', () => {
    const refusal = { ...errorOf(1), code: 'many-changes', hint };
    const servers = Array.from({ length: 9 }, (_, at) =>
      serverOf(`server-${at}`, integrationsOf(1), { refusals: [refusal] }),
    );
    expect(renderComment(documentWith(servers))).toContain(whole);
  });
  test('of a warning is never cut', () => {
    const finding = { ...errorOf(1), severity: 'warning', hint } as const;
    const document = documentWith([], { diagnostics: [finding] });
    expect(renderComment(document)).toContain(whole);
  });
});

test.each([1, 7])('a table is left out for %d servers', (number) => {
  const servers = Array.from({ length: number }, (_, at) =>
    serverOf(`s${at} | ${at}`, integrationsOf(at + 1)),
  );
  const comment = renderComment(documentWith(servers));
  codeOf(comment);
  expect(comment).not.toMatch(/^\|.*\|$/m);
});

describe('what is read without a click', () => {
  const openIn = (integrations: readonly IntegrationDocument[]) => {
    const comment = renderComment(onProduction(integrations));
    const [open = '', ...rest] = comment.split('<details>');
    return { open: cardsIn(open), rest: rest.join('') };
  };
  test('is a small plan', () => {
    const { open, rest } = openIn(integrationsOf(7, 2));
    expect(open).toHaveLength(7);
    expect(rest).toBe('');
  });
  test('is 60 lines; a larger section is one fold', () => {
    const { open, rest } = openIn(integrationsOf(30, 3));
    expect(open).toEqual([]);
    expect(cardsIn(rest)).toHaveLength(30);
    expect(rest).toContain(
      '<summary><b>Changes</b>: 30 integrations</summary>',
    );
  });
});

describe('60,000 characters', () => {
  test('are not exceeded; integrations without room are counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 400 }),
        (number, changes, length) => {
          const all = integrationsOf(number, changes).map((integration) => {
            const comment = 'c'.repeat(length);
            const own = integration.changes.map((each) => {
              return { ...each, comment };
            });
            return { ...integration, changes: own };
          });
          const comment = renderComment(onProduction(all));
          expect(comment.length).toBeLessThanOrEqual(60_000);
          const [, left = 0] = /changes of (\d+) int/.exec(comment) ?? [];
          expect(new Set(cardsIn(comment)).size + Number(left)).toBe(number);
          if (Number(left) > 0) expect(comment.length).toBeGreaterThan(50_000);
        },
      ),
      { numRuns: seeds(8, 100) },
    );
  });
  test('hold texts of any length', () => {
    const lengths = fc.constantFrom(1, 4, 12, 30, 80, 3_000);
    fc.assert(
      fc.property(foreignText, lengths, (text, times) => {
        const comment = renderComment(longDocument(`${text} `.repeat(times)));
        expect(comment.length).toBeLessThanOrEqual(60_000);
        codeOf(comment);
      }),
      { numRuns: seeds(6, 300) },
    );
  });
});

/** A document with a long text wherever it is foreign. */
function longDocument(long: string): Document {
  const name = `${long}.name`;
  const risks = ['exposes-secret', 'subscribes-everyone'] as const;
  const changes = [
    changeOf(name, 3, { after: long, comment: long, risks }),
    changeOf(name, 4, { after: `${long}\n`.repeat(9), label: 'drift' }),
  ];
  const diagnostics = Array.from({ length: 20 }, (_, at) => {
    const severity = at % 2 === 0 ? 'error' : 'warning';
    const places = [{ file: long, line: at + 1, column: 1 }];
    const found = { message: `${at} ${long}`, hint: long, server: long };
    return { code: `code-${at}`, severity, ...found, places } as const;
  });
  const severity = 'error' as const;
  const refusals = [
    { code: 'many-changes', severity, message: long, hint: long },
  ];
  const integrations = [...Array(9).keys()].map((at) =>
    integrationOf(`${at}${name}`, at === 0 ? [] : changes, {
      status: long,
      ...(at === 0 ? { unplanned: true } : {}),
      left: [{ address: `${name}.x`, because: 'waived', reason: long }],
    }),
  );
  const servers = [0, 1, 2].map((at) =>
    serverOf(`${at}${long}`, integrations, { refusals, only: long }),
  );
  return documentWith(servers, {
    diagnostics,
    base: { ref: long, commit: long },
    head: { ref: long, commit: long },
  });
}

test('a value of several lines is a comparison inside of its item', () => {
  const rest = '```\n::error::x';
  const change = { before: `a\n${rest}`, after: `b\n${rest}` };
  const vt = integrationOf('vt', [changeOf('vt', 3, change)]);
  const comment = renderComment(onProduction([vt]));
  expect(comment).toContain('- `limit` `:3`\n  ````diff\n  - a\n  + b\n');
  const { fences } = codeOf(comment);
  expect(fences).toEqual(['- a\n+ b\n  ```\n  :\\u{3a}error::x']);
  expect(commandsOf(comment).commands).toEqual([]);
});

test('alerts of an extreme run leave room: none of their titles has 60,000 characters to itself', () => {
  const codes = [
    'unknown-option',
    'apply-failed',
    'stale',
    'loosened',
    'still-declared',
    'branch-behind',
  ] as const;
  const diagnostics = codes.flatMap((code, kind) =>
    Array.from({ length: 300 }, (_, at) => ({
      code,
      severity: kind < 3 ? ('error' as const) : ('warning' as const),
      message: `Problem ${at}: ${'x'.repeat(300)}`,
    })),
  );
  const document = { ...onProduction(integrationsOf(300, 2)), diagnostics };
  expect(renderComment(document).length).toBeLessThanOrEqual(60_000);
});
