import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import type { DesiredIntegration } from '../../../src/core/model/desired.ts';
import { type FieldName, type Place, pathOf } from '../../../src/core/model/place.ts';
import { originsOf } from '../../../src/core/show/origins.ts';
import { targetsOf } from '../../../src/core/show/targets.ts';
import { NO_REFERENCES } from '../../support/config.ts';
import { KEYS, layering } from '../../support/layered.ts';
import { selectorsFile, writeLayer } from '../../support/layered-files.ts';
import { liveIntegration } from '../../support/live.ts';
import { seeds } from '../../support/soak.ts';

const LIVE = [liveIntegration('i1'), liveIntegration('i2')];
const FIELDS: readonly FieldName[] = [
  { field: 'autosubscribe' },
  ...KEYS.flatMap((option) => (['value', 'permission'] as const).map((field) => ({ field, option }))),
];

function at(place: Pick<Place, 'file' | 'line' | 'column'> | undefined): string {
  return place === undefined ? 'nowhere' : `${place.file}:${place.line}:${place.column}`;
}

function desiredPlace(desired: DesiredIntegration | undefined, name: FieldName): Place | undefined {
  return desired?.settings.find((each) => pathOf(each) === pathOf(name))?.place;
}

/** The paths of a field and of all that is around it in an entry, as layers write them. */
function around(entry: string, field: FieldName): string[] {
  const path = [entry, ...pathOf(field).split('.')];
  return path.map((_, index) => path.slice(0, index + 1).join('/'));
}

test('in random layerings the winner is what is desired, and every line that declares a field is told once', () => {
  const tally = { won: 0, stopped: 0 };
  fc.assert(
    fc.property(layering, (layers) => {
      const files = layers.map((layer, index) => writeLayer(layer, index));
      const selectors = selectorsFile();
      const { value, written = [] } = parseConfig([[selectors], ...files.map((layer) => layer.files)]);
      if (value === undefined) throw new Error('not valid');
      const matched = matchEntries(resolveConfig(value, NO_REFERENCES), LIVE);
      const desired = matched.value.integrations;
      const told = targetsOf(written, LIVE).flatMap(({ holding, installed }) => {
        if (installed === undefined || matched.leftOut.includes(installed.id)) return [];
        return FIELDS.map((field) => {
          const origins = originsOf(written, holding, field);
          const winners = origins.filter(({ wins }) => wins);
          const [winner] = winners;
          const place = (winner?.field.value ?? null) === null ? undefined : winner?.field.place;
          if (place !== undefined) tally.won += 1;
          else if (winner !== undefined) tally.stopped += 1;
          const declaring = holding.flatMap(({ entry }) =>
            files.flatMap(({ places }) => around(entry, field).flatMap((path) => places.get(path) ?? [])),
          );
          return {
            winners: winners.length,
            place: at(place),
            origins: origins.map((each) => at(each.field.place)).sort(),
            expected: {
              winners: Math.min(1, declaring.length),
              place: at(
                desiredPlace(
                  desired.find(({ id }) => id === installed.id),
                  field,
                ),
              ),
              origins: declaring.map(at).sort(),
            },
          };
        });
      });
      expect(told.map(({ expected: _, ...each }) => each)).toEqual(told.map(({ expected }) => expected));
    }),
    { numRuns: seeds(150, 3_000), seed: 11 },
  );
  expect(Math.min(tally.won, tally.stopped)).toBeGreaterThan(100);
});
