import type { WrittenConfig } from './core/config/entry.ts';
import { resolveConfig } from './core/config/resolve.ts';
import type { Checked } from './core/findings/diagnostic.ts';
import { unsafeIds } from './core/live/sources.ts';
import { matchEntries } from './core/match/match.ts';
import { unreadNote } from './core/plan/notes.ts';
import type { Document } from './core/plan/plan-document.ts';
import { planServer } from './core/plan/plan-server.ts';
import { refusals } from './core/plan/refusals.ts';
import type { Policy } from './core/plan/risk.ts';
import { documentOf } from './core/report/document.ts';
import { FORMATS, type Format, rendererOf } from './core/report/formats.ts';
import { PLAIN } from './core/report/report.ts';
import { renderFindings } from './core/report/text/findings.ts';
import { renderText } from './core/report/text/text.ts';
import type { TakenServer } from './core/snapshot/snapshot.ts';

/** The library: functions over plain data; none reads files or servers. */
export { parseConfig as parse } from './core/config/config.ts';
export type { Checked, Diagnostic } from './core/findings/diagnostic.ts';
export type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from './core/plan/plan-document.ts';
export type { Format } from './core/report/formats.ts';
export {
  decodeSnapshot as decode,
  type TakenServer,
} from './core/snapshot/snapshot.ts';

/**
 * Plans a parsed configuration against a decoded snapshot: the document that
 * all formats are rendered from. It knows no variables, so it notes references
 * and compares nothing with them.
 */
export function plan(
  { value: config, diagnostics }: Checked<WrittenConfig>,
  { server, takenAt, live }: TakenServer,
  policy?: Policy,
): Document {
  if (config === undefined) {
    return documentOf({
      command: 'plan',
      findings: diagnostics,
      isComplete: false,
    });
  }
  const matched = matchEntries(resolveConfig(config), live);
  const planned = planServer({
    server: { ...server, policy, snapshot: { takenAt } },
    desired: matched.integrations,
    live,
    unread: new Map(unsafeIds(matched.integrations)),
    unmatched: matched.unmatched.length,
    reads: 0,
  });
  const plans = [planned.plan];
  return documentOf({
    command: 'plan',
    servers: plans,
    isComplete: true,
    findings: [
      ...diagnostics,
      ...matched.diagnostics,
      ...planned.diagnostics,
      ...unreadNote(plans),
      ...refusals(plans),
    ],
  });
}

/** Renders a document in a format of `--report`; text has its findings too. */
export async function render(
  document: Document,
  format: Format,
): Promise<string> {
  if (!FORMATS.includes(format)) {
    throw new TypeError(`format must be one of ${FORMATS.join(', ')}`);
  }
  const view = { paint: PLAIN, width: 80 };
  if (format !== 'text') {
    const renderReport = await rendererOf(format);
    return renderReport(document, view);
  }
  const findings = renderFindings(document.diagnostics, {
    ...view,
    sources: new Map(),
    isBeforeTotal: true,
  });
  return renderText(document, view, findings);
}
