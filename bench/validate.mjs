// `setpoint validate` of 300 integrations x 15 options in 40 files, as a ratio to the yaml library parsing the same files.
// Run after `node scripts/build.mjs`: node bench/validate.mjs. Writes bench/validate.md.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const INTEGRATIONS = 300;
const OPTIONS = 15;
const FILES = 40;
const RUNS = 15;

const folder = await mkdtemp(join(tmpdir(), 'setpoint-bench-'));
try {
  const files = await writeFiles(join(folder, 'config'));
  const yamlAlone = await bundled('yaml-alone', YAML_ALONE());
  const core = await bundled('core', CORE());
  const commands = await measured({
    yaml: () => run(yamlAlone, join(folder, 'config')),
    validate: () => run(resolve('dist/cli.js'), 'validate', join(folder, 'config')),
  });
  const { parseConfig, parseDocument } = await import(core);
  const library = await measured({
    yaml: () => files.map(({ text }) => parseDocument(text)),
    validate: () => parseConfig([files]),
  });
  await report(files, commands, library);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Files like those of a team: options with references, permissions, selects, blocks and comments. */
async function writeFiles(target) {
  await mkdir(target, { recursive: true });
  const texts = Array.from({ length: FILES }, (_, file) => {
    const numbers = Array.from({ length: INTEGRATIONS }, (_, index) => index).filter(
      (index) => index % FILES === file,
    );
    return `version: 1\nvalues:\n  proxy-${file}: http://proxy.corp:3128\nintegrations:\n${numbers.map((number) => entry(number, file)).join('')}`;
  });
  const files = texts.map((text, index) => ({ path: join(target, `part-${index}.yaml`), text }));
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  return files;
}

function entry(number, file) {
  const options = Array.from({ length: OPTIONS }, (_, index) => option(index, number, file)).join('');
  return `  integration-${number}:\n    match: integration_${number}_*\n    autosubscribe: ${number % 2 === 0}\n    options:\n${options}`;
}

function option(index, number, file) {
  const key = `option${index}`;
  if (index === 0)
    return `      apiKey:\n        value: \${env:SETPOINT_KEY_${number}}\n        permission: lock-and-hide\n`;
  if (index === 1) return `      proxy: \${value:proxy-${file}}\n`;
  if (index === 2) return `      url: https://api-${number}.example.com/v2 # the regional one\n`;
  if (index === 3) return `      types: [ip, url, hash]\n`;
  if (index === 4) return `      mode: { display: Fast lookup, value: fast }\n`;
  if (index === 5) return `      query: |\n        SELECT * FROM t\n        WHERE x = {{ENTITY}}\n`;
  return index % 2 === 0
    ? `      ${key}: ${index}\n`
    : `      ${key}: { value: "some text ${index}", permission: lock-and-show }\n`;
}

async function bundled(name, contents) {
  const outfile = join(folder, `${name}.mjs`);
  const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";
  await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: { js: banner },
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return outfile;
}

function YAML_ALONE() {
  return `import { readdirSync, readFileSync } from 'node:fs';
    import { parseDocument } from 'yaml';
    for (const name of readdirSync(process.argv[2])) parseDocument(readFileSync(process.argv[2] + '/' + name, 'utf8')).toJS();`;
}

function CORE() {
  return "export { parseConfig } from './src/core/config/config.ts'; export { parseDocument } from 'yaml';";
}

function run(...args) {
  execFileSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
}

/** The median milliseconds of each, taken in turn so that the load of the machine falls on all of them. */
async function measured(tasks) {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < RUNS + 3; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = performance.now();
      await task();
      if (round >= 3) times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

async function report(files, commands, library) {
  const kilobytes = Math.round(files.reduce((sum, { text }) => sum + text.length, 0) / 1024);
  const row = (name, { yaml, validate }) =>
    `| ${name} | ${yaml.toFixed(0)} ms | ${validate.toFixed(0)} ms | ${(validate / yaml).toFixed(2)} |`;
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const lines = [
    '# validate',
    '',
    `${INTEGRATIONS} integrations x ${OPTIONS} options in ${FILES} files (${kilobytes} KiB); median of ${RUNS} runs in turn.`,
    `setpoint ${version}, Node ${process.version}. Only the ratios carry over to other machines.`,
    '',
    '| | yaml alone | setpoint | ratio |',
    '|---|---|---|---|',
    row('the command `setpoint validate`, start-up and reading included', commands),
    row('the core alone: YAML, schema, references, layers and rules, against parsing', library),
    '',
  ];
  const text = lines.join('\n');
  await writeFile('bench/validate.md', text);
  console.log(text);
}
