import { describe, expect, test } from 'vitest';
import { pairSnapshots } from '../../../src/core/snapshot/snapshot.ts';

const server = (name: string, url: string) => ({ name, url: new URL(url) });
const snapshot = (path: string, name: string, url: string) => ({
  path,
  formatVersion: '1.0',
  tool: { name: 'setpoint', version: '1' } as const,
  server: { name, url },
  takenAt: '2026-11-20T03:00:00Z',
  integrations: [],
});

/** The pairs by name and path, and the codes of what was found. */
function paired(
  servers: Parameters<typeof pairSnapshots<ReturnType<typeof server>, ReturnType<typeof snapshot>>>[0],
  ...snapshots: readonly ReturnType<typeof snapshot>[]
) {
  const { value, diagnostics } = pairSnapshots(servers, snapshots);
  return [[...value].map(([{ name }, { path }]) => [name, path]), diagnostics.map(({ code }) => code)];
}

describe('a snapshot belongs', () => {
  const two = [server('staging', 'https://s.example'), server('production', 'https://p.example/api-of')];
  test('to the server at its origin, whatever its name', () => {
    expect(paired(two, snapshot('a', 'was-called-otherwise', 'https://p.example'))).toEqual([
      [['production', 'a']],
      [],
    ]);
  });
  test('to the one of its name, where several have one origin', () => {
    const tenants = [server('red', 'https://s.example/red'), server('blue', 'https://s.example/blue')];
    expect(paired(tenants, snapshot('a', 'blue', 'https://s.example'))).toEqual([[['blue', 'a']], []]);
    expect(paired(tenants, snapshot('a', 'green', 'https://s.example'))).toEqual([[], ['snapshot-unusable']]);
  });
  test('to none of a name alone: its server may have moved', () => {
    expect(paired(two, snapshot('a', 'staging', 'https://old.example'))).toEqual([[], ['snapshot-unusable']]);
  });
  test('to a server that has no other', () => {
    const [one, other] = ['a', 'b'].map((path) => snapshot(path, 'staging', 'https://s.example'));
    if (one === undefined || other === undefined) throw new Error('two were made');
    expect(paired(two, one, other)[1]).toEqual(['snapshot-unusable']);
  });
});
