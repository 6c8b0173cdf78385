import { type Case, options, values } from './case.ts';

/** Scalars that would be stored as something else than what is written, and characters that no file can hold. */
export const BAD_SCALARS: readonly Case[] = [
  ['minus zero', options('key: -0'), ['ambiguous-scalar 5:12']],
  ['a hexadecimal number', options('key: 0x1F'), ['ambiguous-scalar 5:12']],
  ['infinity', options('key: .inf'), ['ambiguous-scalar 5:12']],
  ['more digits than are kept', options('key: 0.1000000000000000055'), ['ambiguous-scalar 5:12']],
  ['an explicit integer', options('key: !!int 0123'), ['ambiguous-scalar 5:18']],
  ['one in a list', options('key: [a, 08, b]'), ['ambiguous-scalar 5:16']],
  ['one behind two aliases', values('a: &a [01]\nb: *a\nc: *a'), ['ambiguous-scalar 3:10']],
  ['another version of the format', 'version: 1.0\n', ['ambiguous-scalar 1:10']],
  ['2^53', options('key: 9007199254740992'), ['ambiguous-scalar 5:12']],
  ['nothing behind a dash', options('key:\n  - a\n  -'), ['empty-value 7:10']],
  ['a key alone in braces', options('key: { value }'), ['empty-value 5:14']],
  ['a NUL', options('key: a\0b'), ['yaml-syntax 5:13']],
  ['a byte order mark in the middle', options('key: a\ufeffb'), ['yaml-syntax 5:13']],
  ['a carriage return alone', options('key: a\rb'), ['yaml-syntax 5:13']],
  ['one in each of two lines', 'version: 1\0\0\nvalues: {}\0\n', ['yaml-syntax 1:11', 'yaml-syntax 2:11']],
];
