import type { Diagnostic } from '../../findings/diagnostic.ts';
import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/integration-error.ts';
import { present } from '../../model/present.ts';
import { asOfTexts } from '../as-of.ts';
import { forLog, forTerminal, jsonForTerminal } from '../escape.ts';
import type { Paint } from '../paint.ts';
import type { ListedIntegration, Renderer, Report, View } from '../report.ts';
import { wrapWords } from '../wrap.ts';
import { renderAcceptance } from './acceptance.ts';
import { renderDiff } from './diff.ts';
import { renderExplanations } from './explanation.ts';
import { renderPlans } from './plan.ts';
import { renderPull } from './pull.ts';
import { renderShown } from './show.ts';
import { snapshotLines } from './snapshot.ts';

/** A report for a person. Findings are not part of it: they go to stderr. */
export const renderText: Renderer = (report, findings, view) =>
  forPrograms(report) ?? forLog(textOf(report, findings, view));

/** The lines of a document for programs; undefined for any other report. */
function forPrograms(report: Report): string | undefined {
  const document = report.kind === 'schema' ? report.schema : undefined;
  const made = report.kind === 'snapshot' ? report.document : document;
  return made && `${jsonForTerminal(JSON.stringify(made, null, 2))}\n`;
}

function textOf(report: Report, findings: readonly Diagnostic[], view: View): string {
  const { paint } = view;
  switch (report.kind) {
    case 'plan':
      return renderPlans(report.servers, {
        ...view,
        ...report.shown,
        ...present({ isApply: report.isApply }),
        findings,
      });
    case 'list':
      return byServer(report.servers, view, (server) =>
        [...asOfTexts([server]).map(paint.faint), renderList(server.integrations, paint)].join('\n\n'),
      );
    case 'errors':
      return byServer(report.servers, view, ({ errors }) => renderErrors(errors, paint));
    case 'pull':
      return byServer(report.servers, view, (pulled) => renderPull(pulled, view));
    case 'validation':
      return report.valid
        ? `${asOfTexts((report.snapshots ?? []).map((snapshot) => ({ snapshot })))
            .map((text) => `${text}\n`)
            .join(
              '',
            )}Valid: ${count(report.files, 'file')}, ${count(report.integrations, 'entry', 'entries')}.\n${report.unchecked ? UNCHECKED : ''}`
        : '';
    case 'diff':
      return renderDiff(report, { ...view, ...present({ full: report.full }) });
    case 'show':
      return renderShown(report, { ...view, full: report.full === true });
    case 'accept':
      return renderAcceptance(report, paint);
    case 'explanations':
      return renderExplanations(report.findings, view);
    case 'snapshot':
      return snapshotLines(report)
        .flatMap((line) => wrapWords(line.split(' '), view.width))
        .map((line) => `${line}\n`)
        .join('');
    case 'schema':
    case 'none':
      return '';
  }
}

/** The texts of several servers, each below its name; the text alone where there is one server. */
function byServer<S extends { readonly name: string }>(
  servers: readonly S[],
  { paint }: View,
  render: (server: S) => string,
): string {
  if (servers.length === 1) return servers.map(render).join('');
  return servers.map((each) => `${paint.strong(forTerminal(each.name))}\n\n${render(each)}`).join('\n');
}

/** The most characters that a column is padded to. */
const WIDEST = 100;

/** The columns of integrations. The ids come last and are never padded or cut. */
export const HEAD = ['STATUS', 'AUTOSUBSCRIBE', 'ERRORS', 'OPTIONS', 'NAME', 'ID'];

/** A table of integrations. Ends with a newline. */
function renderList(integrations: readonly ListedIntegration[], paint: Paint): string {
  const rows = integrations.map((each) => rowOf(each).map(forTerminal));
  const widths = HEAD.map((title, column) =>
    column === HEAD.length - 1
      ? 0
      : Math.min(WIDEST, Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  const isManaged = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  return [
    paint.strong(line(HEAD)),
    ...rows.map(line),
    '',
    `${count(integrations.length, 'integration')}.`,
    ...(isManaged ? ['OPTIONS: managed/all.'] : []),
    '',
  ].join('\n');
}

/** The cells of an integration, for these columns. For a sink they have to be escaped. */
export function rowOf({
  id,
  name,
  status,
  autosubscribe,
  errors,
  options,
  ...each
}: ListedIntegration): string[] {
  return [
    status ?? '-',
    autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no',
    errors === undefined ? '-' : `${errors}`,
    each.managedOptions === undefined ? `${options}` : `${each.managedOptions}/${options}`,
    name ?? '-',
    id,
  ];
}

/** Integration errors for a person, the latest last. Ends with a newline. */
function renderErrors(errors: readonly IntegrationError[], paint: Paint): string {
  const blocks = errors.flatMap(({ occurredOn, integration, status, code, title, detail, ...error }) => {
    const facts = `${count(error.count, 'time')}${status === null ? '' : `, HTTP ${status}`}`;
    const words = [...new Set([code, title, detail])].filter((word) => word !== '');
    return [
      `${forTerminal(occurredOn)}  ${paint.strong(forTerminal(integration))}  (${facts})`,
      ...words.map((word) => `  ${forTerminal(word)}`),
    ];
  });
  const space = blocks.length > 0 ? [''] : [];
  return [...blocks, ...space, `${count(errors.length, 'integration error')}.`, ''].join('\n');
}

const UNCHECKED = 'Option keys, types and choices were not checked: pass --catalog DIR or --live FILE.\n';
