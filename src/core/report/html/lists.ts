import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/integration-error.ts';
import type { ListedIntegration, Report } from '../report.ts';
import { HEAD, rowOf } from '../text/text.ts';
import { element, type Markup } from './element.ts';
import { table } from './table.ts';

/** What is installed on each server. */
export function listSections({ servers }: Report & { readonly kind: 'list' }): Markup[] {
  return servers.map(({ name, url, integrations }) =>
    serverSection(
      name,
      url,
      count(integrations.length, 'integration'),
      HEAD,
      integrations.map(integrationRow),
    ),
  );
}

/** The integration errors of each server, the latest last. */
export function errorSections({ servers }: Report & { readonly kind: 'errors' }): Markup[] {
  const titles = ['LAST', 'INTEGRATION', 'TIMES', 'HTTP', 'CODE', 'TITLE', 'DETAIL'];
  return servers.map(({ name, url, errors }) =>
    serverSection(name, url, count(errors.length, 'integration error'), titles, errors.map(errorRow)),
  );
}

function serverSection(
  name: string,
  url: string,
  verdict: string,
  titles: readonly string[],
  rows: readonly Markup[],
): Markup {
  return element(
    'section',
    { class: 'server texts', 'data-server': name },
    element('h2', {}, name, ' ', element('small', {}, url)),
    element('p', { class: 'verdict' }, `${verdict}.`),
    rows.length === 0 ? [] : table(titles, rows),
  );
}

function integrationRow(integration: ListedIntegration): Markup {
  return tableRow(rowOf(integration));
}

function errorRow(error: IntegrationError): Markup {
  const { occurredOn, integration, status, code, title, detail } = error;
  const http = status === null ? '-' : `${status}`;
  return tableRow([occurredOn, integration, `${error.count}`, http, code, title, detail]);
}

function tableRow(cells: readonly string[]): Markup {
  return element(
    'tr',
    { 'data-item': true },
    cells.map((cell) => element('td', {}, cell)),
  );
}
