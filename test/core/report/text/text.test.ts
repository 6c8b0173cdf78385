import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
  ServerDocument,
} from '../../../../src/core/plan/plan.ts';
import { PLAIN, type View } from '../../../../src/core/report/report.ts';
import { renderText } from '../../../../src/core/report/text/text.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';

const VIEW: View = { paint: PLAIN, width: 80 };

function linesOf(document: Document, view: Partial<View> = {}): string[] {
  const text = renderText(document, { ...VIEW, ...view });
  return text.replace(/\n$/, '').split('\n');
}

/** A document of one server with one integration. */
function documentOf(
  changes: readonly ChangeDocument[],
  own: Partial<Document> = {},
): Document {
  const server = serverOf('prod', [integrationOf('vt', changes)]);
  return documentWith([server], own);
}

function valueChange(
  before: ChangeDocument['before'],
  after: ChangeDocument['after'],
  own: Partial<ChangeDocument> = {},
): ChangeDocument {
  return changeOf('vt', 12, { before, after, ...own });
}

/** The line with a text, and those below it up to an empty one. */
function blockFrom(lines: readonly string[], start: string): string[] {
  const at = lines.findIndex((line) => line.includes(start));
  const end = lines.indexOf('', at);
  return lines.slice(at, end < 0 ? lines.length : end);
}

/** The facts at the end by their names; wrapped lines are joined. */
function factsOf(lines: readonly string[]): Map<string, string> {
  const facts = new Map<string, string>();
  let last = '';
  for (const line of lines.slice(lines.lastIndexOf('') + 1)) {
    const [, name = '', text = ''] =
      /^(\S+(?: \S+)*)? {2,}(.*)$/.exec(line) ?? [];
    if (name !== '') last = name;
    const before = facts.get(last);
    facts.set(last, before === undefined ? text : `${before} ${text}`);
  }
  return facts;
}

/** Integrations, each in a file of its own, with unlike changes. */
function unlike(
  integrations: number,
  changes: number,
  server: string,
): ServerDocument {
  const all = [];
  for (let number = 0; number < integrations; number += 1) {
    const name = `integration-${number}`;
    const own: ChangeDocument[] = [];
    for (let at = 0; at < changes; at += 1) {
      const source = { file: `base/${name}.yaml`, line: 4 + at, column: 7 };
      const address = `${name}.options.someOption${at}.value`;
      own.push(changeOf(name, 1, { address, source, after: number * 10 + at }));
    }
    all.push(integrationOf(name, own));
  }
  return serverOf(server, all);
}

describe('large plans stay short', () => {
  test('300 changes in 60 integrations', () => {
    const lines = linesOf(documentWith([unlike(60, 5, 'prod')]));
    expect(lines.filter((line) => line.includes(' -> '))).toHaveLength(300);
    expect(lines.length).toBeLessThanOrEqual(450);
  });

  test('600 changes of two servers that change alike', () => {
    const servers = ['staging', 'prod'].map((name) => unlike(60, 5, name));
    const lines = linesOf(documentWith(servers));
    expect(factsOf(lines).get('Plan')).toBe(
      '600 changes in 60 integrations on staging and prod',
    );
    expect(lines.length).toBeLessThanOrEqual(470);
  });

  test('40 servers are counted', () => {
    const names = Array.from({ length: 40 }, (_, at) => `server-${at}`);
    const servers = names.map((name) => unlike(2, 2, name));
    const lines = linesOf(documentWith([...servers, unlike(0, 0, 'idle')]));
    expect(factsOf(lines).get('Plan')).toBe(
      '160 changes in 2 integrations on 41 servers',
    );
    expect(lines.join('\n')).toContain('40 of 41 servers');
  });
});

