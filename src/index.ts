import { missingReferences, oddReferences } from './core/config/config.ts';
import type { WrittenConfig } from './core/config/entry.ts';
import {
  outsideReferences,
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
import { decodeIntegrations, joinPages } from './core/live/integration.ts';
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
import { reveal } from './core/model/secret.ts';
import { unmetChoices } from './core/plan/choice.ts';
import type { Document, ServerPlan } from './core/plan/plan.ts';
import { planServer } from './core/plan/plan-server.ts';
import { refusals } from './core/plan/refusals.ts';
import type { Policy } from './core/plan/risk.ts';
import { documentOf } from './core/report/document.ts';
import { type Format, rendererOf } from './core/report/formats.ts';
import { masker } from './core/report/mask.ts';
import { PLAIN } from './core/report/report.ts';
import { renderFindings } from './core/report/text/diagnostics.ts';

/** The library: what the program computes, as functions over plain data. None reads a file, an environment or a server. */
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
 * Decodes all answers to `GET /api/integrations?page[size]=100`, and any to `GET /api/integrations/ID`: some servers have the
 * values of options only there. A list that may go on is an error.
 */
export function decode(
  pages: readonly unknown[],
  details: readonly unknown[] = [],
): Checked<readonly LiveIntegration[]> {
  const found = [pages, details].map((bodies) =>
    bodies.map((body) => decodeIntegrations(body)),
  );
  const problem = found.flat().find((each) => typeof each === 'string');
  if (problem !== undefined)
    return { diagnostics: [diagnostic('bad-answer', { problem })] };
  const [list = [], more = []] = found.map((each) =>
    each.filter((page) => typeof page !== 'string'),
  );
  const joined = joinPages(list);
  if (typeof joined === 'string')
    return {
      diagnostics: [
        diagnostic('incomplete-read', {
          list: 'integrations',
          problem: joined,
        }),
      ],
    };
  const known = new Map(
    more.flatMap(({ items }) => items).map((each) => [each.id, each]),
  );
  return {
    value: joined.map((each) => completed(each, known.get(each.id) ?? each)),
    diagnostics: [],
  };
}

/** What a plan is made from. */
export interface PlanInput {
  /** What `parse` made. */
  readonly config: Checked<WrittenConfig>;
  /** What `decode` made. */
  readonly live: Checked<readonly LiveIntegration[]>;
  readonly server: { readonly name: string; readonly url: string };
  /** The values of `${env:NAME}`, such as `process.env`. Empty ones count as missing. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The texts of `${file:PATH}`, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** How risks are treated. */
  readonly policy?: Policy;
  /** A glob on the names and ids of the integrations to plan. */
  readonly only?: string | undefined;
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
}

/** Compares a configuration with what is live on one server: the document that every format is made from, without secrets. */
export function plan(input: PlanInput): Document {
  const { config, live, variables = {}, files = {}, only } = input;
  const early = [...config.diagnostics, ...live.diagnostics];
  if (config.value === undefined || live.value === undefined)
    return documented(early, []);
  const wanted = outsideReferences(config.value);
  const given = [...wanted.file.keys()].map((path) => {
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    return [
      path,
      text === undefined ? { reason: 'it was not given' } : { text },
    ] as const;
  });
  const table = referenceTable(
    wanted,
    variables,
    (name) => name.startsWith('SETPOINT_'),
    given,
  );
  const texts = [...table.env.values(), ...table.file.values()].flatMap(
    (found) => ('text' in found ? [reveal(found.text)] : []),
  );
  const secrets = [...ownCredentials(variables), ...texts];
  const resolved = resolveConfig(config.value, table);
  const isMeant = globMatcher(only ?? '*');
  const found = distinct([
    ...early,
    ...missingReferences(resolved, isMeant),
    ...oddReferences(resolved, isMeant),
  ]);
  if (hasErrors(found)) return documented(found, secrets);
  const { value: desired, diagnostics } = matchEntries(
    resolved,
    live.value,
    only,
  );
  const planned = planServer({
    server: { ...input.server, ...present({ policy: input.policy, only }) },
    ...{
      desired,
      live: live.value,
      unread: unreadIn(desired, live.value),
      reads: 0,
    },
    writeHidden: input.writeHidden,
  });
  const names = resolved.map(({ name }) => name);
  const unmet = unmetChoices(input, names, [
    { plan: planned.plan, desired, live: live.value },
  ]);
  const refused = refusals([planned.plan], {}, 'plan');
  const all = [
    ...found,
    ...unmet,
    ...diagnostics,
    ...planned.diagnostics,
    ...refused,
  ];
  return documented(all, secrets, [planned.plan]);
}

/** Integrations that no request can name, or whose options the answers lack. */
function unreadIn(
  desired: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): Map<string, Diagnostic> {
  const byId = new Map(live.map((each) => [each.id, each]));
  const lacking = desired.filter((each) => {
    const found = byId.get(each.id);
    return (
      found !== undefined &&
      wantedBy(each.id, each.settings).keys.some((key) => isUnread(key, found))
    );
  });
  const unread = lacking.map(({ id }): [string, Diagnostic] => {
    const hint = `Give the answer to GET /api/integrations/${id} as well.`;
    return [
      id,
      diagnostic('bad-answer', {
        problem: `the answers lack options of ${id}`,
        hint,
      }),
    ];
  });
  return new Map([...unread, ...unsafeIds(desired)]);
}

function documented(
  findings: readonly Diagnostic[],
  secrets: readonly string[],
  servers: readonly ServerPlan[] = [],
): Document {
  const isComplete = servers.length > 0;
  return masker(secrets).data(
    documentOf({ command: 'plan', servers, isComplete, findings }),
  );
}

/** Renders a document in a format of `--report`; its text ends with the errors and warnings. */
export async function render(
  document: Document,
  format: Format,
): Promise<string> {
  const view = { paint: PLAIN, width: 80 };
  const text = (await rendererOf(format))(document, view);
  if (format !== 'text') return text;
  const findings = renderFindings(document.diagnostics, {
    ...view,
    notes: false,
    sources: new Map(),
  });
  return [text, findings].filter((part) => part !== '').join('\n');
}
