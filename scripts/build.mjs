// Builds everything that ships: the precompiled validators, the bundle, and the licences and the inventory of what is bundled.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build, transform } from 'esbuild';
import { bundledPackages } from './packages.mjs';
import { parts } from './parts.mjs';
import { sbom } from './sbom.mjs';
import { without } from './without.mjs';

const SCHEMAS = {
  config: 'schemas/config.schema.json',
  project: 'schemas/project.schema.json',
  plan: 'schemas/plan.schema.json',
  snapshot: 'schemas/snapshot.schema.json',
};

/** What the program and the library have in common. */
const BUNDLE = {
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  loader: { '.yaml': 'text' },
  // The library's other build prints every token, secrets among them, where the environment holds LOG_TOKENS.
  alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
  plugins: [without],
  logLevel: 'warning',
};

await mkdir('src/generated', { recursive: true });
const validators = await Promise.all(
  Object.entries(SCHEMAS).map(([name, path]) => precompile(name, path)),
);
await Promise.all(
  ['config', 'project'].map((name) => schemaModule(name, SCHEMAS[name])),
);
await Promise.all(
  ['plan', 'snapshot'].map((name) => typesModule(name, SCHEMAS[name])),
);
await writeFile('src/generated/report-page.ts', await pageModule());
const { name, version, license } = await readJson('package.json');
await rm('dist', { recursive: true, force: true });
/** What the sources read of package.json. */
const CONSTANTS = { SETPOINT_VERSION: JSON.stringify(version) };
const bundles = [await bundleProgram(), await bundleLibrary()];
// The sandbox serves it where no other catalog is named.
await cp('examples/catalog', 'dist/examples/catalog', { recursive: true });
const packages = await bundledPackages([...validators, ...bundles]);
await writeFile('THIRD-PARTY.md', thirdParty(packages));
await writeFile(
  'dist/sbom.cdx.json',
  sbom({ name, version, license }, packages),
);

/** Compiles a JSON Schema to a module without dependencies that exports `validate`; returns what went into it. */
async function precompile(name, path) {
  // Their errors come with the schema around them: the keys that it allows, and the form of a text in words.
  const verbose = name === 'config' || name === 'project';
  const schema = JSON.parse(
    await readFile(path, 'utf8'),
    function (key, value) {
      const isForm = verbose && 'pattern' in this;
      const isWords = key === 'description' && typeof value === 'string';
      return isWords && !isForm ? undefined : value;
    },
  );
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    // A quarter less code; but what a function of its own finds in a key does not say in which.
    inlineRefs: JSON.stringify(schema).includes('"propertyNames"'),
    messages: false,
    verbose,
    code: { source: true, esm: true },
  });
  const validator = ajv.compile(schema);
  const source = standalone.default(ajv, validator);
  const out = `src/generated/${name}-validator.js`;
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    outfile: out,
    metafile: true,
    logLevel: 'error',
  });
  await writeFile(
    out.replace(/\.js$/, '.d.ts'),
    [
      "import type { ErrorObject } from 'ajv';",
      'export interface Validator { (data: unknown): boolean; errors?: ErrorObject[] | null }',
      'export declare const validate: Validator;',
      '',
    ].join('\n'),
  );
  return metafile;
}

/** The schema itself as a module: the sources and the bundle find it alike, and its words are types. */
async function schemaModule(name, path) {
  const text = (await readFile(path, 'utf8')).trim();
  await writeFile(
    `src/generated/${name}-schema.ts`,
    `export const ${name}Schema = ${text} as const;\n`,
  );
}

