import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { missingTests } from './support/named-tests.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly content: string }[];
}

interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T;
const sbom = () => readJson<Sbom>('dist/sbom.cdx.json');
const fullName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

/** What CycloneDX 1.6 asks of the parts that are used; nothing else may be in it. */
const identity = {
  'bom-ref': { type: 'string', minLength: 1 },
  group: { type: 'string' },
  name: { type: 'string', minLength: 1 },
  version: { type: 'string', maxLength: 1024 },
  purl: { type: 'string', pattern: '^pkg:npm/(%40[a-z0-9._~-]+/)?[a-z0-9._~-]+@[0-9][0-9A-Za-z.%-]*$' },
  licenses: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      properties: {
        license: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          properties: { id: { enum: ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'] } },
        },
        expression: { type: 'string' },
      },
    },
  },
};
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const SCHEMA = object(
  {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { const: 1 },
    metadata: object(
      { component: object({ type: { const: 'application' }, ...identity }, ['type', 'name', 'purl']) },
      ['component'],
    ),
    components: {
      type: 'array',
      uniqueItems: true,
      items: object(
        {
          type: { const: 'library' },
          ...identity,
          scope: { const: 'required' },
          hashes: {
            type: 'array',
            items: object(
              { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[a-f0-9]{128}$' } },
              ['alg', 'content'],
            ),
          },
        },
        ['type', 'bom-ref', 'name', 'version', 'purl', 'licenses', 'hashes'],
      ),
    },
    dependencies: {
      type: 'array',
      items: object({ ref: { type: 'string' }, dependsOn: { type: 'array', uniqueItems: true } }, ['ref']),
    },
  },
  ['bomFormat', 'specVersion', 'components'],
);

describe('the inventory of the bundle', () => {
  test('is a CycloneDX document whose references lead somewhere', async () => {
    const document = await sbom();
    const validate = new Ajv({ allErrors: true, strict: false }).compile(SCHEMA);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    const { metadata, components, dependencies } = document;
    const purls = components.map(({ purl }) => purl);
    expect(dependencies.map(({ ref }) => ref)).toEqual([metadata.component.purl, ...purls]);
    expect(dependencies[0]?.dependsOn).toEqual(purls);
  });
  test('names every package that is in the bundle, as the lock file has it, and no other', async () => {
    const { components } = await sbom();
    expect(components.map(fullName)).toEqual(await bundledNames());
    const { packages } = await readJson<Lock>('package-lock.json');
    for (const each of components) {
      const locked = packages[`node_modules/${fullName(each)}`];
      const content = Buffer.from(locked?.integrity.replace('sha512-', '') ?? '', 'base64').toString('hex');
      expect([each.version, each.hashes.map((hash) => hash.content)]).toEqual([locked?.version, [content]]);
    }
    const texts = (await readFile('THIRD-PARTY.md', 'utf8')).matchAll(/^## (\S+) (\S+) \(/gm);
    expect([...texts].map(([, name, version]) => `${name}@${version}`)).toEqual(
      components.map((each) => `${fullName(each)}@${each.version}`),
    );
  });
});

/** The names of the packages that leave code in a bundle of the sources, and of those in the validators that are made before. */
async function bundledNames(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: ['src/cli.ts', 'src/index.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    write: false,
    metafile: true,
    alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const names = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? 'ours');
  expect(inputs.map(([path]) => path)).toContain('src/generated/config-validator.js');
  return [...new Set([...names, 'ajv'])].filter((name) => name !== 'ours').sort();
}

/** All files of the package; each pattern stands for one at least. */
const SHIPPED = [
  /^package\.json$/,
  /^(README|THIRD-PARTY)\.md$/,
  /^LICENSE$/,
  /^schemas\/[a-z-]+\.(schema\.json|openapi\.yaml)$/,
  // The bundle: the program, the library, what they share, what is in them, and the catalog that the sandbox serves.
  /^dist\/(cli\.cjs|index\.js)$/,
  /^dist\/chunks\/[a-z-]+-[A-Z0-9]{8}\.c?js$/,
  /^dist\/sbom\.cdx\.json$/,
  /^dist\/examples\/catalog\/[a-z-]+\.json$/,
  // The types: of the library, and those of the core that they lead to.
  /^dist\/types\/(index|library\/[a-z-]+|core\/[a-z]+\/[a-z-]+|generated\/plan-schema)\.d\.ts$/,
];

describe('the package', () => {
  test('ships the bundle, its types, the schemas and three texts, and nothing else', async () => {
    const packed = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(SHIPPED.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
    expect(paths.filter((path) => !SHIPPED.some((pattern) => pattern.test(path)))).toEqual([]);
  });
  test('runs and fetches nothing when it is installed', async () => {
    const manifest = await readJson<Record<string, object>>('package.json');
    expect(Object.keys(manifest).filter((key) => /ependencies$/.test(key))).toEqual(['devDependencies']);
    expect(Object.keys(manifest['scripts'] ?? {}).filter((name) => /(install|prepare)$/.test(name))).toEqual(
      [],
    );
  });
});

describe('SECURITY.md', () => {
  test('names tests that are there', async () => {
    const named = [...(await readFile('SECURITY.md', 'utf8')).matchAll(/test\/[\w./-]+\.test\.ts/g)];
    expect(named.length).toBeGreaterThan(12);
    expect(missingTests(named.map(([file]) => ({ file })))).toEqual([]);
  });
});
