import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import type { Diagnostic } from '../../findings/diagnostic.ts';
import { count } from '../../findings/words.ts';
import { LABEL_NAMES } from '../../plan/label.ts';
import { RISK_NAMES, type Risk } from '../../plan/risk.ts';
import { asOfTexts } from '../as-of.ts';
import { limitTexts } from '../limits.ts';
import { PLAIN } from '../paint.ts';
import { refusalLines } from '../plan-summary.ts';
import type { PlanReport, Renderer, Report, View } from '../report.ts';
import { commandOf, titleOf } from '../run-title.ts';
import { acceptanceSummary, renderAcceptance } from '../text/acceptance.ts';
import { HIDDEN_WORDS, hidesValues, revisionText } from '../text/diff.ts';
import { renderExplanations } from '../text/explanation.ts';
import { renderPull } from '../text/pull.ts';
import { renderShown } from '../text/show.ts';
import { snapshotLines } from '../text/snapshot.ts';
import { type Child, element, inlined, type Markup, page, voidElement } from './element.ts';
import { findingsSection } from './findings.ts';
import { lines } from './lines.ts';
import { errorSections, listSections } from './lists.ts';
import { planSections } from './plan.ts';
import { differencesIn, revisionSections, revisionsTitle } from './revisions.ts';
import { matrixSection, risksSection, totalsSection } from './totals.ts';
import { unseenSection } from './untold.ts';

/** A report as one page for a browser: it loads nothing, and runs nothing but the script that is in it. */
export const renderHtml: Renderer = (report, findings, { tool }) => {
  const { title, ...parts } = contentOf(report, findings);
  const body = element(
    'body',
    {},
    element('header', {}, headline(title, parts.about ?? [], tool)),
    parts.isFiltered === true ? controls(report) : [],
    element('main', {}, parts.first ?? [], findingsSection(findings), parts.rest ?? []),
    inlined('script', reportScript.text),
  );
  return page(element('html', { lang: 'en' }, head(`${tool.name}: ${title}`), body));
};

/** What a page shows; findings stand between its two parts. */
interface Content {
  readonly title: string;
  /** Lines below the title. */
  readonly about?: readonly string[];
  readonly first?: readonly Child[];
  readonly rest?: readonly Child[];
  /** Whether there is something to filter. */
  readonly isFiltered?: boolean;
}

function contentOf(report: Report, findings: readonly Diagnostic[]): Content {
  switch (report.kind) {
    case 'plan':
      return planContent(report, findings);
    case 'diff': {
      const { servers } = report;
      const differences = differencesIn(report);
      return {
        title: `Diff: ${count(differences, 'difference')} on ${count(servers.length, 'server')}`,
        about: [revisionsTitle(report), ...(hidesValues(report) ? [HIDDEN_WORDS] : [])],
        rest: revisionSections(report),
        isFiltered: differences > 0,
      };
    }
    case 'list': {
      const about = asOfTexts(report.servers);
      return { title: 'Installed integrations', about, rest: listSections(report), isFiltered: true };
    }
    case 'errors':
      return { title: 'Integration errors', rest: errorSections(report), isFiltered: true };
    case 'validation': {
      const counts = `${count(report.files, 'file')}, ${count(report.integrations, 'entry', 'entries')}`;
      return { title: `${report.valid ? 'Valid' : 'Not valid'}: ${counts}` };
    }
    case 'snapshot':
      return { title: 'Snapshot', about: snapshotLines(report) };
    case 'schema':
      return { title: 'JSON Schema', rest: [textLines(JSON.stringify(report.schema, null, 2))] };
    case 'pull': {
      const texts = report.servers.map((pulled) => renderPull(pulled, { paint: PLAIN, width: 80 }));
      return { title: 'Pulled', rest: texts.map(textLines) };
    }
    case 'show': {
      const text = renderShown(report, { paint: PLAIN, width: 100, full: report.full === true });
      return { title: 'What is there', rest: [textLines(text)] };
    }
    case 'accept':
      return { title: acceptanceSummary(report), rest: [textLines(renderAcceptance(report))] };
    case 'explanations': {
      const text = renderExplanations(report.findings, { paint: PLAIN, width: 80 });
      return { title: 'Findings explained', rest: [textLines(text)] };
    }
    case 'none':
      return { title: findings.length === 0 ? 'Nothing to report' : 'Nothing but findings' };
  }
}

