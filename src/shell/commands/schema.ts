import { hasErrors } from '../../core/findings/explain.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { configSchema } from '../../generated/config-schema.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { readWhole } from '../reconcile/plan.ts';
import type { CommandBody, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';

/** Prints the JSON Schema of the configuration: the plain one, or one for the integrations of a catalog or of servers. */
export const schema: CommandBody = async (run, options) => {
  const { catalog, url, server } = options;
  const isLive = url !== undefined || server !== undefined;
  if (catalog !== undefined && isLive)
    failUsage('Pass either --catalog or a server.');
  const made =
    catalog === undefined && !isLive
      ? configSchema
      : tailoredSchema(
          await (catalog === undefined
            ? installed(run, options)
            : readCatalog(run, catalog)),
        );
  const report = linesReport({ schema: made }, ({ schema: shown }) =>
    jsonDocument(shown),
  );
  return { diagnostics: [], report };
};

/** All integrations of the selected servers; a schema of only some would mark what is right as wrong. */
async function installed(
  run: Run,
  options: Options,
): Promise<readonly LiveIntegration[]> {
  const { servers, diagnostics } = await findServers(run, options);
  return hasErrors(diagnostics)
    ? fail(...diagnostics)
    : readWhole(run, options, servers);
}
