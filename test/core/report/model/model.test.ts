import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
  ServerDocument,
} from '../../../../src/core/plan/plan.ts';
import { placesOf } from '../../../../src/core/report/model/card.ts';
import { matrixOf } from '../../../../src/core/report/model/matrix.ts';
import {
  type Model,
  modelOf,
} from '../../../../src/core/report/model/model.ts';
import { sidesOf } from '../../../../src/core/report/model/sides.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  leftField,
  serverOf,
} from '../../../support/documents.ts';

const COMMIT = 'c0ffee0123456789c0ffee0123456789c0ffee01';
const base = { ref: 'main', commit: COMMIT };
const secret = { secret: true, before: null, after: null } as const;

type Own = Partial<ChangeDocument>;

/** A document in which each server changes one integration, `vt`. */
function changedOn(
  servers: Readonly<Record<string, readonly Own[]>>,
): Document {
  return documentWith(
    Object.entries(servers).map(([name, changes]) => {
      const documents = changes.map((own, at) =>
        changeOf('vt', at + 3, { address: `vt.options.o${at}.value`, ...own }),
      );
      return serverOf(name, [integrationOf('vt', documents)]);
    }),
  );
}

/** Each row with its servers: `limit 30 -> 60 [staging, prod]`. */
function rowsIn({ sections }: Model): string[] {
  const rows = sections.flatMap(({ cards }) =>
    cards.flatMap((card) => card.rows),
  );
  return rows.map(({ field, change, servers }) => {
    const { before, after } = sidesOf(change);
    return `${field} ${before.text} -> ${after.text} [${servers.join(', ')}]`;
  });
}

/** The cards of each section: `risk: alpha, beta`. */
function cardsIn({ sections }: Model): string[] {
  return sections.flatMap(({ key, cards }) =>
    cards.map(({ names }) => `${key}: ${names.join(', ')}`),
  );
}

describe('a field is one row over the servers', () => {
  test.each<[string, Own, Own, string[]]>([
    ['with equal values', {}, {}, ['o0 30 -> 60 [staging, prod]']],
    [
      'with other places and outcomes',
      { source: { file: 'a', line: 1, column: 1 }, outcome: 'failed' },
      { source: { file: 'b', line: 2, column: 1 }, outcome: 'verified' },
      ['o0 30 -> 60 [staging, prod]'],
    ],
    [
      'but not with another live value',
      { before: 10 },
      { before: 20 },
      ['o0 10 -> 60 [staging]', 'o0 20 -> 60 [prod]'],
    ],
    [
      'with choices that are called otherwise',
      { type: 'select', after: { display: 'Search', value: 'meta' } },
      {
        type: 'select',
        after: { display: 'Search by terms', value: 'meta' },
      },
      ['o0 30 -> meta [staging, prod]'],
    ],
    [
      'but not with another label',
      { label: 'drift' },
      {},
      ['o0 30 -> 60 [staging]', 'o0 30 -> 60 [prod]'],
    ],
    [
      'with values that differ by the name of the server',
      { before: 'x', after: 'https://staging.example' },
      { before: 'x', after: 'https://prod.example' },
      ['o0 x -> https://{staging,prod}.example [staging, prod]'],
    ],
    [
      'with references that differ by the name of the server',
      { ...secret, reference: '${env:SETPOINT_STAGING_KEY}' },
      { ...secret, reference: '${env:SETPOINT_PROD_KEY}' },
      ['o0 (secret) -> ${env:SETPOINT_{STAGING,PROD}_KEY} [staging, prod]'],
    ],
    [
      'but not with values in which the name is part of a word',
      { after: 'stagings' },
      { after: 'prods' },
      ['o0 30 -> stagings [staging]', 'o0 30 -> prods [prod]'],
    ],
    [
      'with the name of one server on both',
      { after: 'prod.example' },
      { after: 'prod.example' },
      ['o0 30 -> prod.example [staging, prod]'],
    ],
  ])('%s', (_, onStaging, onProd, expected) => {
    const document = changedOn({ staging: [onStaging], prod: [onProd] });
    expect(rowsIn(modelOf(document))).toEqual(expected);
  });

  test('only of texts that each belong to one server', () => {
    const host = (name: string): Own => ({ after: `${name}.example` });
    const document = changedOn({
      a1: [host('a1')],
      b2: [host('a1')],
      c3: [host('c3')],
    });
    expect(rowsIn(modelOf(document))).toEqual([
      'o0 30 -> a1.example [a1, b2]',
      'o0 30 -> c3.example [c3]',
    ]);
  });

  test('and rows of one field stand together', () => {
    const document = changedOn({
      staging: [{ before: 1 }, {}],
      prod: [{ before: 2 }, {}],
    });
    expect(rowsIn(modelOf(document))).toEqual([
      'o0 1 -> 60 [staging]',
      'o0 2 -> 60 [prod]',
      'o1 30 -> 60 [staging, prod]',
    ]);
  });

  test('whose places are told once for a line', () => {
    const at = (file: string, line: number): Own => ({
      source: { file, line, column: 1 },
    });
    const document = changedOn({
      staging: [at('a.yaml', 4)],
      prod: [at('b.yaml', 4)],
      other: [at('a.yaml', 4)],
    });
    const [section] = modelOf(document).sections;
    const [row] = section?.cards[0]?.rows ?? [];
    expect(row && placesOf(row).map(({ file }) => file)).toEqual([
      'a.yaml',
      'b.yaml',
    ]);
  });
});