describe('a card', () => {
  test('names its file once, and the line of each change', () => {
    const address = 'vt.options.url.value';
    const lines = linesOf(
      documentOf([
        valueChange(30, 60),
        changeOf('vt', 140, { address, before: null, after: 'x' }),
      ]),
    );
    expect(blockFrom(lines, 'vt  ')).toEqual([
      'vt  base/integrations.yaml',
      ' :12 ~ limit  30 -> 60',
      ':140 + url    x',
    ]);
  });

  test('names the file of a change that is in another', () => {
    const source = { file: 'prod.yaml', line: 7, column: 1 };
    const lines = linesOf(
      documentOf([
        valueChange(1, 2),
        changeOf('vt', 13, { address: 'vt.options.mode.value' }),
        changeOf('vt', 1, { address: 'vt.options.url.value', source }),
      ]),
    );
    expect(blockFrom(lines, 'vt  ')).toEqual([
      'vt  base/integrations.yaml',
      ':12 ~ limit  1 -> 2',
      ':13 ~ mode   30 -> 60',
      ' :7 ~ url    30 -> 60',
      '        prod.yaml',
    ]);
  });

  test('says on which servers it differs', () => {
    const both = changeOf('vt', 5);
    const odd = changeOf('vt', 6, { address: 'vt.options.mode.value' });
    const document = documentWith([
      serverOf('staging', [integrationOf('vt', [both])]),
      serverOf('prod', [integrationOf('vt', [both, odd])]),
    ]);
    expect(blockFrom(linesOf(document), 'vt  ')).toEqual([
      'vt  base/integrations.yaml',
      ' :5 ~ limit  30 -> 60',
      ' :6 ~ mode   30 -> 60  prod only',
    ]);
  });

  test('stands for all integrations with equal changes, but not in full', () => {
    const integrations = ['a', 'b'].map((name) =>
      integrationOf(name, [changeOf(name, 4)]),
    );
    const document = documentWith([serverOf('prod', integrations)]);
    expect(linesOf(document)).toContain('a, b  base/integrations.yaml');
    const full = linesOf(document, { full: true });
    expect(full).toContain('a  base/integrations.yaml');
    expect(full).toContain('b  base/integrations.yaml');
  });

  test('has its risks and labels behind the values, or below', () => {
    const risks: ChangeDocument['risks'] = ['subscribes-everyone'];
    const own = { label: 'conflict', base: 4, risks } as const;
    const short = linesOf(documentOf([valueChange(6, 8, own)]));
    expect(blockFrom(short, ':12')).toEqual([
      ':12 ~ limit  6 -> 8  ! subscribes-everyone  conflict, base 4',
    ]);
    const long = valueChange('x'.repeat(20), 'y'.repeat(20), own);
    const below = blockFrom(linesOf(documentOf([long])), ':12');
    expect(below).toEqual([
      `:12 ~ limit  ${'x'.repeat(20)} -> ${'y'.repeat(20)}`,
      '        ! subscribes-everyone  conflict, base 4',
    ]);
  });

  test('keeps its column, and has notes below that find no room', () => {
    const risks: ChangeDocument['risks'] = ['subscribes-everyone'];
    const own = { before: 'x'.repeat(16), after: 'y'.repeat(16), risks };
    const address = 'vt.options.aRatherLongName.value';
    const document = documentOf([
      valueChange(own.before, own.after, own),
      changeOf('vt', 13, { address }),
    ]);
    expect(blockFrom(linesOf(document), ':12')).toEqual([
      `:12 ~ limit            ${own.before} -> ${own.after}`,
      '        ! subscribes-everyone',
      ':13 ~ aRatherLongName  30 -> 60',
    ]);
  });

  test('has a long base behind the row', () => {
    const base = 'b'.repeat(40);
    const change = valueChange('x', 'y', { label: 'conflict', base });
    expect(blockFrom(linesOf(documentOf([change])), ':12')).toEqual([
      `:12 ~ limit  x -> y  conflict, base ${base}`,
    ]);
  });
});

