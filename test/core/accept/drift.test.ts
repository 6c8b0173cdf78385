import { expect, test } from 'vitest';
import { firstLost } from '../../../src/core/accept/comments.ts';
import { spanOf, yamlSource } from '../../../src/core/accept/yaml-source.ts';
import { type AcceptingServer, accepting, planOf, type Texts } from '../../support/accepting.ts';
import { driftedIntegrations, driftingTexts } from '../../support/drifting.ts';
import { seeded } from '../../support/seeded.ts';
import { seeds } from '../../support/soak.ts';

const LAYERS = [['base.yaml'], ['mid.yaml'], ['own.yaml']];

/** What any drift may lead to. */
const EXPECTED = new Set(['accept-risk', 'user-provides-value']);

/** The lines of a text from one offset to another, from 1. */
function linesOf(text: string, from: number, to: number): number[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const [first, last] = [lineAt(from), lineAt(Math.max(from, to - 1))];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The lines that an edit of some fields may touch: those of their values, and those of their entries in flow style. */
function touchable(server: AcceptingServer, texts: Texts, path: string): Set<number> {
  const source = yamlSource({ path, text: texts[path] ?? '' });
  const changes = planOf(server, texts).integrations.flatMap((each) =>
    each.changes.map((change) => ({ change, name: each.name })),
  );
  return new Set(
    changes.flatMap(({ change, name }) => {
      const located = change.source.file === path ? source.at(change.source) : undefined;
      const own =
        located === undefined
          ? []
          : linesOf(source.text, spanOf(located.pair.key)[0], spanOf(located.value)[1]);
      const entry = source.doc.getIn(['integrations', name], true);
      const option =
        change.field === 'autosubscribe'
          ? undefined
          : source.doc.getIn(['integrations', name, 'options', change.option], true);
      const around = [entry, option].flatMap((node) => linesOf(source.text, ...spanOf(node)));
      return [
        ...own,
        ...(around.length > 0 && source.text.slice(...spanOf(entry)).startsWith('{') ? around : []),
        ...linesOf(source.text, ...spanOf(option)),
      ];
    }),
  );
}

test('after random drift of random layers is taken back nothing differs, and nothing else has changed', () => {
  const taken = { fields: 0 };
  for (let seed = 0; seed < seeds(12, 1_000); seed += 1) {
    const draw = seeded(seed);
    const texts = driftingTexts(draw);
    const one = { name: 'one', layers: LAYERS, live: driftedIntegrations(draw) };
    const two = { name: 'two', layers: LAYERS.slice(0, 2), live: driftedIntegrations(draw) };
    const unplanned = { name: two.name, layers: two.layers };
    const told = `seed ${seed}`;
    const { texts: after, diagnostics, files } = accepting([one, unplanned], texts);
    expect(
      diagnostics.map(({ code, facts }) => ({ code, facts })).filter(({ code }) => !EXPECTED.has(code)),
      told,
    ).toEqual([]);
    expect(
      planOf(one, after).integrations.flatMap(({ changes }) => changes),
      told,
    ).toEqual([]);
    expect(
      planOf(two, after).integrations.map(({ changes }) => changes.map(({ source: _, ...change }) => change)),
      told,
    ).toEqual(
      planOf(two, texts).integrations.map(({ changes }) => changes.map(({ source: _, ...change }) => change)),
    );
    for (const { path, diff, fields } of files) {
      const lines = touchable(one, texts, path);
      const at = { old: 0 };
      // What follows a line without an end gives it one.
      const text = texts[path] ?? '';
      const unended = text.endsWith('\n') ? 0 : text.split('\n').length;
      const removed = diff.flatMap(({ kind, text: line }) => {
        if (kind === 'hunk') at.old = Number(/-(\d+)/.exec(line)?.[1]) - 1;
        if (kind === 'remove' || kind === 'context') at.old += 1;
        return kind === 'remove' ? [at.old] : [];
      });
      expect(
        removed.filter((line) => !lines.has(line) && line !== unended),
        `${told} ${path}\n${texts[path]}\n---\n${after[path]}`,
      ).toEqual([]);
      const comments = (text = '') => [...text.matchAll(/# note \d+ of \w+/g)].map(([comment]) => comment);
      const source = (text = '') => yamlSource({ path, text });
      expect(firstLost(source(texts[path]), source(after[path])), told).toBeUndefined();
      expect(comments(after[path]), told).toEqual(comments(texts[path]));
      const newlines = (text = '') => new Set(text.match(/\r?\n/g));
      expect(newlines(after[path]), told).toEqual(newlines(texts[path]));
      taken.fields += fields.length;
    }
    // A second time there is nothing to do.
    expect(accepting([one, unplanned], after).files, told).toEqual([]);
  }
  expect(taken.fields).toBeGreaterThan(200);
});
