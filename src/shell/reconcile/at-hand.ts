import { type Diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { matchCatalog } from '../../core/match/catalog.ts';
import { matchEntries } from '../../core/match/match.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { present } from '../../core/model/present.ts';
import { described } from '../../core/show/described.ts';
import { type Inventory, type KnownServer, Targets } from '../../core/show/known.ts';
import type { LeftOut } from '../../core/show/shown.ts';
import { askedFindings, wantedFor } from '../../core/show/subject.ts';
import type { ExchangeError } from '../http/exchange-error.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { Server } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { readCatalog } from '../sources/catalog.ts';
import type { InstalledReader } from '../sources/snapshot.ts';
import { type Configured, type ConfiguredOptions, readConfigured } from './configured.ts';
import { readInstalled } from './installed.ts';

/** What a run knows of all servers, and what it found on the way. */
interface AtHand {
  readonly servers: readonly KnownServer[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is at hand of each server: its configuration, and what is installed as far as words ask for it. */
export async function serversAtHand(
  run: Run,
  options: ConfiguredOptions,
  words: readonly string[],
): Promise<AtHand> {
  const { configured, leftOut, diagnostics } = await readConfigured(run, options);
  const { catalog: folder } = options;
  const catalog = folder === undefined ? undefined : await readCatalog(run, folder);
  const asked = configured.flatMap((each) =>
    each.asked === undefined ? [] : { ...each.asked, configured: each },
  );
  const read = (reader: InstalledReader, server: Asked) => readAsked(reader, server, words, catalog);
  const results = await onServers(run, { ...options, mode: 'read' }, asked, ({ api }, server) =>
    read(new LiveReader(api, () => true), server),
  );
  const isAsked = new Set(asked.map(({ name }) => name));
  const byName = new Map(results.map(({ server, value }) => [server.name, value]));
  const stocks = configured.map((each) =>
    isAsked.has(each.name) ? byName.get(each.name) : withoutServer(each, words, catalog),
  );
  const servers = configured.map((each, index): KnownServer => {
    const stock = stocks[index];
    const live = stock?.live ?? (isAsked.has(each.name) ? 'unread' : 'not-asked');
    return { ...headOf(each), live, ...present({ inventory: stock?.inventory }) };
  });
  const offline = configured.flatMap(({ name }, index) => {
    const found = isAsked.has(name) ? [] : (stocks[index]?.diagnostics ?? []);
    return configured.length > 1 ? found.map((each) => onServer(each, name)) : found;
  });
  return { servers, leftOut, diagnostics: [...diagnostics, ...findingsOn(results), ...offline] };
}

function headOf({ name, url, layers, config }: Configured) {
  return { name, ...present({ url }), layerNames: layers.map(({ path }) => path), config };
}

/** What is installed on one server, and what is wrong with what was asked for. */
interface Stock extends Pick<KnownServer, 'live'> {
  readonly inventory: Inventory;
  readonly diagnostics: readonly Diagnostic[];
}

/** A server that is asked. */
type Asked = Server & { readonly configured: Configured };

/** Reads the list of a server, and all of what words ask for. */
async function readAsked(
  reader: InstalledReader,
  { configured }: Asked,
  words: readonly string[],
  catalog: readonly LiveIntegration[] | undefined,
): Promise<Stock> {
  const { resolved } = configured.config;
  const match = (live: readonly LiveIntegration[]) => matchEntries(resolved, live);
  const { listed, matched } = await readInstalled(reader, match);
  const { value: desired, unmet } = matched;
  const inventory = {
    installed: listed,
    desired: desired.integrations,
    unmet,
  };
  const server: KnownServer = { ...headOf(configured), live: 'read', inventory };
  const wanted = wantedFor(words, { server, targets: new Targets(server) });
  const unread: Diagnostic[] = [];
  const safe = wanted.filter(({ id }) => isPathSafe(id));
  const onUnread = (_: string, error: ExchangeError) => unread.push(error.diagnostic);
  const live = await reader.complete(listed, safe, onUnread);
  const installed = catalog === undefined ? live : described(live, catalog);
  const found = [...unmet.map(({ finding }) => finding), ...matched.diagnostics];
  return {
    live: 'read',
    inventory: { ...inventory, installed },
    diagnostics: [...askedFindings(words, found, configured.config), ...unread],
  };
}

/** What is known of a server that nobody asks: the integrations of a catalog, as they would be installed. */
function withoutServer(
  { config }: Configured,
  words: readonly string[],
  catalog: readonly LiveIntegration[] | undefined,
): Stock | undefined {
  if (catalog === undefined) return undefined;
  const { value: desired, installed, unmet, diagnostics } = matchCatalog(config.resolved, catalog);
  return {
    live: 'catalog',
    inventory: { installed, desired: desired.integrations, unmet },
    diagnostics: askedFindings(words, diagnostics, config),
  };
}