function textLines(text: string): Markup {
  return lines(text.trimEnd().split('\n'));
}

function planContent(report: PlanReport, findings: readonly Diagnostic[]): Content {
  const { servers } = report;
  const isApply = commandOf(report) === 'apply';
  const bases = servers.flatMap(({ base }) => (base === undefined ? [] : [revisionText(base)]));
  return {
    title: `${isApply ? 'Apply' : 'Plan'}: ${titleOf(report)}`,
    about: [
      ...asOfTexts(servers),
      ...limitTexts(servers, (text) => text),
      ...(bases.length === 0 ? [] : [`Compared with ${[...new Set(bases)].join(', ')}.`]),
      ...(isApply ? [] : refusalLines(findings)),
    ],
    first: [unseenSection(servers), risksSection(servers)],
    rest: [servers.length === 0 ? [] : totalsSection(servers), matrixSection(servers), planSections(servers)],
    isFiltered: servers.length > 0,
  };
}

function head(title: string): Markup {
  const policy = [
    "default-src 'none'",
    `style-src '${reportStyle.hash}'`,
    `script-src '${reportScript.hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return element(
    'head',
    {},
    voidElement('meta', { charset: 'utf-8' }),
    voidElement('meta', { 'http-equiv': 'Content-Security-Policy', content: policy.join('; ') }),
    voidElement('meta', { name: 'referrer', content: 'no-referrer' }),
    voidElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, title),
    inlined('style', reportStyle.text),
  );
}

function headline(title: string, about: readonly string[], tool: View['tool']): Child[] {
  return [
    element('h1', {}, title),
    about.map((line) => element('p', {}, line)),
    element('p', { class: 'tool' }, `${tool.name} ${tool.version}`),
    element('button', { id: 'theme', type: 'button', hidden: true }, 'Theme: auto'),
  ];
}

/** What narrows a page; the script shows it. */
function controls(report: Report): Markup {
  const risks = risksIn(report);
  const hasGroups = report.kind === 'plan' || report.kind === 'diff';
  return element(
    'div',
    { id: 'controls', role: 'search', hidden: true },
    voidElement('input', {
      id: 'query',
      type: 'search',
      placeholder: 'Filter (press /)',
      'aria-label': 'Filter by text',
    }),
    choice('label', 'Label', labelsIn(report)),
    choice('risk', 'Risk', risks.length === 0 ? [] : ['any risk', ...risks]),
    hasGroups
      ? [
          element('button', { id: 'open', type: 'button' }, 'Open all'),
          element('button', { id: 'close', type: 'button' }, 'Close all'),
        ]
      : [],
    element('output', { id: 'count', for: 'query label risk' }),
  );
}

function choice(id: string, title: string, words: readonly string[]): Child {
  if (words.length === 0) return [];
  const options = words.map((word) => element('option', { value: word }, word));
  return element(
    'select',
    { id, 'aria-label': `Filter by ${id}` },
    element('option', { value: '' }, `${title}: all`),
    options,
  );
}

/** The labels that fields have, in the order of their table; none without a base. */
function labelsIn(report: Report): string[] {
  if (report.kind !== 'plan') return [];
  return LABEL_NAMES.filter((label) =>
    report.servers.some(({ summary }) => (summary.labels?.[label] ?? 0) > 0),
  );
}

/** The risks that differences have, in the order of their table. */
function risksIn(report: Report): string[] {
  const risks = new Set(differencesOf(report).flatMap((each) => each.risks));
  return RISK_NAMES.filter((risk) => risks.has(risk));
}

function differencesOf(report: Report): readonly { readonly risks: readonly Risk[] }[] {
  if (report.kind === 'plan')
    return report.servers.flatMap(({ integrations }) => integrations.flatMap(({ changes }) => changes));
  if (report.kind === 'diff')
    return report.servers.flatMap(({ entries }) => entries.flatMap(({ fields }) => fields));
  return [];
}
