import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { without } from '../scripts/without.mjs';

/** Bundles a program of this folder like setpoint, so that neither pays for more; returns the path of the bundle. */
export function program(name, folder) {
  return bundled(name, join(folder, name.replace(/mjs$/, 'cjs')), 'cjs');
}

/** Bundles a module of this folder; returns the path of the bundle. */
export function module(name, folder) {
  return bundled(name, join(folder, name), 'esm');
}

/** The build of the yaml library that setpoint bundles. */
const YAML = fileURLToPath(
  new URL('../node_modules/yaml/browser/dist/index.js', import.meta.url),
);

const BANNER =
  "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

async function bundled(name, outfile, format) {
  await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    ...(format === 'esm' ? { banner: { js: BANNER } } : {}),
    target: 'node20.18',
    alias: { yaml: YAML },
    plugins: [without],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return outfile;
}
