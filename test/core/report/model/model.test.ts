import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
} from '../../../../src/core/plan/plan.ts';

import { matrixOf } from '../../../../src/core/report/model/matrix.ts';
import {
  type Model,
  modelOf,
} from '../../../../src/core/report/model/model.ts';
import type { ShownValue } from '../../../../src/core/report/model/value.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../../support/documents.ts';

const SECRET = { secret: true, before: null, after: null } as const;

type Own = Partial<ChangeDocument>;

/** A document in which each server changes fields of one integration, `vt`. */
function changedOn(
  servers: Readonly<Record<string, readonly Own[]>>,
  own: Partial<Document> = {},
): Document {
  const all = Object.entries(servers).map(([name, changes]) => {
    const documents = changes.map((each, at) =>
      changeOf('vt', at + 3, { address: `vt.options.o${at}.value`, ...each }),
    );
    return serverOf(name, [integrationOf('vt', documents)]);
  });
  return documentWith(all, own);
}

/** One server with an integration for each of these changes. */
function eachChanged(
  changes: Readonly<Record<string, Own>>,
  own: Partial<Document> = {},
): Document {
  const integrations = Object.entries(changes).map(([name, change]) =>
    integrationOf(name, [changeOf(name, 3, change)]),
  );
  return documentWith([serverOf('prod', integrations)], own);
}

function textIn(value: ShownValue): string {
  const runs =
    value.lines === undefined
      ? [value.before ?? [], value.after]
      : value.lines.map((line) => line.runs);
  const texts = runs.map((side) => side.map(({ text }) => text).join(''));
  return texts.filter((text) => text !== '').join(' -> ');
}

/** Each row with its servers: `limit 30 -> 60 [staging, prod]`. */
function rowsIn({ sections }: Model): string[] {
  const cards = sections.flatMap((section) => section.cards);
  const rows = cards.flatMap((card) => card.rows);
  return rows.map(({ field, value, facts }) => {
    const servers = facts.map(({ server }) => server);
    return `${field} ${textIn(value)} [${servers.join(', ')}]`;
  });
}

/** The cards of each section: `Risks: alpha, beta`. */
function cardsIn({ sections }: Model): string[] {
  return sections.flatMap(({ title, cards }) =>
    cards.map((card) => `${title}: ${card.title ?? card.names.join(', ')}`),
  );
}

describe('a field is one row over the servers', () => {
  test.each<[string, Own, Own, string[]]>([
    ['with equal values', {}, {}, ['o0 30 -> 60 [staging, prod]']],
    [
      'in another file',
      { source: { file: 'a', line: 1, column: 1 } },
      { source: { file: 'b', line: 2, column: 1 } },
      ['o0 30 -> 60 [staging, prod]'],
    ],
    [
      'but not with another live value',
      { before: 10 },
      { before: 20 },
      ['o0 10 -> 60 [staging]', 'o0 20 -> 60 [prod]'],
    ],
    [
      'but not with another label',
      { label: 'drift' },
      {},
      ['o0 30 -> 60 [staging]', 'o0 30 -> 60 [prod]'],
    ],
    [
      'but not secrets that nobody can compare',
      { ...SECRET, address: 'vt.options.k.value', rotated: '2026-01-01' },
      { ...SECRET, address: 'vt.options.k.value', rotated: '2026-01-02' },
      ['k (secret) -> (secret) [staging]', 'k (secret) -> (secret) [prod]'],
    ],
  ])('%s', (_, onStaging, onProd, expected) => {
    const document = changedOn({ staging: [onStaging], prod: [onProd] });
    expect(rowsIn(modelOf(document))).toEqual(expected);
  });

  test('and rows are in the order of their files and lines', () => {
    const at = (file: string, line: number): Own => ({
      source: { file, line, column: 1 },
    });
    const document = changedOn({
      prod: [
        at('b.yaml', 2),
        at('a10.yaml', 1),
        at('a9.yaml', 9),
        at('a9.yaml', 4),
      ],
    });
    const rows = rowsIn(modelOf(document)).map((row) => row.slice(0, 2));
    expect(rows).toEqual(['o3', 'o2', 'o1', 'o0']);
  });
});