describe('a value', () => {
  const rowOf = (
    change: ChangeDocument,
    view: Partial<View> = {},
  ): readonly string[] => blockFrom(linesOf(documentOf([change]), view), ':12');

  test('that was not set is shown alone, and one that goes with what comes', () => {
    expect(rowOf(valueChange(null, 'x'))).toEqual([':12 + limit  x']);
    expect(rowOf(valueChange('x', ''))).toEqual([':12 - limit  x -> (empty)']);
  });

  test('of several choices shows what comes and goes', () => {
    const choices = (...values: string[]) =>
      values.map((value) => ({ display: value, value }));
    const change = valueChange(choices('ip', 'url'), choices('url', 'hash'));
    expect(rowOf(change)).toEqual([':12 ~ limit  -ip +hash']);
  });

  test('that is too long for one line has lines of its own', () => {
    const change = valueChange(`a ${'x'.repeat(40)}`, `b ${'x'.repeat(40)}`);
    expect(rowOf(change)).toEqual([
      ':12 ~ limit',
      `        - a ${'x'.repeat(40)}`,
      `        + b ${'x'.repeat(40)}`,
    ]);
  });

  test('of several lines shows those that differ, and their surroundings', () => {
    const text = (line: string) =>
      ['one', 'two', 'three', line, 'five', 'six', 'seven', 'eight'].join('\n');
    const change = valueChange(text('4'), text('four'));
    expect(rowOf(change)).toEqual([
      ':12 ~ limit',
      '          one',
      '          two',
      '          three',
      '        - 4',
      '        + four',
      '          five',
      '          six',
      '          (2 equal lines)',
    ]);
    const full = rowOf(change, { full: true });
    expect(full).toContain('          eight');
  });

  test('that is very long is cut near the difference, but not in full', () => {
    const text = (end: string) => `${'x'.repeat(300)}${end}`;
    const change = valueChange(text('1'), text('2'));
    const cut = rowOf(change).join('\n');
    expect(cut).toContain('(301 characters)');
    expect(cut).not.toContain('x'.repeat(200));
    const full = rowOf(change, { full: true }).map((line) => line.trim());
    expect(full.join('')).toContain(`+ ${text('2')}`);
  });

  test('shows in colour which parts differ', () => {
    const paint = {
      ...PLAIN,
      addedPart: (part: string) => `<${part}>`,
      removedPart: (part: string) => `<${part}>`,
    };
    const host = (name: string) =>
      `https://${name}.search.production.example.com`;
    const change = valueChange(host('old'), host('new'));
    const lines = rowOf(change, { paint });
    expect(lines).toEqual([
      ':12 ~ limit',
      '        - https://<old>.search.production.example.com',
      '        + https://<new>.search.production.example.com',
    ]);
  });

  test('of wide characters stands in its column', () => {
    const address = 'vt.options.漢字漢字.value';
    const document = documentOf([
      valueChange(1, 2),
      changeOf('vt', 13, { address, before: 3, after: 4 }),
    ]);
    expect(blockFrom(linesOf(document), ':12')).toEqual([
      ':12 ~ limit     1 -> 2',
      ':13 ~ 漢字漢字  3 -> 4',
    ]);
  });
});

describe('drift', () => {
  const drift = valueChange(true, false, { label: 'drift' });
  const base = { ref: 'main', commit: 'c0ffee0123456789'.repeat(3) };

  test('alone has a title of its own', () => {
    expect(linesOf(documentOf([drift], { base })).slice(0, 3)).toEqual([
      expect.stringContaining('compared with main (c0ffee012345)'),
      '',
      expect.stringMatching(/^-- Drift: apply sets it back -+$/),
    ]);
  });

  test('among other changes is marked', () => {
    const other = changeOf('vt', 13, { address: 'vt.options.mode.value' });
    const document = documentOf([drift, other], { base });
    const [row] = blockFrom(linesOf(document), ':12');
    expect(row).toMatch(/true -> false +drift$/);
  });
});

