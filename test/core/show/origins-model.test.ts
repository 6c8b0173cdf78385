import fc from 'fast-check';
import { expect, test } from 'vitest';
import { originsOf } from '../../../src/core/config/origins.ts';
import { type FieldName, pathOf } from '../../../src/core/model/address.ts';
import type { DesiredIntegration } from '../../../src/core/model/desired.ts';
import type { Place } from '../../../src/core/model/place.ts';
import { Targets } from '../../../src/core/show/known.ts';
import { knownServer } from '../../support/known-server.ts';
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
  if (name.field === 'autosubscribe') return desired?.autosubscribe?.place;
  return desired?.options.find(({ key }) => key === name.option)?.[name.field]?.place;
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
      const server = knownServer(
        [
          { [selectors.path]: selectors.text },
          ...files.map((layer) => Object.fromEntries(layer.files.map(({ path, text }) => [path, text]))),
        ],
        { installed: LIVE },
      );
      const targets = new Targets(server);
      const told = LIVE.flatMap(({ id }) => {
        const [target] = targets.of(id);
        const holding = target?.holding ?? [];
        return FIELDS.map((field) => {
          const origins = originsOf(server.config.layers, holding, field);
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
              place: at(desiredPlace(target?.desired, field)),
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
