import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import type { Place } from '../model/place.ts';
import { planFingerprint } from '../plan/fingerprint.ts';
import { documentOf, FORMAT_VERSION } from '../plan/plan.ts';
import { jsonForTerminal } from './escape.ts';
import type { Renderer, Report } from './report.ts';

/** One JSON document: the format's version, the tool, the fields of the report, and all findings. */
export const renderJson: Renderer = (report, findings, { tool }) => {
  const diagnostics = [...findings].sort(compareDiagnostics).map(diagnosticJson);
  const document = { formatVersion: FORMAT_VERSION, tool, ...fieldsOf(report), diagnostics };
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
};

/** The fields of a report's own; programs find `servers` in every document. */
function fieldsOf(report: Report): object {
  switch (report.kind) {
    case 'plan': {
      const servers = report.servers.map(documentOf);
      // Only the plan of all servers can be applied.
      return { fingerprint: report.isComplete ? planFingerprint(servers) : undefined, servers };
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
