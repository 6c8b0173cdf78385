import fc from 'fast-check';

/** The encodings of a text that the masker knows, by name. */
export const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': JSON.stringify,
  'in JSON inside of JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'in a URL': (text) => encodeURIComponent(Buffer.from(text).toString()),
  'in HTML': (text) =>
    text.replace(
      /[&<>"']/g,
      (each) =>
        ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ??
        '&#39;',
    ),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 behind one character': (text) =>
    Buffer.from(`:${text}`).toString('base64'),
  'in Base64 behind two characters': (text) =>
    Buffer.from(`u:${text};`).toString('base64'),
  'in Base64 for URLs': (text) =>
    Buffer.from(`u:${text}`).toString('base64url'),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'in capital hexadecimal digits': (text) =>
    Buffer.from(text).toString('hex').toUpperCase(),
};

const RANDOM = fc.string({
  unit: fc.constantFrom(
    ...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
  ),
});

/** A secret that no other text holds by chance, of eight characters and more, with all that is hard about some. */
export const hardSecret: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({
      minLength: 8,
      maxLength: 12,
      unit: fc.constantFrom(...'QXZJKWVquxzjkwv0987'),
    }),
    fc.constantFrom(
      '',
      '"quoted"',
      "it's",
      '$HOME`x`',
      '\\n\\u0041',
      'İstanbul',
      'straße',
      '東京',
      '😀',
      '%41%zz',
      ...['&amp;', '{{x}}', '__proto__', ' two words ', 'a+b/c=='],
    ),
    fc.oneof(
      { weight: 9, arbitrary: RANDOM },
      { weight: 1, arbitrary: fc.constant('x'.repeat(4000)) },
    ),
  )
  .map(([start, hard, rest]) => `${start}${hard}${rest}Z`);
