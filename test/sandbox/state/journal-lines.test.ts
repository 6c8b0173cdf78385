import { expect, test } from 'vitest';
import type { IntegrationChange } from '../../../src/sandbox/state/integration-state.ts';
import { changeLine, decodeLines, headerLine } from '../../../src/sandbox/state/journal-lines.ts';

const change = (id: string): IntegrationChange => ({ id, attributes: { autosubscribe: true } });
const header = headerLine();
const first = changeLine(header.checksum, change('one'));
const second = changeLine(first.checksum, change('two'));
const whole = header.text + first.text + second.text;

/** The ids that a text holds, or the line from which on it is damaged. */
function decoded(text: string): readonly string[] | number {
  const found = decodeLines(text);
  return 'changes' in found ? found.changes.map(({ id }) => id) : found.damagedLine;
}

test.each([
  ['a file as it was written', whole, ['one', 'two']],
  ['a line that a kill cut short', whole.slice(0, -5), ['one']],
  [
    'a line of which only the checksum was begun',
    header.text + first.text + second.text.slice(0, 7),
    ['one'],
  ],
  ['an editor took the last line break away', whole.slice(0, -1), ['one', 'two']],
  ['line breaks became blanks', header.text + (first.text + second.text).replaceAll('\n', ' '), 2],
  ['a whole line under another checksum', `${header.text}${first.text}${'0'.repeat(16)} {"id":"two"}`, 3],
  ['something else behind the last line', `${whole}hello`, 4],
  ['a byte was changed', whole.replace('"one"', '"onf"'), 2],
])('%s', (_, text, expected) => {
  expect(decoded(text)).toEqual(expected);
});
