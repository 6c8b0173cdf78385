import type { WrittenConfig } from '../core/config/entry.ts';
import { foundFile, outsideReferences, resolveConfig } from '../core/config/resolve.ts';
import { missingReferences, variablesIn } from '../core/config/selected.ts';
import { type Checked, type Diagnostic, diagnostic, distinct } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import { isUnread, unsafeIds, wantedBy } from '../core/live/sources.ts';
import { matchEntries } from '../core/match/match.ts';
import type { DesiredState } from '../core/model/desired.ts';
import { present } from '../core/model/json.ts';
import type { LiveIntegration } from '../core/model/live.ts';
import { ownCredentials } from '../core/model/own-credential.ts';
import { reveal } from '../core/model/secret.ts';
import { type Choice, unmetChoices } from '../core/plan/choice.ts';
import { documentOf } from '../core/plan/document.ts';
import type { Document, ServerPlan } from '../core/plan/plan.ts';
import { planServer } from '../core/plan/plan-server.ts';
import { refusals } from '../core/plan/refusals.ts';
import type { Policy } from '../core/plan/risk.ts';
import { masker } from '../core/report/mask.ts';

/** What a plan is made from. */
export interface PlanInput extends Choice {
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
}

/** Compares a configuration with what is live on one server: the document that every format is made from, without secrets. */
export function plan(input: PlanInput): Document {
  const { config, live, variables = {}, files = {}, only } = input;
  const early = [...config.diagnostics, ...live.diagnostics];
  if (config.value === undefined || live.value === undefined) return documented(early, []);
  const wanted = outsideReferences(config.value);
  const table = {
    env: variablesIn(variables, wanted.env.keys(), []),
    file: new Map(
      [...wanted.file.keys()].map((path) => {
        const text = Object.hasOwn(files, path) ? files[path] : undefined;
        return [path, text === undefined ? { reason: 'it was not given' } : foundFile(text)];
      }),
    ),
  };
  const texts = [...table.env.values(), ...table.file.values()].flatMap((found) =>
    'text' in found ? [reveal(found.text)] : [],
  );
  const secrets = [...ownCredentials(variables), ...texts];
  const resolved = resolveConfig(config.value, table);
  const found = distinct([...early, ...missingReferences(resolved, only)]);
  if (hasErrors(found)) return documented(found, secrets);
  const { value: desired, diagnostics } = matchEntries(resolved, live.value, only);
  const planned = planServer({
    server: { ...input.server, ...present({ policy: input.policy, only }) },
    ...{ desired, live: live.value, unread: unreadIn(desired, live.value), reads: 0 },
    writeHidden: input.writeHidden,
  });
  const names = resolved.map(({ name }) => name);
  const unmet = unmetChoices(input, names, [{ plan: planned.plan, desired, live: live.value }]);
  const refused = refusals([planned.plan], {}, 'plan');
  const all = [...found, ...unmet, ...diagnostics, ...planned.diagnostics, ...refused];
  return documented(all, secrets, [planned.plan]);
}

/** Integrations that no request can name, or whose options the answers lack. */
function unreadIn(desired: DesiredState, live: readonly LiveIntegration[]): Map<string, Diagnostic> {
  const byId = new Map(live.map((each) => [each.id, each]));
  const lacking = desired.integrations.filter((each) => {
    const found = byId.get(each.id);
    return found !== undefined && wantedBy(each).keys.some((key) => isUnread(key, found));
  });
  const unread = lacking.map(({ id }): [string, Diagnostic] => {
    const hint = `Give the answer to GET /api/integrations/${id} as well.`;
    return [id, diagnostic('bad-answer', { problem: `the answers lack options of ${id}`, hint })];
  });
  return new Map([...unread, ...unsafeIds(desired)]);
}

function documented(
  findings: readonly Diagnostic[],
  secrets: readonly string[],
  servers: readonly ServerPlan[] = [],
): Document {
  const isComplete = servers.length > 0;
  return masker(secrets).data(documentOf({ command: 'plan', servers, isComplete, findings }));
}
