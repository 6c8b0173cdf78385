import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Moved } from '../core/findings/apply.ts';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import type { Recipe, WrittenValue } from '../core/model/desired.ts';
import { makeValue, neededBy, type ReferenceTable } from '../core/model/recipe.ts';
import { fingerprinter } from '../core/plan/fingerprint.ts';
import { standingIn } from '../core/plan/moved.ts';
import type { IntegrationPlan, ServerPlan } from '../core/plan/plan.ts';
import { strictest } from '../core/plan/risk.ts';
import { decodeSavedPlan, remake, type SavedPlan, sensitiveChanges } from '../core/plan/saved.ts';
import { wantedOf } from './apply.ts';
import { fingerprintKey } from './credentials.ts';
import { Failure, fail, systemReason } from './failure.ts';
import type { Api } from './http/api.ts';
import { LiveReader } from './http/live.ts';
import { parseServerUrl } from './http/server-url.ts';
import { rememberLiveSecrets } from './known-secrets.ts';
import { fingerprintOf, type KeyedServer, type LivePlan, writtenUrl } from './planning.ts';
import { readReferences, rememberSecret } from './references.ts';
import { refuseReportOnto } from './report-target.ts';
import type { Run } from './run.ts';
import { credentialsOf, findProject, type Target, targetsIn } from './targets.ts';

/** The largest plan that is read, in bytes. */
const LARGEST_PLAN = 256 * 1024 * 1024;

export interface SavedPlanOptions {
  readonly url?: string | undefined;
  readonly caFile?: string | undefined;
  readonly allowEnv?: readonly string[] | undefined;
}

/** The values of an integration as its recipes make them, by address. */
type Written = ReadonlyMap<string, WrittenValue>;

/** A server of a saved plan, with the secrets that the plan itself does not hold. */
export interface SavedServer extends KeyedServer {
  readonly plan: ServerPlan;
  /** By the id of the integration. */
  readonly written: ReadonlyMap<string, Written>;
}

/**
 * Reads a plan that `plan --report json=FILE` wrote, proves that it is as it was written, and makes its secrets again.
 * Fails with all that is wrong, before anything is sent.
 */
export async function readSavedPlan(
  run: Run,
  path: string,
  options: SavedPlanOptions,
): Promise<readonly SavedServer[]> {
  const saved = await readPlanFile(run, path);
  const targets = await targetsOf(run, saved, options);
  const credentials = await credentialsOf(run, targets);
  const servers = targets.flatMap((target, index) => {
    const [account, plan] = [credentials[index], saved.servers[index]];
    if (account === undefined || plan === undefined) return [];
    const key = fingerprintKey(run.runtime.env, account, target.url.origin);
    return [{ target, plan, credentials: account, fingerprintKey: key }];
  });
  // Before anything else of it is believed: only who knows the key can have written the plan.
  if (fingerprintOf(servers, saved.servers) !== saved.fingerprint) fail(diagnostic('plan-altered', { path }));
  const made = await Promise.all(servers.map((server) => makeSecrets(run, server, options.allowEnv ?? [])));
  const problems = made.flatMap((each) => each.problems);
  if (problems.length > 0) throw new Failure(problems);
  return servers.map((server, index) => ({ ...server, written: made[index]?.written ?? new Map() }));
}

/** Reads what a saved plan touches, and gives the plan with its secrets; fails where a secret is not the planned one. */
export async function recallPlan(run: Run, api: Api, saved: SavedServer): Promise<LivePlan> {
  const { plan, written } = saved;
  const reader = new LiveReader(api, plan.summary.managed + plan.summary.unmanagedIntegrations);
  const touched = plan.integrations.filter(({ changes }) => changes.length > 0);
  const live = await reader.again(touched.map(wantedOf));
  rememberLiveSecrets(run, live.values());
  const fingerprint = fingerprinter(saved.fingerprintKey);
  const remade = touched.map((planned) => ({
    id: planned.id,
    ...remake(planned, written.get(planned.id) ?? new Map(), live.get(planned.id), fingerprint),
  }));
  const changed = remade.flatMap((each) => each.changed);
  if (changed.length > 0) {
    throw new Failure(
      changed.map(({ address, reference = 'The configuration', source }) =>
        diagnostic('plan-secret-changed', { address, reference }, source),
      ),
    );
  }
  const gone = remade.flatMap((each): [string, readonly Moved[]][] =>
    each.gone.length > 0 ? [[each.id, each.gone]] : [],
  );
  const { settled, moved } = standingIn(plan, live, fingerprint, gone);
  return {
    plan,
    withheld: new Map(remade.map(({ id, withheld }) => [id, withheld])),
    diagnostics: [],
    reader,
    fingerprint,
    moved,
    settled,
    isSaved: true,
  };
}

