import { referenceFindings } from './core/config/config.ts';
import type { WrittenConfig } from './core/config/entry.ts';
import {
  outsideReferences,
  type ResolvedConfig,
  referenceTable,
  resolveConfig,
} from './core/config/resolve.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  distinct,
} from './core/findings/diagnostic.ts';
import { hasErrors } from './core/findings/explain.ts';
import {
  decodeIntegrations,
  joinPages,
  type Page,
} from './core/live/integration.ts';
import {
  completed,
  isUnread,
  unsafeIds,
  wantedBy,
} from './core/live/sources.ts';
import { matchEntries } from './core/match/match.ts';
import type { DesiredIntegration } from './core/model/desired.ts';
import { globMatcher } from './core/model/glob.ts';
import { present } from './core/model/json.ts';
import type { LiveIntegration } from './core/model/live.ts';
import { ownCredentials } from './core/model/own-credential.ts';
import { reveal, type Secret } from './core/model/secret.ts';
import { unreadNote } from './core/plan/notes.ts';
import type { Document, Planned } from './core/plan/plan.ts';
import { planServer } from './core/plan/plan-server.ts';
import { refusals } from './core/plan/refusals.ts';
import type { Policy } from './core/plan/risk.ts';
import { unmetChoices } from './core/plan/unmet.ts';
import { documentOf } from './core/report/document.ts';
import { type Format, rendererOf } from './core/report/formats.ts';
import { masker } from './core/report/mask.ts';
import { PLAIN } from './core/report/report.ts';
import { renderFindings } from './core/report/text/findings.ts';
import { textParts } from './core/report/text/text.ts';

/** The library: functions over plain data; none reads files or servers. */
export { parseConfig as parse } from './core/config/config.ts';
export type { Checked, Diagnostic } from './core/findings/diagnostic.ts';
export type { LiveIntegration } from './core/model/live.ts';
export type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from './core/plan/plan.ts';
export type { Format } from './core/report/formats.ts';

/**
 * Decodes all answers to `GET /api/integrations?page[size]=100`, and any to
 * `GET /api/integrations/ID`: some servers have the values of options only
 * there. A list that may go on is an error.
 */
export function decode(
  pages: readonly unknown[],
  details: readonly unknown[] = [],
): Checked<readonly LiveIntegration[]> {
  const listed = decodeAll(pages);
  if (typeof listed === 'string') return badAnswer(listed);
  const detailed = decodeAll(details);
  if (typeof detailed === 'string') return badAnswer(detailed);
  const joined = joinPages(listed);
  if (typeof joined === 'string') {
    const facts = { list: 'integrations', problem: joined };
    return { diagnostics: [diagnostic('incomplete-read', facts)] };
  }
  const byId = new Map<string, LiveIntegration>();
  for (const { items } of detailed)
    for (const integration of items) byId.set(integration.id, integration);
  const integrations: LiveIntegration[] = [];
  for (const integration of joined) {
    const detail = byId.get(integration.id);
    integrations.push(detail ? completed(integration, detail) : integration);
  }
  return { value: integrations, diagnostics: [] };
}

/** Decodes answers; returns the problem of the first that cannot be. */
function decodeAll(
  bodies: readonly unknown[],
): readonly Page<LiveIntegration>[] | string {
  const pages: Page<LiveIntegration>[] = [];
  for (const body of bodies) {
    const page = decodeIntegrations(body);
    if (typeof page === 'string') return page;
    pages.push(page);
  }
  return pages;
}

function badAnswer(problem: string): Checked<never> {
  return { diagnostics: [diagnostic('bad-answer', { problem })] };
}

/** A configuration, the live state of a server, and choices. */
export interface PlanInput {
  /** The result of `parse`. */
  readonly config: Checked<WrittenConfig>;
  /** The result of `decode`. */
  readonly live: Checked<readonly LiveIntegration[]>;
  readonly server: { readonly name: string; readonly url: string };
  /** The values of `${env:NAME}`; empty ones count as missing. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** The texts of `${file:PATH}`, by path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** How risks are treated. */
  readonly policy?: Policy | undefined;
  /** A glob on the names and ids of the integrations to plan. */
  readonly only?: string | undefined;
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
}

/**
 * Compares a configuration with a live server: the document that all formats
 * are rendered from. Errors are among its `diagnostics`; no secret is in it.
 */
