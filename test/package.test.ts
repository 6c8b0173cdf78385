import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { missingTests } from './support/named-tests.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly { readonly content: string }[];
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string }>
  >;
}

const readJson = async <T>(path: string) =>
  JSON.parse(await readFile(path, 'utf8')) as T;
const fullName = ({ group, name }: Component) =>
  group === undefined ? name : `${group}/${name}`;

test('the inventory of the bundle names every package in it, as the lock file has it, and no other', async () => {
  const { components } = await readJson<{ components: readonly Component[] }>(
    'dist/sbom.cdx.json',
  );
  expect(components.map(fullName)).toEqual(await bundledNames());
  const { packages } = await readJson<Lock>('package-lock.json');
  for (const each of components) {
    const locked = packages[`node_modules/${fullName(each)}`];
    const content = Buffer.from(
      locked?.integrity.replace('sha512-', '') ?? '',
      'base64',
    ).toString('hex');
    expect(each.version).toEqual(locked?.version);
    expect(each.hashes.map((hash) => hash.content)).toEqual([content]);
  }
  const texts = (await readFile('THIRD-PARTY.md', 'utf8')).matchAll(
    /^## (\S+) (\S+) \(/gm,
  );
  expect([...texts].map(([, name, version]) => `${name}@${version}`)).toEqual(
    components.map((each) => `${fullName(each)}@${each.version}`),
  );
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
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  );
  const names = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(
      ([path]) =>
        /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? 'ours',
    );
  expect(inputs.map(([path]) => path)).toContain(
    'src/generated/config-validator.js',
  );
  return [...new Set([...names, 'ajv'])]
    .filter((name) => name !== 'ours')
    .sort();
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
  /^dist\/types\/(index|library\/[a-z-]+|core\/[a-z]+\/[a-z-]+|generated\/[a-z]+-types)\.d\.ts$/,
];

describe('the package', () => {
  test('ships the bundle, its types, the schemas and three texts, and nothing else', async () => {
    const packed = await promisify(execFile)('npm', [
      'pack',
      '--dry-run',
      '--json',
      '--ignore-scripts',
    ]);
    const [{ files }] = JSON.parse(packed.stdout) as [
      { files: { path: string }[] },
    ];
    const paths = files.map(({ path }) => path);
    expect(
      SHIPPED.filter((pattern) => !paths.some((path) => pattern.test(path))),
    ).toEqual([]);
    expect(
      paths.filter((path) => !SHIPPED.some((pattern) => pattern.test(path))),
    ).toEqual([]);
  });
  test('runs and fetches nothing when it is installed', async () => {
    const { scripts = {}, ...manifest } =
      await readJson<Record<string, object>>('package.json');
    expect(
      Object.keys(manifest).filter((key) => /ependencies$/.test(key)),
    ).toEqual(['devDependencies']);
    expect(
      Object.keys(scripts).filter((name) => /(install|prepare)$/.test(name)),
    ).toEqual([]);
  });
});

test('SECURITY.md names tests that are there', async () => {
  const named = [
    ...(await readFile('SECURITY.md', 'utf8')).matchAll(
      /test\/[\w./-]+\.test\.ts/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(12);
  expect(missingTests(named.map(([file]) => ({ file })))).toEqual([]);
});
