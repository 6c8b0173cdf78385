import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
} from '../../../../src/core/plan/plan-document.ts';

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
  const rows = (onStaging: Own, onProd: Own) =>
    rowsIn(modelOf(changedOn({ staging: [onStaging], prod: [onProd] })));
  test('with equal values, whatever their file', () => {
    const one = ['o0 30 -> 60 [staging, prod]'];
    expect(rows({}, {})).toEqual(one);
    const [a, b] = ['a', 'b'].map((file) => ({
      source: { file, line: 1, column: 1 },
    }));
    expect(rows(a ?? {}, b ?? {})).toEqual(one);
  });
  test('but not with another live value, or another label', () => {
    expect(rows({ before: 10 }, { before: 20 })).toEqual([
      'o0 10 -> 60 [staging]',
      'o0 20 -> 60 [prod]',
    ]);
    expect(rows({ label: 'drift' }, {})).toEqual([
      'o0 30 -> 60 [staging]',
      'o0 30 -> 60 [prod]',
    ]);
  });
  test('but not secrets that nobody can compare', () => {
    const secret = { ...SECRET, address: 'vt.options.k.value' };
    const [old, now] = [{ rotated: '2026-01-01' }, { rotated: '2026-01-02' }];
    expect(rows({ ...secret, ...old }, { ...secret, ...now })).toEqual([
      'k (secret) -> (secret) [staging]',
      'k (secret) -> (secret) [prod]',
    ]);
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
  const cards = (alpha: Own, beta: Own) =>
    cardsIn(modelOf(eachChanged({ alpha, beta })));
  const [together, apart] = [
    ['Changes: alpha, beta'],
    ['Changes: alpha', 'Changes: beta'],
  ];
  test('with equal rows, or secrets of one reference', () => {
    expect(cards({}, {})).toEqual(together);
    const secret = { ...SECRET, reference: '${env:KEY}' };
    expect(cards(secret, secret)).toEqual(together);
  });
  test('not with other values', () => {
    expect(cards({}, { after: 61 })).toEqual(apart);
  });
  test('not with secrets that nobody can compare', () => {
    expect(cards(SECRET, SECRET)).toEqual(apart);
  });

  test('but each has its own in full', () => {
    const document = eachChanged({ alpha: {}, beta: {} });
    expect(cardsIn(modelOf(document, { full: true }))).toEqual(apart);
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
  const severity = 'error' as const;
  const many = {
    code: 'many-changes',
    severity,
    message: 'Many.',
    hint: 'Do.',
  };
  const servers = ['a', 'b'].map((name) =>
    serverOf(name, [integrationOf('vt', [changeOf('vt', 3)])], {
      refusals: [many],
    }),
  );
  const codes = ['not-attempted', 'unknown-option', 'apply-failed'];
  const diagnostics = codes.map((code) => {
    return { code, severity, message: `${code}.`, server: 'a' };
  });
  const { alerts, warnings } = modelOf(documentWith(servers, { diagnostics }));
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

test('an undo that left a secret is not called whole', () => {
  const outcomes = ['verified', 'not-attempted'] as const;
  const changes = outcomes.map((outcome) => ({ outcome }));
  const document = changedOn({ a: changes }, { command: 'undo' });
  const { headline, verdict, result, next } = modelOf(document);
  expect(headline).toBe('2 changes in 1 integration on a');
  expect(verdict?.text).toBe('1 of 2 not undone');
  expect(result).toMatchObject({
    text: '1 of 2 changes undone (1 verified) on a',
    open: '1 not attempted on a',
  });
  expect(next).toBeUndefined();
});

describe('servers that could not be read', () => {
  const unreachable = {
    code: 'unreachable',
    severity: 'error',
    message: 'Cannot reach it.',
  } as const;
  const failed = (command: 'plan' | 'compare') =>
    documentWith([], { command, complete: false, diagnostics: [unreachable] });

  test('are not without a difference', () => {
    expect(modelOf(failed('compare')).headline).toBe('Nothing was compared');
  });

  test('keep their snapshots in the next command', () => {
    const typed = { flags: ' -f a', choices: '', live: ' --live s.json' };
    const { next } = modelOf(failed('plan'), { typed });
    expect(next?.command).toBe('setpoint plan -f a --live s.json');
  });
});