describe('the end', () => {
  const left = (name: string, because: 'hidden' | 'unread' | 'released') => ({
    address: `vt.options.${name}.value`,
    because,
    source: { file: 'a.yaml', line: 1, column: 1 },
  });
  const document = documentWith([
    serverOf('prod', [
      integrationOf('vt', [], {
        left: [
          left('key', 'hidden'),
          left('token', 'hidden'),
          left('url', 'unread'),
          left('proxy', 'released'),
        ],
      }),
    ]),
  ]);

  test('counts what is not compared, and names it if asked', () => {
    const facts = factsOf(linesOf(document));
    expect(facts.get('Not compared')).toMatch(/^3 fields .*not set$/);
    expect(facts.get('No longer managed')).toMatch(/^1 field .*: vt\.proxy$/);
    const verbose = factsOf(linesOf(document, { verbose: true }));
    expect(verbose.get('Not compared')).toMatch(
      /: vt\.key, vt\.token, vt\.url$/,
    );
  });

  test('is quiet about them', () => {
    const facts = factsOf(linesOf(document, { quiet: true }));
    expect([...facts.keys()]).toEqual(['Plan']);
  });

  test.each([
    [undefined, 'After the merge: setpoint apply'],
    [{ flags: ' -f a.yaml' }, 'After the merge: setpoint apply -f a.yaml'],
    [
      { flags: ' --url x', json: 'p.json' },
      'After the merge: setpoint apply p.json --url x',
    ],
  ])('names the next command as %j was typed', (typed, next) => {
    const base = { ref: 'main', commit: 'c0ffee' };
    const planned = documentOf([valueChange(1, 2)], { base });
    expect(factsOf(linesOf(planned, { typed })).get('Next')).toBe(next);
  });

  test('says that nothing changes, and where', () => {
    expect(factsOf(linesOf(document)).get('Plan')).toBe(
      'Nothing to change in 1 managed integration on prod',
    );
  });

  test('has the refusals last, each once with its servers', () => {
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
    const facts = factsOf(linesOf(documentWith(servers)));
    expect([...facts.keys()]).toEqual(['Plan', 'REFUSED', 'Next']);
    expect(facts.get('REFUSED')).toBe('Many. Do.');
  });

  test('names what errors left out', () => {
    const unplanned = integrationOf('zeek', [], { unplanned: true });
    const changed = integrationOf('vt', [changeOf('vt', 3)]);
    const servers = [
      serverOf('a', [changed, unplanned]),
      serverOf('b', [changed]),
    ];
    const facts = factsOf(linesOf(documentWith(servers, { complete: false })));
    expect(facts.get('Left out')).toBe('zeek, because of errors');
  });
});

