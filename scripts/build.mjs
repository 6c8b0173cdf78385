// Builds everything that ships: the precompiled validators, the bundle, and the licences and the inventory of what is bundled.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { bundledPackages } from './packages.mjs';
import { sbom } from './sbom.mjs';

const SCHEMAS = {
  config: 'schemas/config.schema.json',
  project: 'schemas/project.schema.json',
  plan: 'schemas/plan.schema.json',
};

await mkdir('src/generated', { recursive: true });
const validators = await Promise.all(Object.entries(SCHEMAS).map(([name, path]) => precompile(name, path)));
await Promise.all(Object.entries(SCHEMAS).map(([name, path]) => schemaModule(name, path)));
await writeFile('src/generated/openapi.ts', await textModule('schemas/integration-api.openapi.yaml'));
const packages = await bundledPackages([...validators, await bundle()]);
await writeFile('THIRD-PARTY.md', thirdParty(packages));
const { name, version, license } = await readJson('package.json');
await writeFile('dist/sbom.cdx.json', sbom({ name, version, license }, packages));

/** Compiles a JSON Schema to a module without dependencies that exports `validate`; returns what went into it. */
async function precompile(name, path) {
  const schema = await readJson(path);
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
  await writeFile(`src/generated/${name}-schema.ts`, `export const ${name}Schema = ${text} as const;\n`);
}

/** A text file as a module, so that it is found from the bundle and from the source alike. */
async function textModule(path) {
  return `/** The text of ${path}. */\nexport const openapi: string = ${JSON.stringify(await readFile(path, 'utf8'))};\n`;
}

async function bundle() {
  await rm('dist', { recursive: true, force: true });
  const { version } = await readJson('package.json');
  const { metafile } = await build({
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
  return metafile;
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