describe('integrations are one card', () => {
  test.each<[string, Own, Own, string[]]>([
    ['with equal rows', {}, {}, ['Changes: alpha, beta']],
    [
      'not with other values',
      {},
      { after: 61 },
      ['Changes: alpha', 'Changes: beta'],
    ],
    [
      'with secrets of one reference',
      { ...SECRET, reference: '${env:KEY}' },
      { ...SECRET, reference: '${env:KEY}' },
      ['Changes: alpha, beta'],
    ],
    [
      'not with secrets that nobody can compare',
      SECRET,
      SECRET,
      ['Changes: alpha', 'Changes: beta'],
    ],
  ])('%s', (_, alpha, beta, expected) => {
    expect(cardsIn(modelOf(eachChanged({ alpha, beta })))).toEqual(expected);
  });

  test('but each has its own in full', () => {
    const model = modelOf(eachChanged({ alpha: {}, beta: {} }), {
      full: true,
    });
    expect(cardsIn(model)).toEqual(['Changes: alpha', 'Changes: beta']);
  });

  test('a change that most integrations share is a card of its own', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const sharedBy = (count: number) => {
      const integrations = names.map((name, at) => {
        const own = changeOf(name, 9, { address: `${name}.autosubscribe` });
        const shared = at < count ? [changeOf(name, 3)] : [];
        return integrationOf(name, [...shared, { ...own, after: at }]);
      });
      return modelOf(documentWith([serverOf('prod', integrations)]));
    };
    expect(cardsIn(sharedBy(5))[0]).toBe('Changes: In 5 integrations');
    expect(cardsIn(sharedBy(5))).toHaveLength(9);
    expect(cardsIn(sharedBy(4))).toHaveLength(8);
  });
});

test('alerts are refusals, then errors, causes before what follows from them', () => {
  const refusals = [
    {
      code: 'many-changes',
      severity: 'error' as const,
      message: 'Many.',
      hint: 'Do.',
    },
  ];
  const servers = ['a', 'b'].map((name) =>
    serverOf(name, [integrationOf('vt', [changeOf('vt', 3)])], { refusals }),
  );
  const error = (code: string) =>
    ({
      code,
      severity: 'error' as const,
      message: `${code}.`,
      server: 'a',
    }) as const;
  const document = documentWith(servers, {
    diagnostics: ['not-attempted', 'unknown-option', 'apply-failed'].map(error),
  });
  const { alerts, warnings } = modelOf(document);
  expect(alerts.map(({ causes }) => causes.map(({ text }) => text))).toEqual([
    ['Many.'],
    ['apply-failed (a).', 'unknown-option (a).', 'not-attempted (a).'],
  ]);
  expect(warnings).toEqual([]);
});

describe('the matrix', () => {
  const factsOf = (document: Document) => modelOf(document).facts;
  const alike = changedOn({
    a: [{}],
    b: [{}],
    c: [{ risks: ['overrides-users'] }],
  });
  const servers = ['a', 'b', 'c'];

  test('has what errors left out on the server where they did', () => {
    const [fact] = factsOf(alike);
    const left = ['x', 'y'].map((name) => ({ server: 'b', name }));
    const found = matrixOf(servers, fact === undefined ? [] : [fact], left);
    const tones = found?.rows.map(({ name, cells }) => [
      name,
      ...cells.map(({ tone }) => tone),
    ]);
    expect(found?.columns).toEqual([['a'], ['b'], ['c']]);
    expect(tones?.slice(1)).toEqual([
      ['x', 'none', 'left', 'none'],
      ['y', 'none', 'left', 'none'],
    ]);
  });
  test('is none where it would say little', () => {
    const names = Array.from({ length: 9 }, (_, at) => `s${at}`);
    const unlike = Object.fromEntries(
      names.map((name, at) => [
        name,
        Array.from({ length: at + 1 }, () => ({})),
      ]),
    );
    expect(matrixOf(servers, factsOf(alike), [])).toBe(undefined);
    const left = ['x', 'y'].map((name) => ({ server: 's0', name }));
    expect(matrixOf(['a'], factsOf(alike), left)).toBe(undefined);
    const many = factsOf(changedOn(unlike));
    expect(matrixOf(names, many, left)).toBe(undefined);
  });
});

describe('the headline, the verdict and the next command', () => {
  const told = (document: Document) => {
    const { headline, verdict, result, next } = modelOf(document);
    const command = next && `${next.lead} ${next.command}`.trim();
    const ended = result && [result.text, result.open];
    return [headline, verdict?.text, ...(ended ?? []), command];
  };

  test('do not call an undo whole that left a secret', () => {
    const document = changedOn(
      { a: [{ outcome: 'verified' }, { outcome: 'not-attempted' }] },
      { command: 'undo' },
    );
    expect(told(document)).toEqual([
      '2 changes in 1 integration on a',
      '1 of 2 not undone',
      '1 of 2 changes undone (1 verified) on a',
      '1 not attempted on a',
      undefined,
    ]);
  });
});
