import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseConfig,
  referenceFindings,
} from '../../../src/core/config/config.ts';
import type { WrittenConfig } from '../../../src/core/config/entry.ts';
import {
  framed,
  outsideReferences,
  referenceTable,
  resolveConfig,
} from '../../../src/core/config/resolve.ts';
import { leftoverIn } from '../../../src/core/config/text-flaws.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { brief, file, found, validConfig } from '../../support/config.ts';
import { anyLeftover } from '../../support/leftovers.ts';
import { contentOf, valueIn } from '../../support/resolved.ts';
import { seeded } from '../../support/seeded.ts';
import { options } from './files/case.ts';

/** A configuration with its references open, all of which hold one text. */
function opened(config: WrittenConfig, text: string) {
  const wanted = outsideReferences(config);
  const names = [...wanted.values()].map(({ name }) => name);
  const env = Object.fromEntries(names.map((name) => [name, text]));
  const files = names.map((path) => [path, { text }] as const);
  const table = referenceTable(wanted, env, () => true, files);
  const entries = resolveConfig(config, table);
  const values = entries.flatMap((entry) =>
    [...entry.options.keys()].map((option) => valueIn(entry, option)),
  );
  const findings = [...referenceFindings(entries)];
  return { values, findings };
}

/** The findings for references in a file that all hold one text. */
const held = (yaml: string, text: string) =>
  opened(validConfig(yaml), text).findings;

/** What is found in a text, as `severity code`. */
const inVariable = (text: string) =>
  held(options('note: "${env:SETPOINT_K}"'), text).map(short);
const inFile = (text: string) =>
  held(options('note: "${file:k.pem}"'), text).map(short);
/** What is found in the value of an option, written in YAML. */
const inOption = (key: string, text: string) => {
  const yaml = options(`${key}: ${quoted(text)}`);
  return parseConfig([[file(yaml)]]).diagnostics.map(short);
};
const inYaml = (text: string) => inOption('note', text);

/** A text as YAML quotes it, which takes no byte order mark. */
const quoted = (text: string) =>
  JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');

function short(diagnostic: Parameters<typeof explain>[0]): string {
  const { severity, code } = explain(diagnostic);
  return `${severity} ${code}`;
}

const LEFT = 'error placeholder';
const TYPO = 'error reference-typo';
const LIKE_ONE = 'warning reference-typo';
const PADDED = 'warning padded-text';
const SOPS = 'ENC[AES256_GCM,data:Zm9v,iv:aXY=,tag:dGFn,type:str]';
const JOINED = '-----BEGIN CERTIFICATE----- MIIB -----END CERTIFICATE-----';
const PEM = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';

