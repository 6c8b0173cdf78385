import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The parts of the program, each a file that is loaded as a whole, and whose code it finds there; the last takes what no other does. */
const PARTS = [
  // What `validate`, the help and completion need.
  {
    name: 'base',
    pattern:
      /\/shell\/(program|run-command|failure|commands\/(validate|completion))\.ts$/,
    needs: [],
  },
  // What `validate` needs besides to show findings, and to check a project, a catalog or a snapshot.
  {
    name: 'servers',
    pattern:
      /\/(reconcile\/fit|servers\/server|sources\/project|report\/document|text\/findings|commands\/explain)\.ts$/,
    needs: ['base'],
  },
  {
    name: 'plan',
    pattern: /\/(commands\/(plan|apply)|http\/transport|text\/text)\.ts$/,
    needs: ['base', 'servers'],
  },
  {
    name: 'saved',
    pattern: /\/core\/(plan\/saved|snapshot\/snapshot)\.ts$/,
    needs: ['base'],
  },
  {
    name: 'pages',
    pattern: /\/core\/report\/(page|comment|pipelines)\//,
    needs: ['base', 'servers', 'plan'],
  },
  { name: 'sandbox', pattern: /\/commands\/sandbox\.ts$/, needs: ['base'] },
  { name: 'rest', pattern: /./, needs: ['base', 'servers', 'plan'] },
];

const LAZY = /import\('(\.[^']+\.ts)'\)/g;

/** Loads modules of the sources lazily by parts: each file more is one that a start reads. */
export const parts = {
  name: 'parts',
  async setup({ onLoad, onResolve }) {
    const files = await lazyFiles();
    const partOf = (file) =>
      PARTS.find(({ pattern }) => pattern.test(file)).name;
    onResolve({ filter: /^part:/ }, ({ path }) => ({
      path: path.slice('part:'.length),
      namespace: 'part',
    }));
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => {
      const own = files.filter((file) => partOf(file) === path);
      const lines = own.map(
        (file) =>
          `export * as m${files.indexOf(file)} from ${JSON.stringify(file)};`,
      );
      // All of a part is in one file then: the others find it there, and nothing of it is in a file that some share.
      const { needs } = PARTS.find(({ name }) => name === path);
      lines.unshift(...needs.map((name) => `import 'part:${name}';`));
      return { contents: lines.join('\n'), resolveDir: resolve('.') };
    });
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(LAZY, (_, target) => {
        const file = resolve(path, '..', target);
        return `import('part:${partOf(file)}').then((part) => part.m${files.indexOf(file)})`;
      });
      return { contents, loader: 'ts' };
    });
  },
};

/** The modules of the sources that others import lazily. */
async function lazyFiles() {
  const paths = (await readdir('src', { recursive: true })).filter((path) =>
    path.endsWith('.ts'),
  );
  const found = await Promise.all(
    paths.map(async (path) => {
      const targets = [
        ...(await readFile(join('src', path), 'utf8')).matchAll(LAZY),
      ];
      return targets.map(([, target]) => resolve('src', path, '..', target));
    }),
  );
  return [...new Set(found.flat())].sort();
}
