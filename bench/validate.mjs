// How long `setpoint validate` takes beside parsing the same files with the YAML library alone, in one run.
// 300 integrations with 15 options each in 40 files. Prints the figures and writes bench/validate.md.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

const INTEGRATIONS = 300;
const OPTIONS = 15;
const FILES = 40;
const ROUNDS = 15;

const folder = await mkdtemp(join(tmpdir(), 'setpoint-bench-'));
try {
  await writeConfiguration(folder);
  const figures = await measure(folder);
  const report = render(figures);
  await writeFile('bench/validate.md', report);
  console.log(report);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeConfiguration(into) {
  const perFile = Math.ceil(INTEGRATIONS / FILES);
  for (let file = 0; file < FILES; file += 1) {
    const own = Array.from({ length: perFile }, (_, index) => file * perFile + index).filter(
      (number) => number < INTEGRATIONS,
    );
    const text = `version: 1\nintegrations:\n${own.map(integration).join('')}`;
    await writeFile(join(into, `part-${String(file).padStart(2, '0')}.yaml`), text);
  }
}

function integration(number) {
  const options = Array.from({ length: OPTIONS }, (_, index) => option(number, index)).join('');
  return `  product${number}:\n    match: product${number}_*\n    autosubscribe: false\n    options:\n${options}`;
}

function option(number, index) {
  const forms = [
    `\${env:SETPOINT_PRODUCT_${number}_${index}}`,
    `https://product${number}.example.com/v${index}`,
    String(number + index),
    index % 2 === 0 ? 'true' : 'false',
    '[one, two, three]',
  ];
  const value = forms[index % forms.length];
  return index % 3 === 0
    ? `      option${index}: { value: "${value}", permission: lock-and-hide }\n`
    : `      option${index}: ${value}\n`;
}

/** Alternates the two, so that whatever else the machine does meets both; compares medians of whole processes. */
async function measure(path) {
  const parse = `import { readdirSync, readFileSync } from 'node:fs'; import { parseDocument } from ${JSON.stringify(new URL('../node_modules/yaml/dist/index.js', import.meta.url).href)}; for (const name of readdirSync(${JSON.stringify(path)})) parseDocument(readFileSync(${JSON.stringify(path)} + '/' + name, 'utf8')).toJS();`;
  const bare = [];
  const validated = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(timed(['--input-type=module', '-e', parse]));
    validated.push(timed(['dist/cli.js', 'validate', path, '--quiet']));
  }
  const sources = await Promise.all((await readdir(path)).map((name) => readFile(join(path, name), 'utf8')));
  const nodes = sources.map((text) => parseDocument(text)).length;
  return { bare: median(bare), validated: median(validated), files: nodes, bytes: sources.join('').length };
}

function timed(args) {
  const start = process.hrtime.bigint();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function render({ bare, validated, files, bytes }) {
  return `# Validating beside parsing alone

${INTEGRATIONS} integrations with ${OPTIONS} options each in ${files} files, ${Math.round(bytes / 1024)} KiB; whole processes, the median of
${ROUNDS} rounds that alternate, Node ${process.versions.node}. "yaml alone" reads the same files with the yaml library and makes plain data.

| | ms | ratio |
|---|---|---|
| yaml alone | ${bare.toFixed(0)} | 1 |
| setpoint validate | ${validated.toFixed(0)} | ${(validated / bare).toFixed(2)} |
`;
}
