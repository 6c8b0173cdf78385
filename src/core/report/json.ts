import { diagnosticsOf, documentOf, headOf } from '../plan/document.ts';
import { jsonForTerminal } from './escape.ts';
import { fileFromRoot, folderOf } from './from-root.ts';
import type { AcceptReport, Renderer, Report } from './report.ts';
import { commandOf } from './run-title.ts';
import { diffLines } from './text/acceptance.ts';

/** One JSON document: the format's version, the tool, the fields of the report, and all findings. */
export const renderJson: Renderer = (report, findings, { folder, now }) => {
  const from = folderOf(report, folder);
  const refs = report.kind === 'diff' ? [report.base, report.head].flatMap((each) => each?.ref ?? []) : [];
  const fromRoot = (file: string) => fileFromRoot(file, from, refs);
  if (report.kind === 'plan') {
    const command = commandOf(report) === 'apply' ? 'apply' : 'plan';
    return documentText(documentOf({ ...report, command, now, findings, fromRoot }));
  }
  const head = headOf(COMMANDS[report.kind], now);
  return documentText({ ...head, ...fieldsOf(report), diagnostics: diagnosticsOf(findings, fromRoot) });
};

const COMMANDS = {
  list: 'list',
  errors: 'errors',
  pull: 'pull',
  validation: 'validate',
  snapshot: 'snapshot',
  schema: 'schema',
  diff: 'diff',
  show: 'show',
  accept: 'accept',
  explanations: 'explain',
  none: 'plan',
} as const;

/** The text of a document. */
export function documentText(document: object): string {
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
}

/** The fields of a report's own; programs find `servers` in every document. */
function fieldsOf(report: Exclude<Report, { readonly kind: 'plan' }>): object {
  switch (report.kind) {
    case 'list':
    case 'errors':
    case 'pull':
      return { servers: report.servers };
    case 'validation': {
      const { files, integrations, valid, snapshots } = report;
      return { files, integrations, valid, snapshots, servers: [] };
    }
    case 'snapshot': {
      const { kind: _, document: __, ...counts } = report;
      return { snapshot: counts, servers: [] };
    }
    case 'schema':
      return { schema: report.schema, servers: [] };
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