export function plan(input: PlanInput): Document {
  const { config, live, variables = {}, only } = input;
  const early = [...config.diagnostics, ...live.diagnostics];
  if (config.value === undefined || live.value === undefined)
    return planDocument(early, []);
  const wanted = outsideReferences(config.value);
  const files = givenFiles([...wanted.file.keys()], input.files ?? {});
  const references = referenceTable(wanted, variables, isReadable, files);
  const texts = [...references.env.values(), ...references.file.values()];
  const secrets = [...ownCredentials(variables), ...secretsIn(texts)];
  const resolved = resolveConfig(config.value, references);
  const isMeant = globMatcher(only ?? '*');
  const findings = distinct([
    ...early,
    ...referenceFindings(resolved, isMeant),
  ]);
  if (hasErrors(findings)) return planDocument(findings, secrets);
  const planned = planResolved(resolved, live.value, input);
  const all = [...findings, ...planned.diagnostics];
  return planDocument(all, secrets, planned);
}

/** A plan, and the findings of what its apply would refuse. */
interface GuardedPlan extends Planned {
  readonly refusals: readonly Diagnostic[];
}

/** Plans the server, and finds all that its apply would refuse. */
function planResolved(
  resolved: ResolvedConfig,
  live: readonly LiveIntegration[],
  input: PlanInput,
): GuardedPlan {
  const { policy, only, writeHidden } = input;
  const matched = matchEntries(resolved, live, only);
  const desired = matched.integrations;
  const planned = planServer({
    server: { ...input.server, policy, ...present({ only }) },
    desired,
    live,
    unread: unreadIn(desired, live),
    unmatched: matched.unmatched.length,
    reads: 0,
    writeHidden,
  });
  const names = resolved.map(({ name }) => name);
  const refused = refusals([planned.plan]);
  const diagnostics = [
    ...unmetChoices(input, names, [{ plan: planned.plan, desired, live }]),
    ...matched.diagnostics,
    ...planned.diagnostics,
    ...unreadNote([planned.plan]),
    ...refused,
  ];
  return { plan: planned.plan, diagnostics, refusals: refused };
}

/** Whether references may read a variable. */
function isReadable(variable: string): boolean {
  return variable.startsWith('SETPOINT_');
}

/** The text of a file, or why there is none. */
type GivenFile = { readonly text: string } | { readonly reason: string };

function givenFiles(
  paths: readonly string[],
  files: Readonly<Record<string, string>>,
): [string, GivenFile][] {
  return paths.map((path) => {
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    if (text === undefined) return [path, { reason: 'it was not given' }];
    return [path, { text }];
  });
}

/** The text of a reference, or why there is none. */
type ReferencedText =
  | { readonly text: Secret<string> }
  | { readonly reason: string };

function secretsIn(texts: readonly ReferencedText[]): string[] {
  const secrets: string[] = [];
  for (const reference of texts)
    if ('text' in reference) secrets.push(reveal(reference.text));
  return secrets;
}

/** Integrations that no request can name, or whose options are not known. */
function unreadIn(
  desired: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): ReadonlyMap<string, Diagnostic> {
  const byId = new Map(live.map((installed) => [installed.id, installed]));
  const unread = new Map<string, Diagnostic>();
  for (const integration of desired) {
    const { id } = integration;
    const installed = byId.get(id);
    if (installed === undefined) continue;
    const { keys } = wantedBy(id, integration.settings);
    if (!keys.some((key) => isUnread(key, installed))) continue;
    const problem = `the answers lack options of ${id}`;
    const hint = `Give the answer to GET /api/integrations/${id} as well.`;
    unread.set(id, diagnostic('bad-answer', { problem, hint }));
  }
  for (const [id, finding] of unsafeIds(desired)) unread.set(id, finding);
  return unread;
}

function planDocument(
  findings: readonly Diagnostic[],
  secrets: readonly string[],
  planned?: GuardedPlan,
): Document {
  const document = documentOf({
    command: 'plan',
    servers: planned === undefined ? [] : [planned.plan],
    isComplete: planned !== undefined,
    findings,
  });
  return masker(secrets).data(document);
}

/** Renders a document in a format of `--report`; text has its findings too. */
export async function render(
  document: Document,
  format: Format,
): Promise<string> {
  const view = { paint: PLAIN, width: 80 };
  if (format !== 'text') {
    const renderReport = await rendererOf(format);
    return renderReport(document, view);
  }
  const { changes, end } = textParts(document, view);
  const findings = renderFindings(document.diagnostics, {
    ...view,
    hasNotes: false,
    sources: new Map(),
    isBeforeTotal: true,
  });
  return `${changes}${findings}${end}`;
}
