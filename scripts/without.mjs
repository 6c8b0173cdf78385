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
    // Nor is any form sent, for which it has a part of fetch.
    onLoad(
      {
        filter: /\/undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/,
      },
      () => ({
        contents: '',
      }),
    );
    // Its index would load fetch, WebSocket, mocks and caches as well, half of all that a plan loads.
    onLoad({ filter: /\/undici\/index\.js$/ }, () => ({ contents: UNDICI }));
    // What it sets up is for globs that are more than stars, which few runs have.
    onLoad({ filter: /\/picomatch\/index\.js$/ }, () => ({
      contents: `module.exports = (...args) => require('./lib/picomatch')(...args);`,
    }));
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

/** The parts of undici that are used, those of proxies where there is one: they connect by what its prototype gets. */
const UNDICI = `
  const { prototype } = require('./lib/dispatcher/dispatcher');
  prototype.request = require('./lib/api/api-request');
  prototype.connect = require('./lib/api/api-connect');
  exports.Agent = require('./lib/dispatcher/agent');
  Object.defineProperty(exports, 'EnvHttpProxyAgent', {
    enumerable: true,
    get: () => require('./lib/dispatcher/env-http-proxy-agent'),
  });
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