/** What a text is, what is found if a reference holds it, and what if YAML does in a secret; undefined: YAML takes it for something else. */
const CONTENTS: readonly (readonly [
  name: string,
  text: string,
  inReference: readonly string[],
  inValue: readonly string[] | undefined,
])[] = [
  [
    'a pointer of Git LFS',
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n',
    [LEFT],
    [LEFT],
  ],
  ['a mask of a runner', '***', [LEFT], [LEFT]],
  ['a mask of a page', '••••••••', [LEFT], [LEFT]],
  ['a mask of crosses', 'xxxxxxxxxxxx', [LEFT], [LEFT]],
  ['a text of eyaml', 'ENC[PKCS7,MIIBeQ]', [LEFT], [LEFT]],
  ['a text of a vault', 'vault:v1:8SDd3WHDOjf7mq69', [LEFT], [LEFT]],
  ['a message of PGP', '-----BEGIN PGP MESSAGE-----\nhQ', [LEFT], [LEFT]],
  ['a token of a pipeline', '#{TL_KEY}#', [LEFT], [TYPO]],
  ['a token in underscores', '__TL_KEY__', [LEFT], [TYPO]],
  ['a word that says that there is none', 'none', [], []],
  ['a variable of a pipeline', '$(TL_KEY)', [LEFT], [TYPO]],
  ['a reference of a vault', 'op://vault/item/field', [LEFT], [LIKE_ONE]],
  ['a variable of a shell', '$TL_KEY', [], [LIKE_ONE]],
  ['a variable of a template', '{{ vt_key }}', [], [LIKE_ONE]],
  ['a token to be replaced', '@@TL_KEY@@', [], [LIKE_ONE]],
  ['a mask that shows the ends of a secret', 'sk****EA', [], undefined],
  ['quotes around a key', '"s3cret-key"', [PADDED], [PADDED]],
  ['a quote before a key', '"s3cret-key', [], []],
  ['spaces around a key', ' s3cret-key ', [PADDED], [PADDED]],
  ['a carriage return at the end', 's3cret-key\r', [PADDED], [PADDED]],
  ['two line ends', 's3cret-key\n\n', [PADDED], [PADDED]],
  ['a zero-width space', 's3cret\u200bkey', [PADDED], [PADDED]],
  ['a joiner between letters of ASCII', 's3cret\u200dkey', [PADDED], [PADDED]],
  ['a control', 's3cret\u0007key', [PADDED], [PADDED]],
  ['a byte order mark at the end', 's3cret-key\ufeff', [PADDED], [PADDED]],
  ['both', ' s3cret\u200bkey', [PADDED], [PADDED]],
  ['a key', 's3cret-key', [], []],
  ['a key and a line end of Windows', 's3cret-key\r\n', [], []],
  ['a joined PEM above another text', `${JOINED}\n${PEM}\n`, [LEFT], [LEFT]],
  ['the beginning of a PEM', '-----BEGIN RSA KEY', [LEFT], [LEFT]],
  ['a PEM of Mac OS 9', PEM.replaceAll('\n', '\r'), [LEFT], [LEFT]],
  ['a PEM with dashes in its label', PEM.replaceAll('PUBLIC', 'A-B'), [], []],
  ['a character that was lost', 's3cr\ufffdt', [LEFT], undefined],
  ['a PEM', PEM, [], []],
  ['a PEM with a line end that is to be sent', `${PEM}\n\n`, [], [PADDED]],
  ['tabs and line ends inside', 'a\tb\r\nc', [], []],
  ['emoji and letters that joiners join', '👩\u200d💻 می\u200cخواهم', [], []],
  ['JSON', '{"key": "$(TL_KEY)"}', [], []],
  ['a template around a word', 'Bearer {{token}}', [], []],
  ['what integrations fill in', '{{ENTITY}}', [], []],
  ['fields of a crontab', '* * * * *', [], []],
];

test.each(CONTENTS)('%s', (_, text, inReference, inValue) => {
  expect([inVariable(text), inFile(text)]).toEqual([inReference, inReference]);
  if (inValue === undefined) return;
  const isKey = (found: string) => !found.endsWith(' plain-secret');
  expect(inOption('apiKey', text).filter(isKey)).toEqual(inValue);
  // What is no secret may mean what is written.
  const meant = inValue.map((found) => found.replace('error', 'warning'));
  expect(inYaml(text)).toEqual(meant);
});

test('a leftover belongs to a secret by its key, mark, form, fallback or use', () => {
  const foundIn = (option: string, named = 'a: 1') => {
    const yaml = `version: 1\nvalues: { ${named} }\n${options(option).replace('version: 1\n', '')}`;
    return parseConfig([[file(yaml)]]).diagnostics.map(short);
  };
  expect(foundIn('apiKey: "***"')).toContain(LEFT);
  expect(foundIn('note: { value: "null", sensitive: true }')).toContain(LEFT);
  expect(foundIn('note: "$(AKIAIOSFODNN7EXAMPLE)"')).toContain(TYPO);
  expect(foundIn('note: "${env:SETPOINT_K:-***}"')).toContain(LEFT);
  expect(foundIn('apiKey: "${value:a}"', 'a: "***"')).toContain(LEFT);
  const none = 'key: { value: "***", sensitive: false }';
  expect(foundIn(none)).toContain('warning placeholder');
});

