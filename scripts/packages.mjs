// The packages whose code is in a bundle.
import { readFile } from 'node:fs/promises';

const LICENCE_FILES = [
  'LICENSE',
  'LICENSE.md',
  'LICENCE',
  'license',
  'LICENSE.txt',
];

/** The name, version, licence and integrity of each package that left code in an output of esbuild, in the order of their folders. */
export async function bundledPackages(metafiles) {
  const { packages: locked } = JSON.parse(
    await readFile('package-lock.json', 'utf8'),
  );
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    // The last folder of that name: a package may have packages of its own.
    .map(([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const folders = [
    ...new Set(inputs.filter((path) => path !== undefined)),
  ].sort();
  return Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(`${folder}/package.json`, 'utf8'),
      );
      return {
        name,
        version,
        license,
        integrity: locked[folder].integrity,
        text: await licence(folder),
      };
    }),
  );
}

async function licence(folder) {
  const texts = await Promise.all(
    LICENCE_FILES.map((file) =>
      readFile(`${folder}/${file}`, 'utf8').catch(() => undefined),
    ),
  );
  return (
    texts.find((found) => found !== undefined)?.trim() ??
    'No licence file in the package.'
  );
}
