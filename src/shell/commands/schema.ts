import type { LiveIntegration } from '../../core/model/live.ts';
import { present } from '../../core/model/present.ts';
import type { PlanSnapshot } from '../../core/plan/plan.ts';
import { snapshotText } from '../../core/report/change-words.ts';
import { jsonDocument } from '../../core/report/escape-sinks.ts';
import { linesReport } from '../../core/report/report.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { configSchema } from '../../generated/config-schema.ts';
import { allOrFail, Failure, failUsage } from '../failure.ts';
import { LiveReader } from '../http/live.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { refuseConnecting } from '../servers/offline.ts';
import { requireServers, type ServerOptions } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';
import { readCatalog } from '../sources/catalog.ts';
import { ageOf, readSnapshot } from '../sources/snapshot.ts';

interface SchemaOptions extends ServerOptions {
  readonly catalog?: string | undefined;
}

/** Prints the JSON Schema of the configuration: the plain one, or one for the integrations of a catalog or of servers. */
export function schema(options: SchemaOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { integrations, ages } = await integrationsAtHand(run, options);
    const made = integrations === undefined ? configSchema : tailoredSchema(integrations);
    const texts = (ages ?? []).map(({ takenAt }) => snapshotText(takenAt, undefined));
    // Stdout is the schema alone.
    if (options.quiet !== true) for (const text of texts) run.writer.log(text);
    return {
      diagnostics: [],
      report: {
        ...linesReport({ schema: made, ...present({ snapshots: ages }) }, ({ schema: shown }) =>
          jsonDocument(shown),
        ),
        isData: true,
      },
    };
  });
}

/** What a schema is made for; undefined where it is the plain one. */
interface AtHand {
  readonly integrations: readonly LiveIntegration[] | undefined;
  readonly ages?: readonly PlanSnapshot[];
}

async function integrationsAtHand(run: Run, options: SchemaOptions): Promise<AtHand> {
  const { catalog, url, server, live } = options;
  const isLive = url !== undefined || server !== undefined;
  if ([catalog !== undefined, isLive, live !== undefined].filter(Boolean).length > 1)
    failUsage('Pass either --catalog, --live or a server.');
  if (catalog !== undefined) return { integrations: await readCatalog(run, catalog) };
  if (live !== undefined) return readSnapshots(run, options, live);
  return { integrations: isLive ? await readServers(run, options) : undefined };
}

async function readSnapshots(run: Run, options: SchemaOptions, paths: readonly string[]): Promise<AtHand> {
  refuseConnecting(options);
  const snapshots = await allOrFail(paths.map((path) => readSnapshot(run, path)));
  return {
    integrations: snapshots.flatMap((snapshot) => liveOf(snapshot)),
    ages: snapshots.map((snapshot) => ageOf(snapshot, run.runtime.now())),
  };
}

/** All integrations of the selected servers; a schema of only some would mark what is right as wrong. */
async function readServers(run: Run, options: SchemaOptions): Promise<readonly LiveIntegration[]> {
  const servers = await requireServers(run, options);
  const results = await onServers(run, { ...options, mode: 'read' }, servers, ({ api }) =>
    new LiveReader(api, () => true).everything(),
  );
  const problems = results.flatMap(({ diagnostics }) => diagnostics);
  if (problems.length > 0) throw new Failure(problems);
  return results.flatMap(({ value }) => value ?? []);
}
