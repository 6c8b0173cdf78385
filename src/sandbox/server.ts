import type { RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { parse } from 'yaml';
import { optionId } from '../core/model/ids.ts';
import { isRecord } from '../core/model/json.ts';
import { originGuard } from './access/origin.ts';
import { createRights } from './access/rights.ts';
import { Sessions } from './access/sessions.ts';
import { createApp } from './app.ts';
import { type CatalogEntry, type CatalogSource, readCatalog } from './catalog/catalog.ts';
import { type Exchange, watchExchanges } from './exchange.ts';
import { globMatcher } from './glob.ts';
import { serveHttp } from './http-server.ts';
import type { Service } from './service.ts';
import type { SandboxSettings } from './settings.ts';
import { type DataFile, openDataFile } from './state/data-file.ts';
import { changed, installed } from './state/integration-state.ts';
import { Store } from './state/store.ts';
import { Refusal, refusal } from './wire/refusal.ts';
import { failure, respond } from './wire/respond.ts';

export interface SandboxOptions extends CatalogSource {
  /** A folder with `*.json` or `<integration>/config/config.json`. */
  readonly catalog: string;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly settings: SandboxSettings;
  /** The file that keeps the state; without it, the state ends with the process. */
  readonly dataFile?: string;
  /** Seconds for which a token is valid. */
  readonly tokenLifetime?: number;
  /** Globs on ids: integrations that are not running and refuse changes of their options. */
  readonly stopped?: readonly string[];
  /** Globs on ids: integrations that report an error after each change. */
  readonly raiseErrors?: readonly string[];
  /** Globs on option keys or option ids: while one of these has no value, its integration refuses changes of options. */
  readonly require?: readonly string[];
  /** The text of the OpenAPI description at /api/openapi; without it that address is 404. */
  readonly openapi?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Receives every error behind an answer of 500 or 503. */
  readonly onFault?: (error: unknown) => void;
}

export interface RunningSandbox {
  /** Such as `http://127.0.0.1:4711`, without a slash at the end. */
  readonly url: string;
  /** Accepts no more requests, answers those in flight, and resolves when connections and files are closed. */
  close(): Promise<void>;
}

/** The default lifetime of a token, in seconds. */
const TOKEN_LIFETIME = 24 * 60 * 60;

/** Starts the service and resolves when it listens. Rejects with a SandboxError where a user can fix the reason. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const catalog = await readCatalog(options.catalog, options);
  const dataFile =
    options.dataFile === undefined ? undefined : await openDataFile(options.dataFile, options.read);
  try {
    const service = createService(options, createStore(options, catalog, dataFile));
    const server = await serveHttp(createListener(service, options), options.host, options.port);
    return {
      url: server.url,
      async close() {
        await server.close();
        await dataFile?.close();
      },
    };
  } catch (error) {
    await dataFile?.close();
    throw error;
  }
}

/** The integrations of the catalog with the changes in the data file. */
function createStore(
  options: SandboxOptions,
  catalog: readonly CatalogEntry[],
  dataFile: DataFile | undefined,
): Store {
  const isStopped = globMatcher(options.stopped);
  const integrations = catalog.map((entry) => {
    const fresh = installed(entry, isStopped(entry.id) ? options.settings.stoppedStatus : 'running');
    const change = dataFile?.changes.get(entry.id);
    return change === undefined ? fresh : changed(fresh, change);
  });
  return new Store(integrations, dataFile);
}

function createService(options: SandboxOptions, store: Store): Service {
  const { settings, now, tokenLifetime = TOKEN_LIFETIME } = options;
  const isRequired = globMatcher(options.require);
  return {
    store,
    settings,
    rights: createRights(settings),
    sessions: new Sessions(now, tokenLifetime),
    listedTexts: new WeakMap(),
    now,
    raisesErrors: globMatcher(options.raiseErrors),
    isRequired: (integrationId, key) => isRequired(key) || isRequired(optionId(integrationId, key)),
  };
}

function createListener(service: Service, options: SandboxOptions): RequestListener {
  const { openapi, now, onExchange, onFault } = options;
  const watch = watchExchanges(now, onExchange ?? (() => {}));
  const description: unknown = openapi === undefined ? undefined : parse(openapi);
  const document = isRecord(description) ? description : undefined;
  const app = createApp(service, document, originGuard(options.host), (context, error) => {
    const { incoming, outgoing } = context.env;
    watch.answered(incoming, outgoing.statusCode, context.get('body'));
    if (error !== undefined && !(error instanceof Refusal)) onFault?.(error);
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: () => {} });
  const refuseUnanswered = (outgoing: ServerResponse) => {
    if (!outgoing.headersSent) respond(outgoing, failure(refusal(400, 'The request is not valid HTTP.')));
  };
  return (incoming, outgoing) => {
    watch.arrived(incoming, outgoing);
    answer(incoming, outgoing)
      .then(() => refuseUnanswered(outgoing))
      .catch((error: unknown) => onFault?.(error));
  };
}