describe('integrations are one card', () => {
  const changed = (name: string, own: Own = {}) =>
    integrationOf(name, [changeOf(name, 3, own)]);

  test.each<[string, Own, Own, string[]]>([
    ['with equal rows', {}, {}, ['change: alpha, beta']],
    [
      'not with other values',
      {},
      { after: 61 },
      ['change: alpha', 'change: beta'],
    ],
    [
      'not with other outcomes',
      { outcome: 'verified' },
      { outcome: 'sent' },
      ['done: alpha', 'done: beta'],
    ],
    [
      'with secrets of one reference',
      { ...secret, reference: '${env:KEY}' },
      { ...secret, reference: '${env:KEY}' },
      ['change: alpha, beta'],
    ],
    [
      'not with secrets that nobody can compare',
      secret,
      secret,
      ['change: alpha', 'change: beta'],
    ],
  ])('%s', (_, first, second, expected) => {
    const integrations = [changed('alpha', first), changed('beta', second)];
    const document = documentWith([serverOf('only', integrations)]);
    expect(cardsIn(modelOf(document))).toEqual(expected);
  });

  test('but each has its own in full', () => {
    const integrations = [changed('alpha'), changed('beta')];
    const document = documentWith([serverOf('only', integrations)]);
    expect(cardsIn(modelOf(document, true))).toEqual([
      'change: alpha',
      'change: beta',
    ]);
  });

  test('not if one of them does not run', () => {
    const stopped = integrationOf('beta', [changeOf('beta', 3)], {
      status: 'stopped',
    });
    const document = documentWith([
      serverOf('only', [changed('alpha'), stopped]),
    ]);
    const { sections } = modelOf(document);
    const cards = sections.flatMap((section) => section.cards);
    expect(cards.map((card) => card.stopped)).toEqual([
      [],
      ['stopped on only'],
    ]);
  });
});

describe('a card stands in the section of its worst row', () => {
  const refusals: ServerDocument['refusals'] = [
    {
      code: 'risk-refused',
      message: 'The risk exposes-secret is refused.',
      risk: 'exposes-secret',
      addresses: ['vt.options.o1.value'],
    },
  ];
  test.each<[string, Own, string]>([
    ['refused', { risks: ['exposes-secret'] }, 'refused: vt'],
    ['a conflict', { label: 'conflict', base: 1 }, 'conflict: vt'],
    ['a risk', { risks: ['overrides-users'] }, 'risk: vt'],
    ['a drift', { label: 'drift' }, 'change: vt'],
    ['failed', { outcome: 'failed' }, 'failed: vt'],
    ['unknown', { outcome: 'unknown' }, 'failed: vt'],
    ['stale', { outcome: 'stale' }, 'held: vt'],
    ['blocked', { outcome: 'blocked' }, 'held: vt'],
    ['not attempted', { outcome: 'not-attempted' }, 'open: vt'],
    ['verified', { outcome: 'verified' }, 'done: vt'],
  ])('%s', (name, own, expected) => {
    const changes = [
      changeOf('vt', 3, { address: 'vt.options.o0.value' }),
      changeOf('vt', 4, { address: 'vt.options.o1.value', ...own }),
    ];
    const server = serverOf('only', [integrationOf('vt', changes)], {
      refusals: name === 'refused' ? refusals : [],
    });
    expect(cardsIn(modelOf(documentWith([server])))).toEqual([expected]);
  });

  test('drift only if nothing else changes', () => {
    const document = changedOn({ only: [{ label: 'drift' }] });
    expect(cardsIn(modelOf(document))).toEqual(['drift: vt']);
  });

  test('and the title says whose the changes are if there is a base', () => {
    const document = changedOn({ only: [{}] });
    const titleOf = (own: Partial<Document>) =>
      modelOf({ ...document, ...own }).sections[0]?.title;
    expect(titleOf({})).toBe('Changes');
    expect(titleOf({ base })).toBe('Changes by this branch');
    expect(titleOf({ base, command: 'diff' })).toBe('Changes');
  });
});

