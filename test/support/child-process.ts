import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles a TypeScript module into a folder, as Node 20 cannot run it as it is; gives the path of the bundle. */
export async function bundled(entryPoint: string, folder: string): Promise<string> {
  const outfile = join(folder, 'child.mjs');
  const banner = {
    js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url),__filename=import.meta.url;",
  };
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    banner,
    logLevel: 'error',
  });
  return outfile;
}

/** A process that tells its address in the first line of its output. */
export interface Child {
  readonly process: ChildProcess;
  /** The address; undefined where the process ended before it told one. */
  readonly url: Promise<string | undefined>;
  /** What it wrote to stderr so far. */
  readonly errors: () => string;
  /** Ends it at once, as a loss of power would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a bundle in a process of its own. */
export function startChild(bundle: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const written: string[] = [];
  child.stderr.on('data', (chunk) => written.push(String(chunk)));
  const line = once(child.stdout, 'data').then(([chunk]) => String(chunk).trim());
  return {
    process: child,
    url: Promise.race([line, exited.then(() => undefined)]),
    errors: () => written.join(''),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
