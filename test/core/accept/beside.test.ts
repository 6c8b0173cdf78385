import { describe, expect, test } from 'vitest';
import { type AcceptingServer, accepting, type Texts } from '../../support/accepting.ts';
import { brief } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const file = (...lines: string[]) =>
  `${['version: 1', 'integrations:', ...lines.map((line) => `  ${line}`)].join('\n')}\n`;

const TL = liveIntegration('tl_1', [
  liveOption('timeout', { type: 'number', value: readable(77) }),
  liveOption('url', { value: readable('https://new.example') }),
]);
/** One that defaults of a timeout mean too. */
const OTHER = liveIntegration('other', [liveOption('timeout', { type: 'number', value: readable(1) })]);

function server(name: string, layers: readonly string[], ...live: (typeof TL)[]): AcceptingServer {
  return { name, layers: layers.map((path) => [path]), ...(live.length === 0 ? {} : { live }) };
}

/** The texts that change, and the findings with the fields that they name. */
function taken(
  servers: readonly AcceptingServer[],
  texts: Texts,
  wish: Parameters<typeof accepting>[2] = {},
) {
  const { files, diagnostics } = accepting(servers, texts, wish);
  return {
    changed: Object.fromEntries(files.map(({ path, after }) => [path, after])),
    found: diagnostics.map(brief),
    named: diagnostics.flatMap(({ facts }) => ('fields' in facts ? facts.fields : [])),
  };
}

describe('where an alias means the map that a field would be added to', () => {
  const first = file(
    'd: { match: "*", expect: any, options: { timeout: 1 } }',
    'tl: { match: "tl_*", options: {} }',
  );
  const second = (tl: string) =>
    file(`tl: ${tl}`, 'spare: { match: "spare_*", expect: optional, options: *o }');
  const own = second('{ options: &o { url: "https://new.example" } }');
  const named = ['tl.options.timeout.value'];
  test('an earlier layer takes it that overrides all the same', () => {
    const texts = { 'l1.yaml': first, 'l2.yaml': own };
    expect(taken([server('one', ['l1.yaml', 'l2.yaml'], TL, OTHER)], texts, { named })).toEqual({
      changed: { 'l1.yaml': first.replace('options: {}', 'options: { timeout: 77 }') },
      found: [],
      named: [],
    });
  });
  test('so it does where the map is an alias itself', () => {
    const texts = {
      'l1.yaml': first,
      'l2.yaml': file(
        'spare: { match: "spare_*", expect: optional, options: &o { url: "https://new.example" } }',
        'tl: { options: *o }',
      ),
    };
    expect(taken([server('one', ['l1.yaml', 'l2.yaml'], TL, OTHER)], texts, { named }).changed).toEqual({
      'l1.yaml': first.replace('options: {}', 'options: { timeout: 77 }'),
    });
  });
  test.each([
    ['options', '{ match: "tl_*", options: &o { url: "https://new.example" } }', 'options: *o'],
    [
      'an option',
      '{ match: "tl_*", options: { timeout: &o { sensitive: false } } }',
      'options: { timeout: *o }',
    ],
  ])('nothing is written where no layer has another place: %s', (_, tl, spare) => {
    const texts = {
      'a.yaml': file(
        'd: { match: "*", expect: any, options: { timeout: 1 } }',
        `tl: ${tl}`,
        `spare: { match: "spare_*", expect: optional, ${spare} }`,
      ),
    };
    expect(taken([server('one', ['a.yaml'], TL, OTHER)], texts, { named })).toMatchObject({
      changed: {},
      found: [expect.stringMatching('accept-misfit')],
    });
  });
  test('what moves in the file is no change of what else an alias means', () => {
    const text = file(
      'all: { match: "*", expect: any, options: { timeout: 1 } }',
      'tl:',
      '  match: "tl_*"',
      '  options:',
      '    url: https://new.example',
      'gone: { match: gone, expect: optional, options: { k: &k x } }',
      'spare: { match: spare, expect: optional, options: { k: *k } }',
    );
    expect(taken([server('one', ['a.yaml'], TL, OTHER)], { 'a.yaml': text }, { named })).toEqual({
      changed: { 'a.yaml': text.replace('new.example\n', 'new.example\n      timeout: 77\n') },
      found: [],
      named: [],
    });
  });
});

describe('a layer that another server has too, where the integration is not installed', () => {
  const base = file('tl: { match: "tl_*", expect: optional, options: { timeout: 30 } }');
  const texts = { 'base.yaml': base, 'a.yaml': 'version: 1\nintegrations: {}\n' };
  const a = server('a', ['base.yaml', 'a.yaml'], TL);
  test.each([
    ['read', server('b', ['base.yaml'], OTHER)],
    ['not read', server('b', ['base.yaml'])],
  ])('is overridden, whether that one is %s', (_, b) => {
    expect(taken([a, b], texts)).toEqual({
      changed: {
        'a.yaml': 'version: 1\nintegrations: { tl: { options: { timeout: 77 } } }\n',
      },
      found: [],
      named: [],
    });
    expect(taken([server('a', ['base.yaml'], TL), b], texts)).toMatchObject({
      changed: {},
      found: ['accept-shared 3:62'],
    });
    expect(taken([a, b], texts, { everywhere: true })).toEqual({
      changed: { 'base.yaml': base.replace('30', '77') },
      found: ['accept-spreads'],
      named: ['b: tl.options.timeout.value'],
    });
  });
});

describe('with everywhere, what entries declare that mean nothing now is said to change', () => {
  test.each([
    [
      'by an alias of a map',
      file(
        'tl: { match: "tl_*", options: &o { timeout: 30 } }',
        'spare: { match: "spare_*", expect: optional, options: *o }',
      ),
    ],
    [
      'by a named value',
      file(
        'tl: { match: "tl_*", options: { timeout: "${value:t}" } }',
        'spare: { match: "spare_*", expect: optional, options: { timeout: "${value:t}" } }',
        'all: { match: "*", expect: any, options: { timeout: 5 } }',
      ).replace('integrations', 'values: { t: 30 }\nintegrations'),
    ],
  ])('%s', (_, text) => {
    const servers = [server('one', ['a.yaml'], TL)];
    expect(taken(servers, { 'a.yaml': text }, { everywhere: true })).toEqual({
      changed: { 'a.yaml': text.replace('30', '77') },
      found: ['accept-spreads'],
      named: ['one: spare.options.timeout.value'],
    });
  });
  test('but what an entry means stays', () => {
    const text = file(
      'tl: { match: "tl_*", options: { url: &u "old_*" } }',
      'old: { match: *u, expect: optional, options: { k: x } }',
    );
    const servers = [server('one', ['a.yaml'], TL)];
    expect(taken(servers, { 'a.yaml': text }, { everywhere: true })).toMatchObject({
      changed: {},
      found: [expect.stringMatching('accept-misfit')],
    });
  });
});

test('defaults that declare the same field are nothing else', () => {
  const text = file(
    'all: { match: "*", expect: any, options: { timeout: 30 } }',
    'tl: { match: "tl_*", options: { url: old } }',
    'more: { match: "t*", expect: any, options: { url: older } }',
  );
  const bare = liveIntegration('tl_1', [
    liveOption('timeout', { type: 'number', value: readable(77) }),
    liveOption('url', { value: readable('new') }),
  ]);
  expect(taken([server('one', ['a.yaml'], bare)], { 'a.yaml': text })).toEqual({
    changed: { 'a.yaml': text.replace('30', '77').replace('url: old ', 'url: new ') },
    found: [],
    named: [],
  });
});