describe('findings of one cause are told once', () => {
  const finding = (
    own: Partial<Document['diagnostics'][number]>,
  ): Document['diagnostics'][number] => ({
    code: 'unknown-option',
    severity: 'error',
    message: 'vt has no option limt.',
    ...own,
  });
  const causesIn = (diagnostics: Document['diagnostics']) =>
    modelOf(documentWith([], { diagnostics })).findings.flatMap(({ causes }) =>
      causes.map(({ message, servers, integrations, places }) => ({
        message,
        servers,
        integrations,
        places: places.map(({ file, line }) => `${file}:${line}`),
      })),
    );

  test('over servers and integrations', () => {
    const own = (name: string, server: string, line: number) =>
      finding({
        message: `${name} has no option limt.`,
        integrations: [name],
        server,
        places: [{ file: 'defaults.yaml', line, column: 1 }],
      });
    const found = [own('vt', 'a', 3), own('vt', 'b', 3), own('splunk', 'a', 9)];
    expect(causesIn(found)).toEqual([
      {
        message: 'vt has no option limt.',
        servers: ['a', 'b'],
        integrations: ['vt', 'splunk'],
        places: ['defaults.yaml:3', 'defaults.yaml:9'],
      },
    ]);
  });

  test('but at each line that is a cause of its own', () => {
    const own = (line: number) =>
      finding({
        code: 'bad-date',
        message: 'No day.',
        places: [{ file: 'a.yaml', line, column: 1 }],
      });
    expect(causesIn([own(1), own(2)])).toHaveLength(2);
  });

  test('of a field also in several files', () => {
    const own = (file: string) =>
      finding({
        code: 'likely-secret',
        message: 'vt.key looks like a secret.',
        addresses: ['vt.key'],
        integrations: ['vt'],
        places: [{ file, line: 2, column: 1 }],
      });
    expect(causesIn([own('staging.yaml'), own('prod.yaml')])).toMatchObject([
      { places: ['staging.yaml:2', 'prod.yaml:2'] },
    ]);
  });

  test('errors first, notes not at all', () => {
    const document = documentWith([], {
      diagnostics: [
        finding({ severity: 'note', code: 'n' }),
        finding({ severity: 'warning', code: 'w' }),
        finding({ code: 'e' }),
      ],
    });
    const codes = modelOf(document).findings.map(({ code }) => code);
    expect(codes).toEqual(['e', 'w']);
  });

  test('with the first hint of each server', () => {
    const own = (server: string, hint: string) => finding({ server, hint });
    const diagnostics = [own('a', 'A'), own('b', 'B'), own('b', 'C')];
    const [code] = modelOf(documentWith([], { diagnostics })).findings;
    expect(code?.causes[0]?.hints).toEqual(['A', 'B']);
  });
});

describe('the headline and the verdict', () => {
  const failed = { outcome: 'failed', reason: 'no' } as const;
  const error = {
    code: 'bad-date',
    severity: 'error',
    message: 'No day.',
  } as const;
  const same = changedOn({ a: [], b: [] });
  const changed = changedOn({ a: [{}], b: [{}, {}] });
  const unplanned = documentWith([
    serverOf('a', [
      integrationOf('x', [], { unplanned: true }),
      integrationOf('y', []),
    ]),
  ]);
  const refusal = { code: 'many-changes', message: 'Too many.' };
  test.each<[string, Document, string, string | undefined]>([
    ['changes', changed, '3 changes in 2 integrations', 'Ready to apply'],
    ['none', same, 'Nothing to change in 2 managed integrations', 'In sync'],
    [
      'none in a diff',
      { ...same, command: 'diff' },
      'No differences',
      'No server was asked',
    ],
    [
      'none in a comparison',
      { ...same, command: 'compare' },
      'No differences',
      undefined,
    ],
    [
      'a comparison of nothing',
      { ...documentWith([serverOf('a', [])]), command: 'compare' },
      'Nothing was compared',
      undefined,
    ],
    [
      'some integrations left out',
      { ...unplanned, diagnostics: [error] },
      'No changes in what could be planned',
      '1 integration left out',
    ],
    [
      'an integration left out on two servers',
      {
        ...documentWith(
          ['a', 'b'].map((server) => {
            const left = integrationOf('x', [], { unplanned: true });
            return serverOf(server, [left, integrationOf('y', [])]);
          }),
        ),
        diagnostics: [error],
      },
      'No changes in what could be planned',
      '2 integrations left out',
    ],
    [
      'an error that leaves nothing out',
      { ...changed, diagnostics: [error] },
      '3 changes in 2 integrations',
      '1 error',
    ],
    [
      'findings alone',
      documentWith([], { diagnostics: [error] }),
      '1 error',
      undefined,
    ],
    ['no findings', documentWith([]), 'Nothing found', undefined],
    [
      'risks',
      changedOn({ a: [{ risks: ['overrides-users'] }] }),
      '1 change in 1 integration',
      'Ready, with risks',
    ],
    [
      'a server that could not be planned',
      { ...changed, complete: false },
      '3 changes in 2 integrations',
      'A server could not be planned',
    ],
    [
      'a refusal',
      documentWith([serverOf('a', [], { refusals: [refusal] })]),
      'Nothing to change in 0 managed integrations',
      'Apply refuses this',
    ],
    [
      'an apply that failed in part',
      changedOn({ a: [failed, { outcome: 'verified' }] }),
      '2 changes in 1 integration',
      '1 of 2 not written',
    ],
    [
      'an apply',
      changedOn({ a: [{ outcome: 'sent' }, { outcome: 'verified' }] }),
      '2 changes in 1 integration',
      'All written',
    ],
  ])('%s', (_, document, headline, verdict) => {
    const model = modelOf(document);
    expect(model.headline).toBe(headline);
    expect(model.verdict?.text).toBe(verdict);
  });
});

