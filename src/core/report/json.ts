import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { type DiagnosticDocument, diagnosticDocument, explain } from '../findings/explain.ts';
import { planFingerprint } from '../plan/fingerprint.ts';
import { documentOf, FORMAT_VERSION, type ServerPlan } from '../plan/plan.ts';
import { jsonForTerminal } from './escape.ts';
import { folderOf } from './from-root.ts';
import type { AcceptReport, Renderer, Report, View } from './report.ts';
import { commandOf } from './run-title.ts';
import { diffLines } from './text/acceptance.ts';

/** One JSON document: the format's version, the tool, the fields of the report, and all findings. */
export const renderJson: Renderer = (report, findings, { tool, folder }) => {
  const sorted = [...findings].sort(compareDiagnostics);
  return documentText(tool, fieldsOf(report, sorted, folder), sorted.map(diagnosticDocument));
};

/** The text of a document with these fields of its own. */
export function documentText(
  tool: View['tool'],
  fields: object,
  diagnostics: readonly DiagnosticDocument[],
): string {
  const document = { formatVersion: FORMAT_VERSION, tool, ...fields, diagnostics };
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
}

/** The fields of a document of plans, before or after an apply: without the plans of all servers it has no identity, and cannot be applied. */
export function planFields(
  command: 'plan' | 'apply',
  servers: readonly ServerPlan<null>[],
  isComplete: boolean,
  refusals: readonly DiagnosticDocument[],
): object {
  return { command, fingerprint: isComplete ? planFingerprint(servers) : undefined, servers, refusals };
}

/** The fields of a report's own; programs find `servers` in every document. */
function fieldsOf(report: Report, findings: readonly Diagnostic[], folder: string): object {
  switch (report.kind) {
    case 'plan': {
      const refusals = findings.filter((found) => explain(found).exit === 'guard');
      const command = commandOf(report) === 'apply' ? 'apply' : 'plan';
      const servers = report.servers.map(documentOf);
      const fields = planFields(command, servers, report.isComplete, refusals.map(diagnosticDocument));
      const from = folderOf(report, folder);
      return { ...(from === '' ? {} : { folder: from }), ...fields };
    }
    case 'list':
    case 'errors':
    case 'pull':
      return { servers: report.servers };
    case 'validation': {
      const { files, integrations, valid, unchecked, snapshots } = report;
      return { files, integrations, valid, optionsChecked: unchecked !== true, snapshots, servers: [] };
    }
    case 'snapshot': {
      const { kind: _, document: __, ...counts } = report;
      return { snapshot: counts, servers: [] };
    }
    case 'schema':
      return { schema: report.schema, snapshots: report.snapshots, servers: [] };
    case 'diff':
      return {
        base: report.base,
        head: report.head ?? null,
        project: report.project ?? [],
        servers: report.servers,
      };
    case 'show': {
      const { servers, integrations, fields, uses, absent, leftOut } = report;
      return { servers, integrations, fields, uses, absent, leftOut };
    }
    case 'accept':
      return { isWritten: report.isWritten, files: report.files.map(acceptedFile), servers: report.servers };
    case 'explanations':
      return { findings: report.findings, servers: [] };
    case 'none':
      return { servers: [] };
  }
}

function acceptedFile({ path, isNew, diff, fields }: AcceptReport['files'][number]) {
  return { path, isNew, fields, diff: diffLines(diff) };
}