/** The types of a document that its schema describes, and of each definition in it. */
async function typesModule(name, path) {
  const { definitions, ...document } = await readJson(path);
  const properties = { document, ...definitions };
  const all = typeOf({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  await writeFile(
    `src/generated/${name}-types.ts`,
    `export interface Types ${all}\n`,
  );
}

/** The type that a schema describes. */
function typeOf({
  $ref,
  anyOf,
  type,
  items,
  properties,
  required = [],
  additionalProperties,
  ...rest
}) {
  if ($ref !== undefined)
    return `Types['${$ref.replace('#/definitions/', '')}']`;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (rest.enum !== undefined || 'const' in rest)
    return (rest.enum ?? [rest.const])
      .map((word) => JSON.stringify(word))
      .join(' | ');
  if (type === 'array') return `readonly (${typeOf(items)})[]`;
  if (type !== 'object')
    return [type].flat().join(' | ').replace('integer', 'number');
  if (properties === undefined)
    return `{ readonly [key: string]: ${typeOf(additionalProperties)} }`;
  const fields = Object.entries(properties).map(
    ([key, field]) =>
      `readonly ${key}${required.includes(key) ? '' : '?'}: ${typeOf(field)};`,
  );
  return `{ ${fields.join(' ')} }`;
}

/** The script and the style of the HTML report, with the hashes by which a browser knows them. */
async function pageModule() {
  const [script, style] = await Promise.all([
    inlineText(['script.js'], 'js'),
    inlineText(['style.css'], 'css'),
  ]);
  return [
    '/** A text of a page, and its hash as a content security policy has it. */',
    'interface Inlined { readonly text: string; readonly hash: string }',
    `export const reportScript: Inlined = ${JSON.stringify(script)};`,
    `export const reportStyle: Inlined = ${JSON.stringify(style)};`,
    '',
  ].join('\n');
}

async function inlineText(names, loader) {
  const sources = await Promise.all(
    names.map((name) => readFile(`src/page/${name}`, 'utf8')),
  );
  const { code } = await transform(sources.join(''), {
    loader,
    minify: true,
    charset: 'ascii',
  });
  const text = code.trim();
  return {
    text,
    hash: `sha256-${createHash('sha256').update(text).digest('base64')}`,
  };
}

async function bundleLibrary() {
  const { metafile } = await build({
    ...BUNDLE,
    entryPoints: ['src/index.ts'],
    define: CONSTANTS,
    banner: {
      // What bundled CommonJS modules expect to find.
      js: [
        "import{createRequire as __createRequire}from'node:module';",
        "import{fileURLToPath as __toPath}from'node:url';",
        "import{dirname as __toFolder}from'node:path';",
        'const require=__createRequire(import.meta.url);',
        'const __filename=__toPath(import.meta.url);',
        'const __dirname=__toFolder(__filename);',
      ].join(''),
    },
  });
  return metafile;
}

/** The program is built twice: what the first prints as its help is a text of the second, which prints it at once. */
async function bundleProgram() {
  await writeProgram(CONSTANTS);
  const { stdout: help } = await promisify(execFile)(process.execPath, [
    'dist/cli.cjs',
    '--help',
  ]);
  await rm('dist', { recursive: true });
  const metafile = await writeProgram({
    ...CONSTANTS,
    SETPOINT_HELP: JSON.stringify(help),
  });
  await chmod('dist/cli.cjs', 0o755);
  return metafile;
}

/** Writes the program as CommonJS, which Node starts 4 ms faster; esbuild splits only ES modules, so each chunk is translated. */
async function writeProgram(define) {
  const { outputFiles, metafile } = await build({
    ...BUNDLE,
    entryPoints: ['src/cli.ts'],
    plugins: [without, parts],
    outExtension: { '.js': '.cjs' },
    define,
    write: false,
  });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(withPlainExports(text), {
        format: 'cjs',
        platform: 'node',
        target: BUNDLE.target,
        minifySyntax: true,
        minifyWhitespace: true,
        // Node reads all of a file before it runs a line of it: shorter names are a tenth of what `validate` takes to start.
        minifyIdentifiers: true,
        // As require: the loader of ES modules is what costs.
        supported: { 'dynamic-import': false },
        define: { 'import.meta.url': '__url' },
        banner: text.includes('import.meta.url')
          ? "const __url=require('node:url').pathToFileURL(__filename).href;"
          : '',
      });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, code);
    }),
  );
  return metafile;
}

/** Exports values in place of esbuild's getters: hundreds of these cost a start milliseconds, and a plan makes millions of calls through them. */
function withPlainExports(text) {
  return text.replace(/export\{([^{}]*)\};\s*$/, (_, list) => {
    const fields = list
      .split(',')
      .map((name) => name.split(' as ').reverse().join(':'));
    return `module.exports={${fields.join(',')}};`;
  });
}

/** The name, version and licence text of each package that the bundle holds. */
function thirdParty(packages) {
  const parts = packages.map(
    ({ name, version, license, text }) =>
      `## ${name} ${version} (${license})\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  );
  return `# Third-party software in the bundle\n\n${parts.join('\n')}`;
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
