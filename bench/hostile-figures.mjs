// Configuration that is as large, deep or twisted as the limits let it be, bundled and run in a process of its own: prints the
// milliseconds until all of its findings are there. `hostile-figures.mjs ROUNDS`
import { parseConfig } from '../src/core/config/config.ts';
import { resolveConfig } from '../src/core/config/resolve.ts';
import { YAML_LIMITS } from '../src/core/yaml/compose.ts';
import { clocked, interleaved } from './measured.mjs';

const { bytes, tokens, lexemes, keys, depth, aliasNodes } = YAML_LIMITS;
const lines = (count, line) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const values = (text) => `version: 1\nvalues:\n${text.replace(/^/gm, '  ')}\n`;
const upTo = (size, piece) => piece.repeat(Math.floor(size / piece.length));
const tenfold = (level) =>
  `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}*l${level}]`;

const INPUTS = {
  '2 MiB with 30,000 options': `version: 1\nintegrations:\n${lines(
    300,
    (entry) =>
      `  e${entry}:\n    options:\n${lines(100, (option) => `      k${option}: ${'word'.repeat(12)}`)}`,
  )}\n`,
  'a text of nearly 2 MiB': values(`a: ${'x'.repeat(bytes - 100)}`),
  'as many tokens as are read': values(`a: [${'x,'.repeat(tokens / 2 - 10)}x]`),
  'more lines than are read': `version: 1\n${'\n'.repeat(lexemes + 1)}`,
  'a map of 5,000 keys': values(lines(keys, (index) => `k${index}: 1`)),
  'every key of 5,000 twice': values(
    lines(keys, (index) => `k${index % (keys / 2)}: 1`),
  ),
  '64 levels, many times': values(
    lines(
      700,
      (index) => `a${index}: ${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`,
    ),
  ),
  'a million levels': values(`a: ${'['.repeat(1_000_000)}`),
  'aliases up to the limit': values(
    `a: &a x\nb: [${'*a, '.repeat(aliasNodes - 10)}*a]`,
  ),
  'aliases of aliases': values(`a: &l0 [x, x, x]\n${lines(6, tenfold)}`),
  '600,000 characters of `{{`': values(`a: "${upTo(600_000, '{{')}"`),
  '600,000 characters of `${env:A:-`': values(
    `a: "${upTo(600_000, '${env:A:-')}"`,
  ),
  '600,000 characters of `http://a/`': values(
    `a: "${upTo(600_000, 'http://a/')}"`,
  ),
  '600,000 characters of `eyJ-.`': values(`a: "${upTo(600_000, 'eyJ-.')}"`),
  '2,000 globs of 120 stars': `version: 1\nintegrations:\n${lines(
    2_000,
    (index) =>
      `  e${index}: { match: "${'*a'.repeat(120)}${index}", options: { a: 1 } }`,
  )}\n`,
};

const tasks = Object.entries(INPUTS).map(([name, text]) => [
  name,
  clocked(() => parsed(text)),
]);
process.stdout.write(
  JSON.stringify(
    await interleaved(Object.fromEntries(tasks), Number(process.argv[2]), 1),
  ),
);

function parsed(text) {
  const { value, diagnostics } = parseConfig([
    [{ path: 'hostile.yaml', text }],
  ]);
  return [value && resolveConfig(value), diagnostics];
}
