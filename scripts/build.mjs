// Builds everything that ships: the precompiled validators, the bundle, and the licences of what is bundled.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const SCHEMAS = {
  config: 'schemas/config.schema.json',
  project: 'schemas/project.schema.json',
  plan: 'schemas/plan.schema.json',
};

await mkdir('src/generated', { recursive: true });
await Promise.all(
  Object.entries(SCHEMAS).flatMap(([name, path]) => [precompile(name, path), schemaModule(name, path)]),
);
await writeFile('src/generated/openapi.ts', await textModule('schemas/integration-api.openapi.yaml'));
const { metafile } = await bundle();
await writeFile('THIRD-PARTY.md', await thirdParty(metafile));

/** Compiles a JSON Schema to a module without dependencies that exports `validate`. */
async function precompile(name, path) {
  const schema = JSON.parse(await readFile(path, 'utf8'));
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    code: { source: true, esm: true },
  });
  const validator = ajv.compile(schema);
  const source = standalone.default(ajv, validator);
  const out = `src/generated/${name}-validator.js`;
  await build({
    stdin: { contents: source, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    outfile: out,
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
}

/** The schema itself as a module: the sources and the bundle find it alike, and its words are types. */
async function schemaModule(name, path) {
  const text = (await readFile(path, 'utf8')).trim();
  await writeFile(`src/generated/${name}-schema.ts`, `export const ${name}Schema = ${text} as const;\n`);
}

/** A text file as a module, so that it is found from the bundle and from the source alike. */
async function textModule(path) {
  return `/** The text of ${path}. */\nexport const openapi: string = ${JSON.stringify(await readFile(path, 'utf8'))};\n`;
}

async function bundle() {
  await rm('dist', { recursive: true, force: true });
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const result = await build({
    entryPoints: ['src/cli.ts', 'src/index.ts'],
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
    define: { SETPOINT_VERSION: JSON.stringify(version) },
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
    logLevel: 'warning',
  });
  await chmod('dist/cli.js', 0o755);
  return result;
}

/** The name, version and licence text of each package that the bundle holds. */
async function thirdParty(metafile) {
  const inputs = Object.keys(metafile.inputs).map(
    (path) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
  );
  const folders = [...new Set(inputs.filter((path) => path !== undefined))].sort();
  const parts = await Promise.all(folders.map(licence));
  return `# Third-party software in the bundle\n\n${parts.join('\n')}`;
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const texts = await Promise.all(
    ['LICENSE', 'LICENSE.md', 'LICENCE', 'license', 'LICENSE.txt'].map((file) =>
      readFile(`${folder}/${file}`, 'utf8').catch(() => undefined),
    ),
  );
  const text = texts.find((found) => found !== undefined) ?? 'No licence file in the package.';
  return `## ${name} ${version} (${license})\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
