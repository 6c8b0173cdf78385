import { hasErrors } from '../../core/findings/explain.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { configSchema } from '../../generated/config-schema.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { readWhole } from '../reconcile/live.ts';
import type { CommandBody, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';

/**
 * Prints the JSON Schema of the configuration: the plain one, or one for the
 * integrations of a catalog or of servers.
 */
export const schema: CommandBody = async (run) => {
  const { options } = run;
  const printed = await schemaOf(run, options);
  const report = linesReport({ schema: printed }, (data) =>
    jsonDocument(data.schema),
  );
  return { diagnostics: [], report };
};

async function schemaOf(run: Run, options: Options): Promise<object> {
  const { catalog, url, server } = options;
  const isLive = url !== undefined || server !== undefined;
  if (catalog !== undefined) {
    if (isLive) failUsage('Pass either --catalog or a server.');
    return tailoredSchema(await readCatalog(run, catalog));
  }
  if (!isLive) return configSchema;
  const { servers, diagnostics } = await findServers(run, options);
  if (hasErrors(diagnostics)) fail(...diagnostics);
  // A schema of only some integrations would mark what is right as wrong.
  return tailoredSchema(await readWhole(run, servers));
}
