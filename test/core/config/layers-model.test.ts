import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { hasErrors } from '../../../src/core/findings/explain.ts';
import {
  type DesiredIntegration,
  fieldsOf,
} from '../../../src/core/model/desired.ts';
import type { Place } from '../../../src/core/model/place.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { bytesOf } from '../../support/bytes.ts';
import { matchedWith, merged } from '../../support/config.ts';
import {
  KEYS,
  type Layer,
  layering,
  selectorsFile,
  type WrittenLayer,
  writeLayer,
} from '../../support/layered.ts';
import { liveIntegration } from '../../support/live.ts';
import { wantedContent } from '../../support/resolved.ts';
import { seeds } from '../../support/soak.ts';

const LIVE = [liveIntegration('i1', []), liveIntegration('i2', [])];
const SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  i1: ['also', 'one'],
  i2: ['two'],
};
const DEFAULTS = ['all', 'every'];

/** What is said of one field: its value, null where its management stops, undefined where nothing is said. */
function said(
  layer: Layer,
  name: string,
  path: readonly string[],
): { at: string; value: unknown } | undefined {
  const entry = layer[name];
  if (entry === null) return { at: name, value: null };
  if (entry === undefined) return undefined;
  if (path[0] === 'autosubscribe')
    return told(entry.autosubscribe, `${name}/autosubscribe`);
  if (entry.options === null) return { at: `${name}/options`, value: null };
  const [, key = '', part = ''] = path;
  const option = entry.options?.[key];
  if (option === null) return { at: `${name}/options/${key}`, value: null };
  return told(
    (option as Record<string, unknown> | undefined)?.[part],
    `${name}/options/${key}/${part}`,
  );
}

function told(value: unknown, at: string) {
  return value === undefined ? undefined : { at, value };
}

/**
 * The last layer that says something of a field of an entry is the entry's word. The words of specific entries hide those of
 * the defaults; among equal ones nulls count for nothing. What two of them set is a clash, and leaves the integration out.
 */
function expected(
  layers: readonly Layer[],
  written: readonly WrittenLayer[],
): string[] {
  const fields = [
    ['autosubscribe'],
    ...KEYS.flatMap((key) => [
      ['options', key, 'value'],
      ['options', key, 'permission'],
    ]),
  ];
  const lines = LIVE.flatMap(({ id }) => {
    const own = fields.flatMap((path) => {
      const words = (names: readonly string[]) =>
        names.flatMap((name) => {
          const index = layers.findLastIndex(
            (layer) => said(layer, name, path) !== undefined,
          );
          const word =
            index < 0 ? undefined : said(layers[index] ?? {}, name, path);
          return word === undefined
            ? []
            : [{ ...word, place: written[index]?.places.get(word.at) }];
        });
      const specific = words(SPECIFIC[id] ?? []);
      const spoken = specific.length > 0 ? specific : words(DEFAULTS);
      const [winner, ...others] = spoken.filter(({ value }) => value !== null);
      if (winner === undefined) return [];
      return [
        `${id}.${path.join('.')} = ${winner.value} at ${at(winner.place)}`,
        ...others.map(
          ({ place }) => `clash at ${at(place)} with ${at(winner.place)}`,
        ),
      ];
    });
    const clashes = own.filter((line) => line.startsWith('clash'));
    return clashes.length > 0 ? clashes : own;
  });
  return [...new Set(lines)].sort();
}

function at(
  place: Pick<Place, 'file' | 'line' | 'column'> | undefined,
): string {
  return `${place?.file}:${place?.line}:${place?.column}`;
}

/** The same, as the code under test sees it. */
function actual(
  integrations: readonly DesiredIntegration[],
  diagnostics: readonly Diagnostic[],
): string[] {
  const clashes = diagnostics.flatMap((found) =>
    found.code === 'duplicate-field'
      ? [`clash at ${at(found.place)} with ${at(found.facts.other)}`]
      : [],
  );
  const fields = integrations.flatMap(({ id, settings }) =>
    fieldsOf(id, settings).map(
      ({ subject, setting }) =>
        `${addressOf(subject)} = ${wantedContent(setting)} at ${at(setting.place)}`,
    ),
  );
  return [...new Set([...fields, ...clashes])].sort();
}

/** What the layers come to; the order of the files of each layer is turned if asked for. */
function desired(written: readonly WrittenLayer[], turned = false) {
  const layers = written.map(({ files }) =>
    turned ? [...files].reverse() : files,
  );
  const { value, diagnostics } = merged([[selectorsFile()], ...layers]);
  expect(hasErrors(diagnostics)).toBe(false);
  return matchedWith(value, LIVE);
}

test('random layerings come to what a simple model says, with the same places', () => {
  fc.assert(
    fc.property(layering, (layers) => {
      const written = layers.map(writeLayer);
      const { integrations, diagnostics } = desired(written);
      expect(actual(integrations, diagnostics)).toEqual(
        expected(layers, written),
      );
    }),
    { numRuns: seeds(50, 1_000), seed: 4 },
  );
});

test('the order of the files of a layer changes no byte, places included', () => {
  fc.assert(
    fc.property(layering, (layers) => {
      const written = layers.map(writeLayer);
      expect(bytesOf(desired(written, true))).toBe(bytesOf(desired(written)));
    }),
    { numRuns: seeds(20, 1_000) },
  );
});
