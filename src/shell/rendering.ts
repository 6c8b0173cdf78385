import type { Diagnostic } from '../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { commandNamed, type Document, documentOf, serverDocument } from '../core/plan/document.ts';
import { forLog } from '../core/report/escape.ts';
import { type Format, RENDERERS } from '../core/report/formats.ts';
import type { Mask } from '../core/report/mask.ts';
import type { Report, View } from '../core/report/report.ts';
import { fileFromRoot, pathInRepository } from './git-root.ts';

/** What a report is rendered with. */
interface Rendering {
  readonly mask: Mask;
  readonly view: View;
  readonly cwd: string;
  readonly command: string | undefined;
  /** When the report is made, in milliseconds. */
  readonly now: number;
}

/** A result and its findings in a format, without secrets. */
export async function rendered(
  report: Report | undefined,
  findings: readonly Diagnostic[],
  format: Format,
  rendering: Rendering,
): Promise<string> {
  const { mask } = rendering;
  const shown = report !== undefined && 'shown' in report ? report.shown : {};
  const view = { ...rendering.view, ...shown };
  if (report?.kind === 'lines' && format === 'text') return forLog(report.text(mask, view));
  const [render, document] = await Promise.all([
    RENDERERS[format](),
    documentFor(report, findings, rendering),
  ]);
  return render(document, view);
}

/** The document of a report; lists have other servers in it, and only JSON shows them. */
async function documentFor(
  report: Report | undefined,
  findings: readonly Diagnostic[],
  { mask, cwd, command, now }: Rendering,
): Promise<Document> {
  if (report?.kind === 'document') {
    const diagnostics = [...report.document.diagnostics, ...diagnosticDocuments(findings)];
    return mask.data({ ...report.document, diagnostics });
  }
  const folder = await pathInRepository(cwd);
  const document = documentOf({
    ...{ command: commandNamed(command), servers: [], now, findings },
    ...partsOf(report, findings),
    fromRoot: (file) => fileFromRoot(file, folder, refsIn(report)),
  });
  const { diagnostics, ...rest } = mask.data(document);
  return { ...rest, ...(report?.kind === 'lines' ? report.fields(mask) : {}), diagnostics };
}

/** The servers of a report, as its document has them. */
function partsOf(report: Report | undefined, findings: readonly Diagnostic[]) {
  if (report?.kind === 'diff') return { servers: report.servers, loosened: report.loosened };
  if (report?.kind !== 'changes') return {};
  const { command, servers, isComplete } = report;
  return { command, isComplete, servers: servers.map((plan) => serverDocument(plan, findings)) };
}

/** The refs that a file may be named after. */
function refsIn(report: Report | undefined): string[] {
  if (report?.kind !== 'diff') return [];
  return report.servers.flatMap(({ base, head }) => [base, head].flatMap((each) => each?.ref ?? []));
}
