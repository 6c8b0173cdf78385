import type { LiveIntegration } from '../../core/model/live.ts';
import { jsonDocument } from '../../core/report/escape-sinks.ts';
import { linesReport } from '../../core/report/report.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { configSchema } from '../../generated/config-schema.ts';
import { Failure, failUsage } from '../failure.ts';
import { LiveReader } from '../http/live.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { requireServers, type ServerOptions } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';
import { readCatalog } from '../sources/catalog.ts';

interface SchemaOptions extends ServerOptions {
  readonly catalog?: string | undefined;
}

/** Prints the JSON Schema of the configuration: the plain one, or one for the integrations of a catalog or of servers. */
export function schema(options: SchemaOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const integrations = await integrationsAtHand(run, options);
    const made = integrations === undefined ? configSchema : tailoredSchema(integrations);
    const report = linesReport({ schema: made }, ({ schema: shown }) => jsonDocument(shown));
    return { diagnostics: [], report: { ...report, isData: true } };
  });
}

/** What a schema is made for; undefined for the plain one. */
async function integrationsAtHand(
  run: Run,
  options: SchemaOptions,
): Promise<readonly LiveIntegration[] | undefined> {
  const { catalog, url, server } = options;
  const isLive = url !== undefined || server !== undefined;
  if (catalog !== undefined && isLive) failUsage('Pass either --catalog or a server.');
  if (catalog !== undefined) return readCatalog(run, catalog);
  return isLive ? readServers(run, options) : undefined;
}

/** All integrations of the selected servers; a schema of only some would mark what is right as wrong. */
async function readServers(run: Run, options: SchemaOptions): Promise<readonly LiveIntegration[]> {
  const servers = await requireServers(run, options);
  const results = await onServers(run, { ...options, mode: 'read' }, servers, ({ api }) =>
    new LiveReader(api, {}).everything(),
  );
  const problems = results.flatMap(({ diagnostics }) => diagnostics);
  if (problems.length > 0) throw new Failure(problems);
  return results.flatMap(({ value }) => value ?? []);
}
