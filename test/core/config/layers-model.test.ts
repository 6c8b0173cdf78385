import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFiles } from '../../../src/core/config/config.ts';
import type { DesiredField, DesiredState } from '../../../src/core/model.ts';
import { desiredOf } from '../../support/config.ts';
import { KEYS, type Layer, layering } from '../../support/layered.ts';
import { selectorsFile, type WrittenLayer, writeLayer } from '../../support/layered-files.ts';
import { liveIntegration } from '../../support/live.ts';

const LIVE = [liveIntegration('i1', []), liveIntegration('i2', [])];
const SPECIFIC: Readonly<Record<string, string>> = { i1: 'one', i2: 'two' };

/** What is said of one field: its value, null where its management stops, undefined where nothing is said. */
function said(
  layer: Layer,
  name: string,
  path: readonly string[],
): { at: string; value: unknown } | undefined {
  const entry = layer[name];
  if (entry === null) return { at: name, value: null };
  if (entry === undefined) return undefined;
  if (path[0] === 'autosubscribe') return told(entry.autosubscribe, `${name}/autosubscribe`);
  if (entry.options === null) return { at: `${name}/options`, value: null };
  const [, key = '', part = ''] = path;
  const option = entry.options?.[key];
  if (option === null) return { at: `${name}/options/${key}`, value: null };
  return told((option as Record<string, unknown> | undefined)?.[part], `${name}/options/${key}/${part}`);
}

function told(value: unknown, at: string) {
  return value === undefined ? undefined : { at, value };
}

/** The last layer that says something of a field of an entry decides; the defaults where the entry says nothing at all. */
function expected(layers: readonly Layer[], written: readonly WrittenLayer[]): string[] {
  const fields = [
    ['autosubscribe'],
    ...KEYS.flatMap((key) => [
      ['options', key, 'value'],
      ['options', key, 'permission'],
    ]),
  ];
  return LIVE.flatMap(({ id }) =>
    fields.flatMap((path) => {
      const words = [SPECIFIC[id] ?? '', 'all'].flatMap((name) => {
        const index = layers.findLastIndex((layer) => said(layer, name, path) !== undefined);
        const word = index < 0 ? undefined : said(layers[index] ?? {}, name, path);
        return word === undefined ? [] : [{ ...word, place: written[index]?.places.get(word.at) }];
      });
      const [word] = words;
      if (word === undefined || word.value === null) return [];
      const { file, line, column } = word.place ?? {};
      return [`${id}.${path.join('.')} = ${word.value} at ${file}:${line}:${column}`];
    }),
  ).sort();
}

/** The same, as the code under test sees it. */
function actual({ integrations }: DesiredState): string[] {
  const line = (address: string, field: DesiredField<unknown> | undefined) =>
    field === undefined
      ? []
      : [`${address} = ${field.value} at ${field.place.file}:${field.place.line}:${field.place.column}`];
  return integrations
    .flatMap(({ id, autosubscribe, options }) => [
      ...line(`${id}.autosubscribe`, autosubscribe),
      ...options.flatMap(({ key, value, permission }) => [
        ...line(`${id}.options.${key}.value`, value),
        ...line(`${id}.options.${key}.permission`, permission),
      ]),
    ])
    .sort();
}

/** What the layers come to; the order of the files of each layer is turned if asked for. */
function desired(written: readonly WrittenLayer[], turned = false): DesiredState {
  const layers = written.map(({ files }) => (turned ? [...files].reverse() : files));
  const { config, diagnostics } = mergeFiles([[selectorsFile()], ...layers]);
  expect(diagnostics).toEqual([]);
  return desiredOf(config, LIVE);
}

/** A layer whose entries, options and parts stand in the opposite order. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  );
}

function withoutPlaces(state: DesiredState): string {
  return JSON.stringify(state, (key, value) => (key === 'place' ? undefined : value));
}

test('1,000 layerings come to what a simple model says, with the same places', () => {
  fc.assert(
    fc.property(layering, (layers) => {
      const written = layers.map(writeLayer);
      expect(actual(desired(written))).toEqual(expected(layers, written));
    }),
    { numRuns: 1_000 },
  );
});

test('the order of the files of a layer changes no byte, places included', () => {
  fc.assert(
    fc.property(layering, (layers) => {
      const written = layers.map(writeLayer);
      expect(JSON.stringify(desired(written, true))).toBe(JSON.stringify(desired(written)));
    }),
  );
});

test('the order of keys changes no byte but those of places', () => {
  fc.assert(
    fc.property(layering, (layers) => {
      const turned = layers.map((layer) => reversed(layer) as Layer);
      expect(withoutPlaces(desired(turned.map(writeLayer)))).toBe(
        withoutPlaces(desired(layers.map(writeLayer))),
      );
    }),
  );
});
