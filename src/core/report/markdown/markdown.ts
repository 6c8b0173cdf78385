import type { Diagnostic } from '../../findings/diagnostic.ts';
import { hasErrors } from '../../findings/explain.ts';
import type { Clean } from '../clean.ts';
import { withoutCommands } from '../escape.ts';
import { fenced } from '../escape-sinks.ts';
import { PLAIN } from '../paint.ts';
import type { Renderer, Report, View } from '../report.ts';
import { renderText } from '../text/text.ts';
import { differenceBlocks, differenceHead } from './diff.ts';
import { findingBlocks, riskBlocks } from './findings.ts';
import { type Block, pageOf } from './page.ts';
import { planBlocks, planHead } from './plan.ts';

/**
 * A report for a comment on a pull request, in GitHub's Markdown. Its first line is a hidden mark of its kind, by which a
 * comment is found again. Foreign text stands in code spans and fences alone.
 */
export const renderMarkdown: Renderer = (report, findings, view) =>
  withoutCommands(pageOf(`<!-- setpoint ${report.kind} -->`, ...contentOf(report, findings, view)));

/** A page in parts. */
type Content = readonly [head: readonly string[], blocks: readonly Block[]];

function contentOf(report: Clean<Report>, findings: Clean<readonly Diagnostic[]>, view: View): Content {
  const found = findingBlocks(findings);
  switch (report.kind) {
    case 'plan':
      return [planHead(report), [...riskBlocks(report.servers), ...found, ...planBlocks(report.servers)]];
    case 'diff':
      return [differenceHead(report), [...found, ...differenceBlocks(report)]];
    case 'none':
      return [[`## setpoint${hasErrors(findings) ? ': ended early, because of errors' : ''}`], found];
    default:
      return [
        [`## setpoint ${report.kind}`],
        [...found, ...textBlocks(renderText(report, findings, pageView(view)))],
      ];
  }
}

/** Text is laid out for a page, without colours. */
function pageView(view: View): View {
  return { ...view, paint: PLAIN, width: 120 };
}

/** Lines of text in one fence. */
const FENCE_LINES = 100;

/** What has no form of its own in Markdown: its text, in fences. */
function textBlocks(text: string): Block[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (text === '') return [];
  const parts = Array.from({ length: Math.ceil(lines.length / FENCE_LINES) }, (_, index) =>
    lines.slice(index * FENCE_LINES, (index + 1) * FENCE_LINES),
  );
  return parts.map((part) => ({ text: fenced(part, 'text'), of: 'line', count: part.length }));
}
