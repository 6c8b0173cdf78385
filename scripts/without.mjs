import { readFile } from 'node:fs/promises';

/** Leaves out of a bundle what its packages load and no run needs. */
export const without = {
  name: 'without',
  setup({ onResolve, onLoad }) {
    // undici does without HTTP/2 where Node lacks it. We never offer it to a server, and Node takes 4 ms to load it.
    onResolve({ filter: /^node:http2$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/undici/') ? { path, namespace: 'without' } : undefined,
    );
    // Its index would load fetch, WebSocket, mocks and caches as well, half of all that a plan loads.
    onLoad({ filter: /\/undici\/index\.js$/ }, () => ({ contents: UNDICI }));
    // Files are read, and new text is written in place: the library itself writes nothing.
    onLoad({ filter: /\/yaml\/browser\/dist\/stringify\/\w+\.js$/ }, () => ({ contents: YAML_WRITING }));
    // commander starts programs for commands that we do not have.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/commander/') ? { path, namespace: 'without' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'without' }, () => ({ contents: 'exports.constants = {};' }));
    // fdir would run any picomatch that it finds beside the installed program. tinyglobby gives it matchers of its own.
    onLoad({ filter: /\/fdir\/dist\/index\.mjs$/ }, async ({ path }) => ({
      contents: withoutLookup(await readFile(path, 'utf8')),
    }));
  },
};

/** The parts of undici that are used. As in its index, proxies connect by what its prototype gets. */
const UNDICI = `
  Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
  exports.Agent = require('./lib/dispatcher/agent');
  exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
  exports.Pool = require('./lib/dispatcher/pool');
  exports.buildConnector = require('./lib/core/connect');
`;

/** What the nodes of the YAML library name to write themselves. */
const YAML_WRITING = `
  const none = () => { throw new Error('YAML is only read'); };
  export {
    none as createStringifyContext, none as stringify, none as stringifyCollection, none as stringifyDocument,
    none as stringifyNumber, none as stringifyPair, none as stringifyString,
  };
`;

function withoutLookup(source) {
  const lookup =
    /try \{\s*__require\.resolve\("picomatch"\);\s*pm = __require\("picomatch"\);\s*\} catch \{\}/;
  if (!lookup.test(source))
    throw new Error('fdir looks for picomatch in another way: adapt scripts/without.mjs');
  return source.replace(lookup, '');
}
