import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/core/config/config.ts';
import { parseProject } from '../../src/core/config/project.ts';
import { resolveConfig } from '../../src/core/config/resolve.ts';
import { isLikelySecret } from '../../src/core/config/rules.ts';
import { parseText } from '../../src/core/config/template.ts';
import {
  decodeErrors,
  decodeIntegrationErrors,
  errorText,
  refusalIn,
} from '../../src/core/live/errors.ts';
import { decodeIntegrations } from '../../src/core/live/integration.ts';
import { isCostlyGlob } from '../../src/core/model/costly-glob.ts';
import { decodeDefinition } from '../../src/core/model/definition.ts';
import { globMatcher } from '../../src/core/model/glob.ts';
import { isMask, isSecret } from '../../src/core/model/secrecy.ts';
import { decodeSaved } from '../../src/core/plan/saved.ts';
import { seeds } from '../support/soak.ts';

/** The most characters of an input. */
const MOST = 8_192;

const PIECES = [
  ...'[ ] { } ( ) < > " \' ` | >- # % @ * ** ? ! [! [^ +( @( {a, {1..9999999} [[:alpha:]] \\ / .. ~'.split(
    ' ',
  ),
  ...'${ $${ ${env:A:- ${env:A:-b}} ${file: ${value:a} {{ }} 0 1e9 - _ . … • x xX a key e\u0301 🜚 ſ'.split(
    ' ',
  ),
  ...'http://a:b@ ?token=a & = ; eyJ-. sk- _node_1 _v1 null true errors meta'.split(
    ' ',
  ),
  ...[
    '? ',
    '- ',
    ': ',
    ', ',
    '&a ',
    '*a',
    '!!int ',
    '<<: ',
    'A ',
    'bearer ',
    'basic ',
    '-----BEGIN ',
  ],
  ...[
    '\n',
    '\n  ',
    '\n      ',
    '\t',
    '\r',
    ' ',
    '\0',
    '\ufeff',
    '\u2028',
    '\ud800',
    '\u202e',
  ],
  ...'version: 1\n|integrations:\n|values:\n|  a:\n|    options:\n|    match: |servers:\n'.split(
    '|',
  ),
];

const piece = fc.constantFrom(...PIECES);
/** Few pieces, each repeated often: what backtracks does so there. */
const repeated = fc
  .array(
    fc.tuple(
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 3_000 }),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) =>
    parts
      .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, MOST))
      .join(''),
  );
const mixed = fc
  .array(piece, { maxLength: 200 })
  .map((pieces) => pieces.join(''));
const text = fc
  .oneof(repeated, mixed, fc.string({ unit: 'binary', maxLength: 500 }))
  .map((each) => each.slice(0, MOST));
/** What is nested as deep as its length allows. */
const deepText = fc
  .constantFrom('[', '{"a":', '[{"errors":', '{"data":[')
  .map((open) => {
    const count = Math.floor(MOST / open.length / 2);
    const close = [...open]
      .reverse()
      .flatMap((mark) => ({ '[': ']', '{': '}' })[mark] ?? []);
    return `${open.repeat(count)}1${close.join('').repeat(count)}`;
  });

/** Documents that have the right names here and there, and anything in them. */
const NAMES = [
  ...'data included meta errors id type attributes relationships integration-options integration key'.split(
    ' ',
  ),
  ...'value options display detail source pointer page total token expiration_time name default'.split(
    ' ',
  ),
  ...'formatVersion servers integrations __proto__ constructor length'.split(
    ' ',
  ),
];
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: false },
    fc.oneof(
      text.map((each) => each.slice(0, 600)),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('document'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('document'), { maxKeys: 8 }),
  ),
}));
const json = fc.oneof(
  document.map((each) => JSON.stringify(each)),
  document.map((each) =>
    JSON.stringify({ data: each, included: each, errors: each }),
  ),
  document.map((each) =>
    JSON.stringify({ name: 'a', options: [each, { key: 'a', default: each }] }),
  ),
  document.map((each) =>
    JSON.stringify({ formatVersion: '2.0', servers: [each] }),
  ),
  deepText,
  text,
);

const yaml = fc.oneof(
  text,
  text.map((each) => `version: 1\nvalues:\n  a: ${each}`),
  text.map(
    (each) =>
      `version: 1\nvalues:\n  a: ${JSON.stringify(each)}\nintegrations: { i: { options: { b: "\${value:a}\${value:a}" } } }\n`,
  ),
  text.map(
    (each) =>
      `version: 1\nintegrations:\n  a:\n    match: ${JSON.stringify(each.slice(0, 1_024))}\n`,
  ),
  text.map(
    (each) =>
      `version: 1\nintegrations:\n  a: { options: { apiKey: ${JSON.stringify(each)} } }\n`,
  ),
  text.map(
    (each) =>
      `version: 1\nservers:\n  a: { url: ${JSON.stringify(each)}, config: [${each}] }\n`,
  ),
  json,
);

const file = (each: string) => ({ path: 'a.yaml', text: each });

const parsed = (each: string): unknown => {
  try {
    return JSON.parse(each);
  } catch {
    return undefined;
  }
};

/** Each parser of something foreign, and what it is given. */
const PARSERS: Readonly<
  Record<string, readonly [fc.Arbitrary<string>, (input: string) => unknown]>
> = {
  configuration: [
    yaml,
    (input) => {
      const { value, diagnostics } = parseConfig([[file(input)]]);
      return [value && resolveConfig(value), diagnostics];
    },
  ],
  project: [yaml, (input) => parseProject(file(input))],
  'saved plan': [json, (input) => decodeSaved(parsed(input), 'apply')],
  catalog: [json, (input) => decodeDefinition('a', parsed(input))],
  references: [text, parseText],
  globs: [
    text,
    (input) => {
      const glob = input.slice(0, 1_024);
      if (isCostlyGlob(glob)) return undefined;
      const matches = globMatcher(glob);
      return [
        glob.replace(/\W/g, ''),
        'a'.repeat(255),
        `${'ab_'.repeat(80)}!`,
      ].map(matches);
    },
  ],
  'texts that may be secret': [
    text,
    (input) => [
      isMask(input),
      isSecret({ values: [input] }),
      isLikelySecret('tokens', input, undefined),
    ],
  ],
  'answers of a server': [
    json,
    (input) => {
      const body = parsed(input);
      return [
        decodeIntegrations(body),
        decodeIntegrationErrors(body),
        errorText(decodeErrors(body)),
        refusalIn(body),
      ];
    },
  ],
};

/** What a parser threw over some inputs; it should throw nothing. */
function thrownBy(
  name: string,
  numRuns: number,
  seed: number,
): readonly string[] {
  const [inputs, parse] = PARSERS[name] ?? [fc.constant(''), () => undefined];
  return fc.sample(inputs, { numRuns, seed }).flatMap((input) => {
    try {
      parse(input);
      return [];
    } catch (thrown) {
      return [`${String(thrown)}: ${input.slice(0, 500)}`];
    }
  });
}

const INPUTS = seeds(30, 1_000);
const SEED = Number(process.env['SETPOINT_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

test.each(Object.keys(PARSERS))(
  `${INPUTS} hostile inputs throw nothing: %s (seed ${SEED})`,
  (name) => {
    expect(thrownBy(name, INPUTS, SEED)).toEqual([]);
  },
);
