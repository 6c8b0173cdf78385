import { compareFindings } from '../core/findings/explain.ts';
import { present } from '../core/model/present.ts';
import { type Document, headOf } from '../core/plan/document.ts';
import { renderGithub } from '../core/report/ci/github.ts';
import { renderGitlab } from '../core/report/ci/gitlab.ts';
import { renderJunit } from '../core/report/ci/junit.ts';
import { renderSarif } from '../core/report/ci/sarif.ts';
import { jsonDocument } from '../core/report/escape-sinks.ts';
import type { Format } from '../core/report/formats.ts';
import { masker } from '../core/report/mask.ts';
import { renderHtml } from '../core/report/page/html.ts';
import { renderMarkdown } from '../core/report/page/markdown.ts';
import { PLAIN } from '../core/report/paint.ts';
import type { Renderer } from '../core/report/report.ts';
import { renderFindings } from '../core/report/text/diagnostics.ts';
import { renderText } from '../core/report/text/plan.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Planned } from './plan.ts';

/** What is rendered: the plans of any number of servers, and findings. */
export interface Report {
  /** One for each server, undefined if it has none; absent if nothing was to be planned. */
  readonly plans?: readonly Planned['plan'][] | undefined;
  /** Those of setpoint, of a gate, or both. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How it is rendered. */
export interface RenderOptions {
  /** Columns of a line of text, at least 40; 80 if it is absent. */
  readonly width?: number | undefined;
  /** Whether text has each integration by itself, in full. */
  readonly full?: boolean | undefined;
  /** Whether text has notes too. */
  readonly notes?: boolean | undefined;
  /** What is masked, besides the secrets that `plan` took out: for findings of a gate that knows more. */
  readonly secrets?: readonly string[] | undefined;
}

const RENDERERS: Readonly<Record<Exclude<Format, 'text'>, Renderer>> = {
  json: jsonDocument,
  html: renderHtml,
  markdown: renderMarkdown,
  github: renderGithub,
  gitlab: renderGitlab,
  junit: renderJunit,
  sarif: renderSarif,
};

/**
 * Renders plans and findings as the commands do: `text` for people, plans before findings; `json` as the document that
 * `schemas/plan.schema.json` describes, which `setpoint apply` takes; or any other format of `--report`.
 */
export function render(report: Report, format: Format, options: RenderOptions = {}): string {
  const { plans, diagnostics } = report;
  const { width = 80, full = false, notes = false, secrets = [] } = options;
  const document = masker(secrets).data<Document>({
    ...headOf('plan'),
    ...present({ complete: plans?.every((each) => each !== undefined) }),
    servers: plans?.filter((each) => each !== undefined) ?? [],
    diagnostics: diagnostics.toSorted(compareFindings),
  });
  const view = { paint: PLAIN, width: Math.max(40, width), full };
  if (format !== 'text') return RENDERERS[format](document, view);
  const findings = renderFindings(document.diagnostics, { ...view, notes, sources: new Map() });
  const texts = [renderText(document, view), findings];
  return texts.filter((text) => text !== '').join('\n');
}
