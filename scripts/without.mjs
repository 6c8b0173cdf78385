import { readFile } from 'node:fs/promises';

/** Leaves out of a bundle what its packages load and no run needs. */
export const without = {
  name: 'without',
  setup({ onResolve, onLoad }) {
    // undici does without HTTP/2 where Node lacks it. We never offer it to a server, and Node takes 4 ms to load it.
    onResolve({ filter: /^node:http2$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/undici/')
        ? { path, namespace: 'without' }
        : undefined,
    );
    // Its index would load fetch, WebSocket, mocks and caches as well, half of all that a plan loads.
    onLoad({ filter: /\/undici\/index\.js$/ }, () => ({ contents: UNDICI }));
    // Nothing here has the YAML library write, or read YAML 1.1.
    onLoad({ filter: UNUSED_YAML }, async ({ path }) => ({
      contents: withoutBodies(await readFile(path, 'utf8')),
    }));
    // commander starts programs for commands that we do not have.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/commander/')
        ? { path, namespace: 'without' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'without' }, () => ({
      contents: 'exports.constants = {};',
    }));
  },
};

const UNUSED_YAML =
  /\/yaml\/browser\/dist\/(stringify\/\w+|doc\/(anchors|applyReviver|createNode)|schema\/json\/schema|schema\/yaml-1\.1\/(binary|bool|float|int|omap|pairs|schema|set|timestamp))\.js$/;

/** The parts of undici that are used. As in its index, proxies connect by what its prototype gets. */
const UNDICI = `
  Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
  exports.Agent = require('./lib/dispatcher/agent');
  exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
  exports.Pool = require('./lib/dispatcher/pool');
  exports.buildConnector = require('./lib/core/connect');
`;

/** A module whose exported functions fail. */
function withoutBodies(source) {
  const names = [...source.matchAll(/^export \{ ([^}]*) \};$/gm)].flatMap(
    ([, list]) => list.split(', '),
  );
  return names
    .map((name) => `export function ${name}() { throw new Error('left out'); }`)
    .join('\n');
}
