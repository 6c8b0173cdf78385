import { describe, expect, test } from 'vitest';
import { overlappingLayers } from '../../../src/core/config/layers.ts';
import { takesIn } from '../../../src/shell/sources/config.ts';

/** A layer below /r. */
function layer(text: string, line?: number) {
  const path = `/r/${text}`.replace(/\/\.?$/, '');
  if (line === undefined) return { text, path };
  const place = { file: 'setpoint.yaml', line, column: 1 };
  return { text, path, place };
}

/** Layers of servers; each stands on a line of its own, in the order in which they are given. */
function servers(...given: readonly (readonly string[])[]) {
  let line = 0;
  return given.map((layers) =>
    layers.map((text) => {
      line += 1;
      return layer(text, line);
    }),
  );
}

/** What is found: the outer layer, the inner ones, the lines of all inner ones. */
function overlaps(...given: readonly (readonly string[])[]) {
  return overlappingLayers(servers(...given)).map(
    ({ code, facts, place, places }) => ({
      code,
      ...facts,
      lines: (places ?? [place]).map((each) => each?.line),
    }),
  );
}

describe('layers of all servers', () => {
  test.each<[string, ...(readonly string[])[]]>([
    ['siblings below a shared layer', ['base', 'staging'], ['base', 'prod']],
    ['one layer that all servers name', ['base'], ['base'], ['base']],
    ['a name that begins like a folder', ['base'], ['base-eu', 'base.yaml']],
  ])('may be %s', (_, ...given) => {
    expect(overlaps(...given)).toEqual([]);
  });
  test.each<[string, readonly string[], string, string[]]>([
    ['a folder below', ['base', 'base/staging'], 'base', ['base/staging']],
    ['a file inside', ['base', 'base/x.yaml'], 'base', ['base/x.yaml']],
    ['the outer one last', ['base/x.yaml', 'base'], 'base', ['base/x.yaml']],
    ['all there is', ['.', 'staging'], '.', ['staging']],
  ])('are refused with %s', (_, layers, outer, inner) => {
    const [first, ...rest] = overlaps(layers);
    expect(first).toMatchObject({ code: 'layers-overlap', outer, inner });
    expect(rest).toEqual([]);
    // Nor in two servers.
    expect(overlaps(...layers.map((each) => [each]))).toMatchObject([
      { outer, inner },
    ]);
  });
  test('that share an outer layer are one finding, with the lines of all', () => {
    expect(overlaps(['i', 'i/staging'], ['i', 'i/prod'])).toEqual([
      {
        code: 'layers-overlap',
        outer: 'i',
        inner: ['i/staging', 'i/prod'],
        lines: [2, 4],
      },
    ]);
  });
  test('may not be named twice by one server', () => {
    expect(overlaps(['a', 'b', 'a'])).toEqual([
      {
        code: 'layers-overlap',
        outer: 'a',
        inner: ['a'],
        lines: [3],
      },
    ]);
  });
});

test.each<[string, string, boolean]>([
  ['/r', '/r/x.yml', true],
  ['/r', '/r/X.YAML', true],
  ['/r', '/r/x.yaml.bak', false],
  ['/r', '/r/.x.yaml', false],
  ['/.r', '/.r/x.yaml', true],
  ['/r', '/r/a/x.yaml', true],
  ['/r', '/rx.yaml', false],
  ['/', '/x.yaml', true],
  ['/r', '/r/a/setpoint.yaml', false],
  ['/r', '/r/.a/x.yaml', false],
  ['/r', '/r/keys', false],
  ['/r/.x', '/r/.x', true],
])('%s takes in %s: %s', (layer, path, expected) => {
  expect(takesIn(layer, path)).toBe(expected);
});