/** Texts that mean something only if they are all of a text, or its beginning. */
const WHOLE = [
  '***',
  'xxxxxxxxxxxx',
  '<no value>',
  '(null)',
  '[object Object]',
  'None',
  '$(TL_KEY)',
  '${TL_KEY}',
  '${{ secrets.TL_KEY }}',
  '%TL_KEY%',
  '#{TL_KEY}#',
  '__TL_KEY__',
];
const BEGINNINGS = [
  'version https://git-lfs.github.com/spec/v1',
  'ENC[PKCS7,MIIBeQ]',
  'vault:v1:8SDd3WHDOjf7mq69',
  '-----BEGIN PGP MESSAGE-----',
  'op://vault/item/field',
];

test.each([...WHOLE, ...BEGINNINGS])('%s behind a word is text', (text) => {
  expect(inVariable(text)).not.toEqual([]);
  expect(inVariable(`a ${text}`)).toEqual([]);
});

test.each(WHOLE)('%s before a word is text', (text) => {
  expect(inVariable(`${text} a`)).toEqual([]);
});

test.each([
  'a $(env:SETPOINT_A) b',
  'a $(file:k.pem)',
  'a $(value:k)',
  'a $file:k.pem',
  'a $env:SETPOINT_A',
  'a [env:A] b',
  'a {env:A:-b}',
  'a $SETPOINT_A',
  'a %SETPOINT_KEY% b',
  'env:A',
  '$TL_KEY_2',
  '{{ key }}',
  '{{entity_id}}',
  '@@TL_KEY@@',
])('%s looks like a reference', (text) => {
  expect(inYaml(text)[0]).toMatch(/ reference-typo$/);
});

test.each([
  'a $env:TEMP',
  'an env:A',
  '{{x}}env:A',
  'env:A b',
  'env:1',
  '{env: A}',
  '$TL_KEY b',
  'a $TL_KEY',
  '$1A',
  '{{Entity}}',
  'a {{ key }}',
  'a @@TL_KEY@@',
  '@@TL KEY@@',
  'SETPOINT_A',
  '{{ $SETPOINT_A }} b',
])('%s is no reference', (text) => {
  expect(inYaml(text)).toEqual([]);
});

test('an escaped reference says itself that it is text', () => {
  expect(found(options('note: $${TL_KEY}'))).toEqual([]);
  expect(found(options('note: $${env:SETPOINT_A}'))).toEqual([]);
  expect(found(options('note: "$($${env:SETPOINT_A})!"'))).toEqual([]);
});

test('an empty variable counts as not set, whatever is around it; an empty file is a mistake', () => {
  for (const text of ['', '\n', '\ufeff', '\ufeff\r\n']) {
    const config = validConfig(options('note: "${env:SETPOINT_K}"'));
    const [value] = opened(config, text).values;
    expect(value?.want?.kind).toBe('unread');
    expect(inFile(text)).toEqual(['error file-unreadable']);
  }
});

test('a framed text reads as it was', () => {
  const text = fc.string({ unit: fc.constantFrom('\ufeff', '\r', '\n', 'a') });
  fc.assert(
    fc.property(text, (given) => {
      const config = validConfig(options('note: "${env:SETPOINT_K}"'));
      const [value] = opened(config, framed(given)).values;
      const isUnset = value?.want?.kind === 'unread';
      expect(isUnset ? '' : contentOf(value?.want)).toBe(given);
    }),
  );
  expect(framed('s3cret-key')).toBe('s3cret-key');
});

/** The forms in which a reference comes into a value, and the place of its text. */
const PLACES: readonly (readonly [yaml: (text: string) => string, string])[] = [
  [(text) => options(`note: "${text}"`), '5:13'],
  [(text) => options(`note: "x ${text} y"`), '5:13'],
  [(text) => options(`note: [a, "${text}"]`), '5:17'],
  [(text) => options(`note: { display: a, value: "${text}" }`), '5:13'],
];
const inNamed = (value: string, key = 'p') =>
  `version: 1\nvalues: { a: ${value} }\nintegrations: { vt: { options: { o: "\${value:a}", ${key}: "x \${value:a}" } } }\n`;

