import fc from 'fast-check';

/** How servers and programs write a text, by name. */
export const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': JSON.stringify,
  'in JSON inside of JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'with all but ASCII escaped': (text) =>
    JSON.stringify(text).replace(/[^ -~]/g, (each) => `\\u${hexOf(each)}`),
  'with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'in a URL': (text) => encodeURIComponent(Buffer.from(text).toString()),
  'in a URL, in small letters': (text) => encodeURIComponent(Buffer.from(text).toString()).toLowerCase(),
  'in a form': (text) => new URLSearchParams({ text }).toString(),
  'in HTML': (text) =>
    text.replace(
      /[&<>"']/g,
      (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? '&#39;',
    ),
  'in decimal entities': (text) => [...text].map((each) => `&#${each.codePointAt(0)};`).join(''),
  'in hexadecimal entities': (text) =>
    [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 behind one character': (text) => Buffer.from(`:${text}`).toString('base64'),
  'in Base64 behind two characters': (text) => Buffer.from(`u:${text};`).toString('base64'),
  'in Base64 for URLs': (text) => Buffer.from(`u:${text}`).toString('base64url'),
  'in wrapped Base64': (text) => Buffer.from(text).toString('base64').replace(/.{19}/g, '$&\r\n'),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'in capital hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'as a list of bytes': (text) =>
    [...Buffer.from(text)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', '),
  'quoted for a shell': (text) => `'${text.replaceAll("'", "'\\''")}'`,
  'escaped for a shell': (text) => text.replace(/[^\w\n]/g, '\\$&'),
  'quoted for JavaScript': (text) => `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
  'wrapped over lines': (text) => text.replace(/.{4}/gu, '$&\n    '),
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  decomposed: (text) => text.normalize('NFD'),
};

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

const RANDOM = fc.string({
  unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
});

/** A secret that no other text holds by chance, of eight characters and more, with all that is hard about some. */
export const hardSecret: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom(...'QXZJKWVquxzjkwv0987') }),
    fc.constantFrom(
      '',
      '"quoted"',
      "it's",
      '$HOME`x`',
      '\\n\\u0041',
      'İstanbul',
      'straße',
      'naïve',
      '東京',
      '😀',
      '%41%zz',
      '&amp;',
      '{{x}}',
      '__proto__',
      ' two words ',
      'a+b/c==',
    ),
    fc.oneof({ weight: 9, arbitrary: RANDOM }, { weight: 1, arbitrary: fc.constant('x'.repeat(4000)) }),
  )
  .map(([start, hard, rest]) => `${start}${hard}${rest}Z`);
