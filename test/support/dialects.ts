import { startSandbox } from '../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../src/sandbox/service.ts';
import { startRewriter } from './rewriter.ts';
import { rewritesOf } from './rewrites.ts';

/** The points that the API document leaves open, with the answers that servers may give. The first is that of the sandbox. */
export const OPEN_POINTS = {
  /** 2.2, 4.5: where option values are. */
  dialect: ['included', 'inline', 'detail', 'options'],
  /** 2.4: how a password reads back. */
  passwords: ['clear', 'masked', 'null', 'absent', 'empty'],
  /** 2.4, 4.5: values wherever options have attributes, or only where one integration is read. */
  values: ['everywhere', 'detail'],
  /** 2.4: how an option reads that was never set. */
  unsetValues: ['default', 'absent'],
  /** 2.4: whether numbers and booleans keep their type. */
  store: ['typed', 'strings'],
  /** 2.4: a select as an object; as a text, with objects taken too; or as a text, with objects refused. */
  selects: ['objects', 'strings', 'strings-only'],
  /** 2.4: whether options are served with their permission flags. */
  flags: ['served', 'absent'],
  /** 4.7, 4.8: the type that a PATCH may name. */
  acceptType: ['both', 'plural', 'singular'],
  /** 2.1, 5: where a login's answer has `expiration_time`. */
  expiration: ['data', 'top', 'meta'],
  /** 3: whether the old token stays valid after a refresh. */
  refresh: ['keeps', 'replaces'],
  /** 4.3: the body of the answer to a logout. */
  logoutAnswer: ['document', 'empty'],
  /** 4.7, 4.8: the body of the answer to a PATCH. */
  patchAnswer: ['document', 'empty'],
  /** 7: the status of a well-formed PATCH that is refused. */
  refusalStatus: ['422', '400', '409'],
  /** 7: how an error points at the option that caused it. */
  pointer: ['index', 'key', 'none'],
  /** 7: whether an error repeats the value that it refuses. */
  echo: ['nothing', 'value'],
  /** 7: the status of a request without a token. */
  missingTokenStatus: ['401', '403', '400', '404'],
  /** 5: who may read integrations. */
  readers: ['everyone', 'managers'],
  /** 4.4: the number of the first page. */
  firstPage: ['1', '0'],
  /** 2.2, 8: whether the link to options serves all at once, or pages. */
  optionPages: ['whole', 'numbered'],
  /** 1, 9: whether any `Accept` is served, or only JSON. */
  accept: ['any', 'json'],
  /** 7: the form of an error. */
  errorBody: ['errors', 'error', 'message', 'text', 'empty'],
  /** 1, 9: the media type of answers. */
  answerType: ['api', 'json', 'text', 'none'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

type OpenPoints = typeof OPEN_POINTS;

/** What a server answers; what is left out is as the sandbox has it. */
export type Dialect = { readonly [Name in keyof OpenPoints]?: OpenPoints[Name][number] | undefined } & {
  /** 8: the maximum page size. */
  readonly maxPageSize?: number;
  /** 8: every request of this number is answered with 429. */
  readonly refuseEvery?: number;
  /** 5: globs on the ids of what integration managers may change. */
  readonly managerScope?: readonly string[];
  /** 7: globs on the ids of options that refuse every change. */
  readonly refuses?: readonly string[];
  /** 4.6: globs on the ids of integrations that report errors; all without it. */
  readonly errorsOf?: readonly string[];
};

/** What of a dialect the sandbox itself can do; a proxy takes masked passwords away. */
function settingsOf({ dialect = 'included', passwords = 'clear' }: Dialect) {
  return {
    dialect,
    passwords: passwords === 'null' || passwords === 'absent' ? 'masked' : passwords,
  } as const;
}

export const EXAMPLE_CATALOG = 'examples/catalog';

/** Where a sandbox runs, if nothing else is said: on a free port, with the example catalog and the real clock. */
const USUAL = { catalog: EXAMPLE_CATALOG, host: '127.0.0.1', port: 0, now: Date.now };

/** Starts a sandbox, behind a proxy if the dialect needs one. Exchanges are those of the client. */
export async function startDialect(
  { onExchange, ...wish }: Partial<Omit<SandboxOptions, 'dialect' | 'passwords'>>,
  dialect: Dialect = {},
): ReturnType<typeof startSandbox> {
  const options = { ...USUAL, ...wish, ...settingsOf(dialect) };
  const rewrites = rewritesOf(dialect);
  if (rewrites.length === 0)
    return startSandbox({ ...options, ...(onExchange === undefined ? {} : { onExchange }) });
  const sandbox = await startSandbox(options);
  const proxy = await startRewriter(sandbox.url, rewrites, onExchange);
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
  };
}
