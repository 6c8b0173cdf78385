import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain, withCleanFacts } from '../findings/explain.ts';
import type { Place } from '../model/place.ts';
import { planFingerprint } from '../plan/fingerprint.ts';
import { documentOf, FORMAT_VERSION } from '../plan/plan.ts';
import { jsonForTerminal } from './escape.ts';
import type { Report, View } from './report.ts';
import type { Scrub } from './secret.ts';

/** One JSON document: the format's version, the tool, the fields of the report, and all findings. */
export function renderJson(report: Report, findings: readonly Diagnostic[], { tool, scrub }: View): string {
  const diagnostics = [...findings].sort(compareDiagnostics).map((found) => diagnosticJson(found, scrub));
  const document = { formatVersion: FORMAT_VERSION, tool, ...fieldsOf(report), diagnostics };
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
}

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

function diagnosticJson(found: Diagnostic, scrub: Scrub): object {
  const { code, severity, message, hint, place, server } = explain(withCleanFacts(found, scrub));
  const { file, line, column }: Partial<Place> = place ?? {};
  // JSON leaves out what is undefined.
  return { code, severity, message, hint, server, file, line, column };
}