describe('after an apply', () => {
  const ended = (
    name: string,
    outcome: NonNullable<ChangeDocument['outcome']>,
  ) => integrationOf(name, [changeOf(name, 5, { outcome })]);
  const applied = (...servers: ServerDocument[]) =>
    documentWith(servers, { command: 'apply' });

  test('of which all is verified, a person reads the total alone', () => {
    const document = applied(serverOf('prod', [ended('vt', 'verified')]));
    expect(linesOf(document, { outcomes: true })).toEqual([
      'Apply  1 of 1 change written (1 verified) on prod',
    ]);
  });

  test('in a log, what was written is counted, and in full shown', () => {
    const document = applied(serverOf('prod', [ended('vt', 'verified')]));
    const total = 'Apply  1 of 1 change written (1 verified) on prod';
    const head = 'setpoint apply, 2026-11-22 21:00 UTC';
    expect(linesOf(document)).toEqual([head, '', total]);
    expect(linesOf(document, { full: true })).toContain(
      ' :5 ~ limit  30 -> 60',
    );
  });

  test('what was not written is told, with its servers', () => {
    const document = applied(
      serverOf('staging', [ended('a', 'verified'), ended('b', 'failed')]),
      serverOf('prod', [ended('a', 'not-attempted'), ended('c', 'verified')]),
    );
    const lines = linesOf(document, { outcomes: true });
    expect(lines.slice(0, -3)).toEqual([
      `-- Not attempted ${'-'.repeat(63)}`,
      '',
      'a  base/integrations.yaml  prod only',
      ' :5 ~ limit  30 -> 60',
      '',
      `-- Failed or unclear ${'-'.repeat(59)}`,
      '',
      'b  base/integrations.yaml  failed  staging only',
      ' :5 ~ limit  30 -> 60',
      '',
    ]);
    const facts = factsOf(lines);
    expect(facts.get('Apply')).toBe(
      '2 of 4 changes written (2 verified) on staging and prod',
    );
    expect(facts.get('NOT written')).toBe(
      '1 failed on staging, 1 not attempted on prod',
    );
  });

  test('equal outcomes of servers are told once', () => {
    const servers = ['a', 'b', 'c'].map((name) =>
      serverOf(name, [ended('vt', 'stale')]),
    );
    const lines = linesOf(applied(...servers));
    expect(lines.filter((line) => line.includes('->'))).toHaveLength(1);
    expect(factsOf(lines).get('Apply')).toBe(
      '0 of 3 changes written on a, b and c',
    );
    expect(factsOf(lines).get('NOT written')).toBe('3 stale on a, b and c');
  });

  test('that a person declined, nothing is shown again', () => {
    const document = documentOf([changeOf('vt', 3)], { command: 'apply' });
    const view = { ...VIEW, outcomes: true };
    expect(renderText(document, view)).toBe('');
  });
});

test('findings stand between the changes and the total', () => {
  const shown = renderText(sampleDocument(), VIEW, 'the findings\n\n');
  const [changes, end, ...others] = shown.split('the findings\n\n');
  expect(changes).toMatch(/\n\n$/);
  expect(changes).not.toContain('Plan  ');
  expect(end).toMatch(/^[A-Z].*\n$/s);
  expect(others).toEqual([]);
});

/** What stands before the text of a line: a place, a mark, or words of ours. */
const LEAD =
  /^\s*(?:-- |:\d+\+? )?\s*(?:[-+~#!] )?(?:in |base: |REFUSED\s+|[A-Z]\w+(?: \w+)?\s{2,})?/;

describe.each([40, 60, 80, 120, 200])('on %i columns', (width) => {
  const documents: Record<string, Document> = {
    'with everything': sampleDocument(),
    'of wide characters': documentOf(
      [
        valueChange('漢字 かな '.repeat(12), '漢字 カナ '.repeat(12), {
          comment: '漢字 '.repeat(50),
        }),
      ],
      {},
    ),
    'of many servers': documentWith(
      ['東京', 'a-server-with-a-rather-long-name', 'c'].map((name) =>
        unlike(3, 3, name),
      ),
    ),
  };
  test.each(Object.keys(documents))(
    'no line of a plan %s is wider, unless a word is',
    (name) => {
      const document = documents[name] ?? sampleDocument();
      for (const full of [false, true]) {
        for (const line of linesOf(document, { width, full, verbose: true })) {
          const words = line.replace(LEAD, '').trim().split(' ');
          if (words.length > 1)
            expect(widthOf(line)).toBeLessThanOrEqual(width);
        }
      }
    },
  );
});

test('colours change nothing else', () => {
  const paint = Object.fromEntries(
    Object.keys(PLAIN).map((name) => [
      name,
      (text: string) => (text === '' ? '' : `\u001b[31m${text}\u001b[0m`),
    ]),
  ) as unknown as View['paint'];
  // Marked parts take lines of their own only if they fit: none is lost.
  const painted = renderText(sampleDocument(), { ...VIEW, paint });
  expect(stripVTControlCharacters(painted)).toBe(
    renderText(sampleDocument(), VIEW),
  );
});
