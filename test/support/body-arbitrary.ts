import fc from 'fast-check';
import { ASSETS, DNS, optionsBody, THREAT, VAULT } from './sandbox-requests.ts';

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
  fc.constantFrom(
    5,
    '12',
    'true',
    { display: 'Fast', value: 'fast' },
    [{ display: 'URLs', value: 'url' }],
    [],
    '',
  ),
);
const attributes = fc.oneof(
  fc.record({ value, 'admin-only': fc.boolean(), 'user-can-edit': fc.boolean() }, { requiredKeys: [] }),
  fc.record(
    { value: fc.constantFrom(5, 'x', true), 'admin-only': value, other: value },
    { requiredKeys: [] },
  ),
);
const key = fc.constantFrom(
  'apiKey',
  'url',
  'timeout',
  'verifyTls',
  'mode',
  'types',
  'port',
  'orgId',
  'nope',
  '__proto__',
);
/** Changes of options of any kind, in the right frame. */
export const optionsPatch = fc
  .tuple(
    fc.constantFrom(THREAT, THREAT, VAULT, ASSETS),
    fc.dictionary(key, attributes, { minKeys: 1, maxKeys: 3 }),
    fc.constantFrom('integration-options', 'integration-option', 'x'),
  )
  .map(([owner, changes, type]) => optionsBody(owner, changes, type));
/** Changes of attributes of any kind, in the right frame. */
export const integrationPatch = fc
  .tuple(
    fc.constantFrom(THREAT, ASSETS, DNS),
    fc.record({ autosubscribe: value, name: value, status: value }, { requiredKeys: [] }),
  )
  .map(([owner, changes]) => ({ data: { id: owner, attributes: changes } }));
/** Credentials that are wrong. */
export const credentials = fc.record(
  { identification: fc.constantFrom('admin', 'x', 1), password: fc.constantFrom('wrong', null) },
  { requiredKeys: [] },
);

/** JSON that has the frame of a body as far as it goes, and anything inside. */
export const framedJson = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.record({ data: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ data: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }) }),
  fc.record({
    data: fc.record(
      { id: fc.constantFrom<unknown>(THREAT, null, 1), type: value, attributes: value },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    data: fc.array(fc.record({ id: value, type: value, attributes: value }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
  }),
);

const json = fc.oneof(optionsPatch, integrationPatch, credentials, framedJson);

/** Bodies of every kind: right ones, cut ones, deep ones, and bytes. */
export const body = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: json.map((each) => Buffer.from(JSON.stringify(each))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: json.chain((each) =>
      fc.nat(JSON.stringify(each).length).map((end) => Buffer.from(JSON.stringify(each).slice(0, end))),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('[', '{"a":')
      .chain((open) => fc.nat(3000).map((depth) => Buffer.from(open.repeat(depth)))),
  },
);

/** Changes of options that fit. */
export const rightOptions = fc
  .record(
    {
      apiKey: fc.record({ value: fc.string({ unit: 'grapheme' }) }),
      timeout: fc.record({ value: fc.integer() }),
      verifyTls: fc.record({ value: fc.boolean(), 'admin-only': fc.boolean() }),
      mode: fc.record({
        value: fc.constantFrom('fast', 'passive').map((each) => ({ display: each, value: each })),
      }),
      types: fc.record({
        value: fc.subarray([{ display: 'URLs', value: 'url' }]),
        'admin-only': fc.constant(false),
      }),
    },
    { requiredKeys: ['timeout'] },
  )
  .map((changes) => optionsBody(THREAT, changes));
/** Changes of attributes that fit. */
export const rightAttributes = fc
  .record({ autosubscribe: fc.boolean(), name: fc.string() }, { requiredKeys: [] })
  .map((each) => ({ data: { id: THREAT, attributes: each } }));
