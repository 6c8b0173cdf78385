import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import {
  type DesiredIntegration,
  fieldsOf,
} from '../../../src/core/model/desired.ts';
import type { Place } from '../../../src/core/model/place.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { show } from '../../../src/core/show/show.ts';
import { NO_REFERENCES } from '../../support/config.ts';
import { layering, selectorsFile, writeLayer } from '../../support/layered.ts';
import { liveIntegration } from '../../support/live.ts';
import { seeds } from '../../support/soak.ts';

const LIVE = [liveIntegration('i1'), liveIntegration('i2')];

function at(
  place: Pick<Place, 'file' | 'line' | 'column'> | undefined,
): string {
  return place === undefined
    ? 'nowhere'
    : `${place.file}:${place.line}:${place.column}`;
}

function desiredPlace(
  desired: DesiredIntegration | undefined,
  address: string,
): Place | undefined {
  if (desired === undefined) return undefined;
  const fields = fieldsOf(desired.name, desired.settings);
  const field = fields.find(({ subject }) => addressOf(subject) === address);
  return field?.setting.place;
}

/** The paths of a field and of all that is around it in an entry, as layers write them. */
function around(entry: string, field: string): string[] {
  const path = [entry, ...field.split('.')];
  return path.map((_, index) => path.slice(0, index + 1).join('/'));
}

test('in random layerings the winner is what is desired, and every line that declares a field is told once', () => {
  const tally = { won: 0, stopped: 0 };
  fc.assert(
    fc.property(layering, (layers) => {
      const files = layers.map((layer, index) => writeLayer(layer, index));
      const selectors = selectorsFile();
      const { value: config } = parseConfig([
        [selectors],
        ...files.map((layer) => layer.files),
      ]);
      if (config === undefined) throw new Error('not valid');
      const { integrations: matched, misses } = matchEntries(
        resolveConfig(config, NO_REFERENCES),
        LIVE,
      );
      const server = { name: 's', url: 'https://s.example' };
      const planned = {
        ...planServer({ server, desired: matched, live: LIVE, reads: 1 }),
        desired: matched,
        live: LIVE,
        isPartial: false,
      };
      const given = { ...server, config, planned };
      const [shown] = show([given], 'i*').value.servers;
      const told = (shown?.integrations ?? []).flatMap((integration) => {
        const { id, name, entries, autosubscribe, options } = integration;
        if (id === undefined || misses.erring.includes(id)) return [];
        const fields = [
          autosubscribe,
          ...options.flatMap(({ value, permission }) => [value, permission]),
        ];
        return fields.flatMap((field) => {
          if (field === undefined) return [];
          const winners = field.origins.filter(({ wins }) => wins);
          const place = winners.find(
            ({ declared }) => declared !== undefined,
          )?.source;
          if (place !== undefined) tally.won += 1;
          else if (winners.length > 0) tally.stopped += 1;
          const path = field.address.slice(name.length + 1);
          const declaring = entries.flatMap(({ entry }) =>
            files.flatMap(({ places }) =>
              around(entry, path).flatMap((each) => places.get(each) ?? []),
            ),
          );
          const desired = matched.find((each) => each.id === id);
          return {
            winners: winners.length,
            place: at(place),
            origins: field.origins.map(({ source }) => at(source)).sort(),
            expected: {
              winners: Math.min(1, declaring.length),
              place: at(desiredPlace(desired, field.address)),
              origins: declaring.map(at).sort(),
            },
          };
        });
      });
      expect(told.map(({ expected: _, ...each }) => each)).toEqual(
        told.map(({ expected }) => expected),
      );
    }),
    { numRuns: seeds(60, 3_000), seed: 11 },
  );
  expect(Math.min(tally.won, tally.stopped)).toBeGreaterThan(100);
});
