import type { Diagnostic } from '../findings/diagnostic.ts';
import { count } from './count.ts';
import { renderErrors } from './errors-text.ts';
import { forTerminal, jsonForTerminal } from './escape.ts';
import { renderList } from './list-text.ts';
import { renderPlans } from './plan-text.ts';
import type { Report, View } from './report.ts';

/** A report for a person. Findings are not part of it: they go to stderr. */
export function renderText(report: Report, _findings: readonly Diagnostic[], view: View): string {
  const { paint } = view;
  switch (report.kind) {
    case 'plan':
      return renderPlans(report.servers, { ...view, showRequests: report.showRequests ?? false });
    case 'list':
      return byServer(report.servers, view, ({ integrations }) => renderList(integrations, paint));
    case 'errors':
      return byServer(report.servers, view, ({ errors }) => renderErrors(errors, paint));
    case 'validation':
      return report.valid
        ? `Valid: ${count(report.files, 'file')}, ${count(report.integrations, 'entry', 'entries')}.\n`
        : '';
    case 'schema':
      return `${jsonForTerminal(JSON.stringify(report.schema, null, 2))}\n`;
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
