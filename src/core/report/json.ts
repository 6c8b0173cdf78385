import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import type { Place } from '../model/place.ts';
import { planFingerprint } from '../plan/fingerprint.ts';
import { documentOf, FORMAT_VERSION } from '../plan/plan.ts';
import { jsonForTerminal } from './escape.ts';
import type { Renderer, Report } from './report.ts';

/** One JSON document: the format's version, the tool, the fields of the report, and all findings. */
export const renderJson: Renderer = (report, findings, { tool }) => {
  const sorted = [...findings].sort(compareDiagnostics);
  const diagnostics = sorted.map(diagnosticJson);
  const document = { formatVersion: FORMAT_VERSION, tool, ...fieldsOf(report, sorted), diagnostics };
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
};

/** The fields of a report's own; programs find `servers` in every document. */
function fieldsOf(report: Report, findings: readonly Diagnostic[]): object {
  switch (report.kind) {
    case 'plan': {
      const servers = report.servers.map(documentOf);
      // Only the plan of all servers can be applied.
      const fingerprint = report.isComplete ? planFingerprint(servers) : undefined;
      const refusals = findings.filter((found) => explain(found).exit === 'guard').map(diagnosticJson);
      return { fingerprint, servers, refusals };
    }
    case 'list':
    case 'errors':
      return { servers: report.servers };
    case 'validation':
      return { files: report.files, integrations: report.integrations, valid: report.valid, servers: [] };
    case 'schema':
      return { schema: report.schema, servers: [] };
    case 'none':
      return { servers: [] };
  }
}

function diagnosticJson(found: Diagnostic): object {
  const { code, severity, message, hint, place, server } = explain(found);
  const { file, line, column }: Partial<Place> = place ?? {};
  // JSON leaves out what is undefined.
  return { code, severity, message, hint, server, file, line, column };
}
