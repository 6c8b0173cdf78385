import { compareDiagnostics } from '../core/findings/diagnostic.ts';
import { grouped } from '../core/model/grouped.ts';
import type { Place } from '../core/model/place.ts';
import { present } from '../core/model/present.ts';
import { VERSION } from '../core/model/version.ts';
import { headOf } from '../core/plan/document.ts';
import { isNothingPlanned } from '../core/plan/left-out.ts';
import { shownPlan } from '../core/plan/plan.ts';
import { refusals } from '../core/plan/refusals.ts';
import { misfitIn, planOf } from '../core/plan/saved.ts';
import { cleaned } from '../core/report/clean.ts';
import { forTerminal } from '../core/report/escape.ts';
import { documentText } from '../core/report/json.ts';
import { PLAIN } from '../core/report/paint.ts';
import type { Report as CleanReport, PlanShown } from '../core/report/report.ts';
import { renderGroups } from '../core/report/text/diagnostics.ts';
import { renderText } from '../core/report/text/text.ts';
import { type Scrubber, scrubber } from '../core/scrub/scrubber.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Planned } from './plan.ts';
import { below, count, fields, flag, list, optional, refuse, type Shape, text, word } from './shape.ts';

/** What is rendered: the plans of any number of servers, and findings. */
export interface Report {
  /** One for each server, undefined where it has none; absent where nothing was to be planned. */
  readonly plans?: readonly Planned['plan'][] | undefined;
  /** Those of setpoint, of a gate, or both. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How it is rendered. */
export interface RenderOptions {
  /** Columns of a line of text, 40 at least; 80 where it is absent. */
  readonly width?: number | undefined;
  /** Whether text has each change by itself, in full. */
  readonly full?: boolean | undefined;
  /** Whether text has the requests that an apply would send. */
  readonly requests?: boolean | undefined;
  /** Whether text has notes too, beside errors and warnings. */
  readonly notes?: boolean | undefined;
  /** What must not be in it, beside the secrets that `plan` took out: for findings of a gate that knows more. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * Renders plans and findings: `text` for people, without colours, plans before findings; `json` as the document that
 * `schemas/plan.schema.json` describes, which `setpoint apply` takes where all servers have plans. No line can be read as a
 * command by a CI runner. Ends with a newline unless it is empty. Throws a TypeError with the name of
 * the argument where one is not of the documented shape, as for an unknown format, and nothing else.
 */
export function render(report: Report, format: 'text' | 'json', options: RenderOptions = {}): string {
  checkReport(report, 'report');
  checkFormat(format, 'format');
  checkOptions(options, 'options');
  const known = scrubber(options.secrets ?? []);
  const diagnostics = cleaned(report.diagnostics, known).toSorted(byPlace);
  const plans = planReport(report, present({ full: options.full, requests: options.requests }));
  if (format === 'json') {
    const servers = cleaned(report.plans ?? [], known).filter((each) => each !== undefined);
    const complete = servers.length === report.plans?.length;
    return documentText({ ...headOf('plan'), complete, servers, diagnostics });
  }
  const texts = [planText(plans, known, options), findingsText(diagnostics, options)];
  return texts.filter((text) => text !== '').join('\n');
}

const TOOL = { name: 'setpoint', version: VERSION };

/** The shape of a plan is that of its document. */
const planShape: Shape = (value, name) => {
  const keys = misfitIn(value);
  if (keys !== undefined) refuse(below(name, keys), 'as schemas/plan.schema.json describes it');
};

const findingShape = fields({
  code: text,
  severity: word('error', 'warning', 'note'),
  message: text,
  hint: optional(text),
  server: optional(text),
  integrations: optional(list(text)),
  file: optional(text),
  line: optional(count),
  column: optional(count),
  endColumn: optional(count),
});

const checkReport = fields({ plans: optional(list(optional(planShape))), diagnostics: list(findingShape) });
const checkFormat = word('text', 'json');
const checkOptions = fields({
  width: optional(count),
  full: optional(flag),
  requests: optional(flag),
  notes: optional(flag),
  secrets: optional(list(text)),
});

/** The plans as commands report them. */
function planReport({ plans = [] }: Report, shown: PlanShown) {
  const made = plans.flatMap((each) => (each === undefined ? [] : shownPlan(planOf(each))));
  const servers = isNothingPlanned(made) ? [] : made;
  return { kind: 'plan', servers, isComplete: made.length === plans.length, shown } as const;
}

function planText(report: ReturnType<typeof planReport>, known: Scrubber, { width }: RenderOptions): string {
  const refused = refusals(
    report.servers.map((each) => ({ plan: each, size: each })),
    {},
    'plan',
  );
  return renderText(cleaned<CleanReport>(report, known), cleaned(refused, known), {
    paint: PLAIN,
    width: columnsOf(width),
    folder: '',
    tool: TOOL,
  });
}

/** The width of lines: as at a terminal, narrower ones are not narrower. */
function columnsOf(width = 80): number {
  return Math.max(40, width);
}

/** Findings without the lines that they are about; the same on several servers once, with their names. */
function findingsText(found: readonly Diagnostic[], { width, notes = false }: RenderOptions): string {
  const told = found.filter(({ severity }) => notes || severity !== 'note');
  const groups = [...grouped(told, ({ server: _, ...same }) => JSON.stringify(same)).values()];
  const worded = groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { code, severity, message, hint } = first;
    const servers = [first, ...others].flatMap(({ server }) => server ?? []);
    return [{ code: forTerminal(code), severity, message, hint, place: placeOf(first), servers, others: [] }];
  });
  return renderGroups(worded, {
    paint: PLAIN,
    width: columnsOf(width),
    notes,
    find: () => [],
    sources: new Map(),
  });
}

function placeOf({ file, line = 1, column = 1 }: Diagnostic): Place | undefined {
  return file === undefined ? undefined : { file, line, column };
}

/** The order of findings in documents. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const ordered = (found: Diagnostic) => ({
    code: found.code,
    ...present({ server: found.server, place: placeOf(found) }),
  });
  return compareDiagnostics(ordered(a), ordered(b));
}
