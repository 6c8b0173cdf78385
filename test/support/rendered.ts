import { withShownTexts } from '../../src/core/config/hidden.ts';
import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../src/core/findings/explain.ts';
import type { Sources } from '../../src/core/model/place.ts';
import type { Document } from '../../src/core/plan/plan-document.ts';
import {
  FORMATS,
  type Format,
  rendererOf,
} from '../../src/core/report/formats.ts';
import { masker } from '../../src/core/report/mask.ts';
import { PLAIN, type View } from '../../src/core/report/report.ts';
import {
  type FindingsView,
  renderFindings,
} from '../../src/core/report/text/findings.ts';

export { FORMATS };

/** All formats, loaded. */
const LOADED = new Map(
  await Promise.all(
    FORMATS.map(async (each) => [each, await rendererOf(each)] as const),
  ),
);

const VIEW = { paint: PLAIN, width: 80 };

/** A document in one format. */
export function rendered(
  format: Format,
  document: Document,
  view: Partial<View> = {},
): string {
  const render = LOADED.get(format);
  if (render === undefined) throw new Error(`no format ${format}`);
  return render(document, { ...VIEW, ...view });
}

/** How findings are shown, with the texts of files. */
export interface FindingsWish extends Partial<FindingsView> {
  readonly sources: Sources;
}

/** Findings as a run that knows some secrets shows them. */
export function renderedFindings(
  findings: readonly Diagnostic[],
  view: FindingsWish,
  secrets: readonly string[] = [],
): string {
  const { data, text } = masker(secrets);
  return text(
    renderFindings(data(diagnosticDocuments(findings)), {
      ...VIEW,
      verbose: true,
      ...view,
      sources: withShownTexts(view.sources, findings),
    }),
  );
}