test('what is left is counted in fields over servers', () => {
  const hidden = leftField('vt.options.key.value', 1);
  const waived = {
    ...leftField('vt.options.limit.value', 2, 'waived'),
    ...{ before: 1, after: 2, until: '2026-12-31', reason: 'slow' },
  };
  const document = documentWith([
    serverOf('a', [integrationOf('vt', [], { left: [hidden, waived] })]),
    serverOf('b', [integrationOf('vt', [], { left: [hidden] })]),
  ]);
  expect(modelOf(document).left).toMatchObject([
    {
      kind: 'hidden',
      fields: 2,
      integrations: [{ name: 'vt', fields: [{ field: 'key', servers: [] }] }],
    },
    {
      kind: 'waived',
      fields: 1,
      integrations: [
        {
          fields: [
            {
              field: 'limit',
              servers: ['a'],
              waiver: { until: '2026-12-31', reason: 'slow' },
            },
          ],
        },
      ],
    },
  ]);
});

test('what nobody can tell in a comparison is not called hidden', () => {
  const left = [leftField('vt.options.key.value', 1)];
  const comparedWith = { name: 'b', url: 'https://b.example' };
  const own = { left, sameSecrets: ['vt.options.token.value'] };
  const document = documentWith(
    [serverOf('a', [integrationOf('vt', [], own)], { comparedWith })],
    { command: 'compare' },
  );
  const kinds = modelOf(document).left.map(({ kind }) => kind);
  expect(kinds).toEqual(['same', 'unknown']);
});

test('refusals in the same words are told once, with their servers', () => {
  const refusal = { code: 'many-changes', message: 'Too many.' };
  const servers = ['a', 'b'].map((name) =>
    serverOf(name, [], { refusals: [refusal] }),
  );
  expect(modelOf(documentWith(servers)).refusals).toEqual([
    { refusal, servers: ['a', 'b'] },
  ]);
});

test('the basis names revisions and the age of a snapshot', () => {
  const snapshot = { takenAt: '2026-11-20T09:00:00Z' };
  const document = documentWith([serverOf('a', [], { snapshot })], { base });
  expect(modelOf(document).basis).toEqual([
    'compared with main (c0ffee012345)',
    'from a snapshot of 2026-11-20, 2 days old',
  ]);
});

test('the matrix has a cell for each integration and server', () => {
  const document = documentWith([
    serverOf('a', [
      integrationOf('vt', [changeOf('vt', 1), changeOf('vt', 2)]),
      integrationOf('quiet', []),
    ]),
    serverOf('b', [
      integrationOf('vt', []),
      integrationOf('broken', [], { unplanned: true }),
    ]),
  ]);
  expect(matrixOf(document, modelOf(document).facts)).toEqual({
    servers: ['a', 'b'],
    unchanged: 1,
    rows: [
      { name: 'broken', cells: [{ kind: 'absent' }, { kind: 'unplanned' }] },
      {
        name: 'vt',
        cells: [
          { kind: 'changed', count: 2, tone: 'change' },
          { kind: 'unchanged' },
        ],
      },
    ],
  });
});