async function readPlanFile(run: Run, path: string): Promise<SavedPlan> {
  const absolute = resolve(run.runtime.cwd, path);
  await refuseReportOnto(run.reportFiles, absolute);
  const malformed = (problem: string) => fail(diagnostic('plan-malformed', { path, problem }));
  const found = await stat(absolute).catch((thrown: unknown) =>
    fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) })),
  );
  if (!found.isFile()) malformed('it is not a regular file');
  if (found.size > LARGEST_PLAN) malformed(`it has more than ${LARGEST_PLAN} bytes`);
  const text = new TextDecoder().decode(
    await readFile(absolute).catch((thrown: unknown) =>
      fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) })),
    ),
  );
  const saved = decodeSavedPlan(jsonOf(text));
  return 'problem' in saved ? malformed(saved.problem) : saved;
}

/** The document in a text; undefined, which is no document, where the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The target of each planned server; a plan is for the very addresses that it was made for. */
async function targetsOf(run: Run, { servers }: SavedPlan, options: SavedPlanOptions): Promise<Target[]> {
  const own = await targetsHere(
    run,
    servers.map(({ name }) => name),
    options,
  );
  const targets = servers.map((plan): Target => {
    const target = own.find(({ name }) => name === plan.name) ?? targetOfPlan(run, plan, options);
    return { ...target, policy: strictest([target.policy, plan.policy ?? {}]) };
  });
  const given = options.url === undefined ? [] : [parseServerUrl(options.url)];
  const others = targets.flatMap((target, index): Diagnostic[] => {
    const planned = servers[index]?.url ?? '';
    const now = [target.url, ...given].map(writtenUrl).find((url) => url !== planned);
    return now === undefined ? [] : [diagnostic('plan-of-other-server', { name: target.name, planned, now })];
  });
  if (others.length > 0) throw new Failure(others);
  return targets;
}

/** Those of the named servers that the project of this folder has; none where there is no project. */
async function targetsHere(
  run: Run,
  names: readonly string[],
  { caFile }: SavedPlanOptions,
): Promise<readonly Target[]> {
  const found = await findProject(run);
  if (found === undefined) return [];
  const server = found.project.servers.map(({ name }) => name).filter((name) => names.includes(name));
  // Without a selection all would be meant; what is wrong with the project is told in any case.
  const { targets, diagnostics } =
    server.length > 0 ? await targetsIn(found, { server, caFile }) : { ...found, targets: [] };
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  return targets;
}

/** A server that no project here names, as the plan names it. */
function targetOfPlan(run: Run, plan: ServerPlan, { caFile }: SavedPlanOptions): Target {
  const { cwd } = run.runtime;
  const url = parseServerUrl(plan.url);
  return {
    name: plan.name,
    url,
    config: { layers: [], base: cwd },
    root: resolve(cwd, plan.root ?? '.'),
    caFile,
    credentialsName: plan.name === url.host ? undefined : plan.name,
    policy: {},
  };
}

/** Makes the secrets of a server's plan from the environment and files; finds all that are missing. */
async function makeSecrets(
  run: Run,
  { plan, target }: { readonly plan: ServerPlan; readonly target: Target },
  allowEnv: readonly string[],
): Promise<{ readonly written: ReadonlyMap<string, Written>; readonly problems: readonly Diagnostic[] }> {
  const recipes = plan.integrations.flatMap((each) =>
    sensitiveChanges(each).flatMap(({ recipe }) => recipe ?? []),
  );
  const table = await readReferences(run, recipes.flatMap(neededBy), allowEnv, target.root);
  const problems: Diagnostic[] = [];
  const writtenOf = (integration: IntegrationPlan): Written =>
    new Map(
      sensitiveChanges(integration).flatMap(({ address, recipe, source }): [string, WrittenValue][] => {
        const made =
          recipe === undefined
            ? { problems: [diagnostic('plan-lacks-value', { address }, source)] }
            : makeValue(recipe, table, source);
        if ('value' in made) {
          if (recipe !== undefined && isSecret(recipe, table)) rememberSecret(run, made.value);
          return [[address, made.value]];
        }
        problems.push(...made.problems);
        return [];
      }),
    );
  const written = new Map(plan.integrations.map((each) => [each.id, writtenOf(each)]));
  return { written, problems };
}

/** Whether a part of a value was really found; a fallback stands in the YAML for everybody to read. */
function isSecret(recipe: Recipe, table: ReferenceTable): boolean {
  return neededBy(recipe).some(({ kind, name }) => 'text' in (table[kind].get(name) ?? {}));
}
