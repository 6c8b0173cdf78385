import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { explain, withCleanFacts } from '../findings/explain.ts';
import { FORMAT_VERSION } from '../plan/plan.ts';
import { jsonForTerminal } from './escape.ts';
import type { Scrub } from './secret.ts';

/** What wrote a document. */
export interface Tool {
  readonly name: 'setpoint';
  readonly version: string;
}

/** One JSON document of any command: the format's version, the tool, the command's own fields, and all findings. */
export function renderJson(
  tool: Tool,
  body: object,
  diagnostics: readonly Diagnostic[],
  scrub: Scrub,
): string {
  const findings = [...diagnostics].sort(compareDiagnostics).map((found) => diagnosticJson(found, scrub));
  const document = { formatVersion: FORMAT_VERSION, tool, ...body, diagnostics: findings };
  return `${jsonForTerminal(JSON.stringify(document, null, 2))}\n`;
}

function diagnosticJson(found: Diagnostic, scrub: Scrub): object {
  const { code, severity, message, hint, place, server } = explain(withCleanFacts(found, scrub));
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(server === undefined ? {} : { server }),
    ...(place === undefined ? {} : { file: place.file, line: place.line, column: place.column }),
  };
}
