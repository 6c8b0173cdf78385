/** undici does without HTTP/2 where Node lacks it. We never offer it to a server, and Node takes 4 ms to load it. */
export const withoutHttp2 = {
  name: 'without-http2',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/undici/') ? { path, namespace: 'without-http2' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'without-http2' }, () => ({ contents: 'exports.constants = {};' }));
  },
};
