import { renderPage } from '../src/core/report/page/page.ts';
import { PLAIN } from '../src/core/report/report.ts';
import { largePlan } from '../test/support/documents.ts';

/** The page of a plan of one server, ten changes an integration. */
export function largePage(changes) {
  const integrations = Math.ceil(changes / 10);
  const document = largePlan({ servers: 1, integrations, changes: 10 });
  return renderPage(document, { paint: PLAIN, width: 80 });
}
