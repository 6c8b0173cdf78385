import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type {
  ChangeDocument,
  Document,
  ServerDocument,
} from '../../../../src/core/plan/plan-document.ts';
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

  test('40 servers are counted', () => {
    const names = Array.from({ length: 40 }, (_, at) => `server-${at}`);
    const servers = names.map((name) => unlike(2, 2, name));
    const lines = linesOf(documentWith([...servers, unlike(0, 0, 'idle')]));
    expect(factsOf(lines).get('Plan')).toBe(
      '160 changes in 2 integrations on 41 servers',
    );
    expect(lines.join('\n')).toContain('40 servers only');
  });
});

describe('the end', () => {
  test('is quiet about what is left', () => {
    const left = (['hidden', 'unread', 'released'] as const).map((because) => {
      return { address: `vt.options.${because}.value`, because };
    });
    const vt = integrationOf('vt', [], { left });
    const document = documentWith([serverOf('prod', [vt])]);
    const facts = factsOf(linesOf(document, { quiet: true }));
    expect([...facts.keys()]).toEqual(['Plan']);
    expect(factsOf(linesOf(document)).size).toBeGreaterThan(1);
  });

  test.each([
    ['main', undefined, 'After the merge: setpoint apply --base HEAD~1'],
    [
      'main',
      { flags: ' -f a.yaml', choices: ' --only vt' },
      'After the merge: setpoint apply --base HEAD~1 -f a.yaml --only vt',
    ],
    // A saved plan has made its choices.
    [
      'main',
      { flags: ' --url x', choices: ' --only vt', json: 'p.json' },
      'After the merge: setpoint apply p.json --url x',
    ],
    // On the main branch nothing is to be merged.
    ['HEAD', undefined, 'setpoint apply --base HEAD'],
    ['x/{server}', undefined, 'setpoint apply --base x/{server}'],
  ])('names the next command on %s as %j was typed', (ref, typed, next) => {
    const base = { ref, commit: 'c0ffee' };
    const planned = documentOf([valueChange(1, 2)], { base });
    expect(factsOf(linesOf(planned, { typed })).get('Next')).toBe(next);
  });
});

test('after an apply equal outcomes of servers are told once', () => {
  const stale = changeOf('vt', 5, { outcome: 'stale' });
  const servers = ['a', 'b', 'c'].map((name) =>
    serverOf(name, [integrationOf('vt', [stale])]),
  );
  const lines = linesOf(documentWith(servers, { command: 'apply' }));
  expect(lines.filter((line) => line.includes('->'))).toHaveLength(1);
  const facts = factsOf(lines);
  expect(facts.get('Apply')).toBe('0 of 3 changes written on a, b and c');
  expect(facts.get('NOT written')).toBe('3 stale on a, b and c');
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
          // A command is copied as one line.
          if (words.length > 1 && !line.startsWith('Next'))
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