describe('the finding is at the place of its text', () => {
  test.each(PLACES)('of a reference in %s at %s', (yaml, at) => {
    const written = yaml('${env:SETPOINT_K}');
    expect(held(written, SOPS).map(brief)).toEqual([`placeholder ${at}`]);
    expect(held(written, ' key').map(brief)).toEqual([`padded-text ${at}`]);
  });
  test('of a reference in a member of a named list', () => {
    const yaml =
      'version: 1\nvalues:\n  a: [x, "${env:SETPOINT_K}"]\nintegrations:\n  vt: { options: { o: "${value:a}" } }\n';
    expect(held(yaml, SOPS).map(brief)).toEqual(['placeholder 3:10']);
  });
  test('of a literal in a list, in a named value and in a fallback', () => {
    expect(found(options('note: [a, "***"]'))).toEqual(['placeholder 5:17']);
    expect(found(inNamed('"***"'))).toEqual(['placeholder 2:14']);
    const fallback = options('note: "${env:SETPOINT_K:-undefined}"');
    expect(found(fallback)).toEqual(['placeholder 5:13']);
    const padded = options('note: "x ${env:SETPOINT_K:- y}"');
    expect(found(padded)).toEqual(['padded-text 5:13']);
  });
  test('white space around a reference is that of the value', () => {
    const yaml = options('note: " ${env:SETPOINT_K}"');
    expect(found(yaml)).toEqual(['padded-text 5:13']);
    expect(held(yaml, 'key')).toEqual([]);
  });
});

describe('no leftover becomes a value', () => {
  const ofReferences = [
    ...PLACES.map(([yaml]) => yaml),
    (reference: string) => inNamed(`"${reference}"`, 'token'),
  ];
  const ofLiterals = [
    (text: string) => options(`apiKey: ${text}`),
    (text: string) => options(`apiKey: [a, ${text}]`),
    (text: string) => options(`apiKey: { display: a, value: ${text} }`),
    (text: string) => inNamed(text, 'token'),
  ];
  test('that a reference holds', () => {
    const form = fc.constantFrom(...ofReferences);
    const name = fc.constantFrom('env:SETPOINT_K', 'file:k.pem');
    fc.assert(
      fc.property(fc.nat(), form, name, (seed, yaml, reference) => {
        const { text } = anyLeftover(seeded(seed), true);
        const config = validConfig(yaml(`\${${reference}}`));
        const { values, findings } = opened(config, text);
        expect(findings.map(short)).toContain(LEFT);
        for (const value of values) expect(value?.want).toBeUndefined();
      }),
    );
  });
  test('that YAML writes', () => {
    const form = fc.constantFrom(...ofLiterals);
    fc.assert(
      fc.property(fc.nat(), form, (seed, yaml) => {
        const { text } = anyLeftover(seeded(seed), false);
        const { diagnostics } = parseConfig([[file(yaml(quoted(text)))]]);
        expect(diagnostics.map(short)).toSatisfy((found: string[]) =>
          found.some((each) => each === LEFT || each === TYPO),
        );
      }),
    );
  });
});

test('no more than five hidden characters are named, each once', () => {
  const text = `a${'\u200b\u200b\u0007\u0001\u202e\u2028\u2029'}b`;
  const padding = ['U+200B', 'U+0007', 'U+0001', 'U+202E', 'U+2028'];
  expect(held(options('note: "${env:SETPOINT_K}"'), text)).toMatchObject([
    { facts: { padding } },
  ]);
});

test.each([
  ['"a"', [PADDED]],
  ['""', [PADDED]],
  ['"a\\"b"', [PADDED]],
  ['"', []],
  ['"a" or "b"', []],
  ['"a"b"', []],
])('whether %s is in quotes', (text, expected) => {
  expect(inVariable(text)).toEqual(expected);
});

test.each([
  ['***', 'mask'],
  ['" undefined "', 'nothing'],
  ['\u200b***', 'mask'],
  ['x', undefined],
])('what %j was left by: %s', (text, leftover) => {
  expect(leftoverIn(text)).toBe(leftover);
});
