import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Bundles a module of this folder like the program, so that neither pays for more files; returns the path of the bundle. */
export async function bundled(name, folder) {
  const outfile = join(folder, name);
  await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    banner: { js: BANNER },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return outfile;
}
