import { hasErrors } from '../core/catalogue.ts';
import { selectEntries, selectIntegrations } from '../core/config/config.ts';
import type { WrittenField } from '../core/config/entry.ts';
import type { MergedConfig } from '../core/config/layers.ts';
import { matchEntries } from '../core/config/match.ts';
import type { ResolvedValue } from '../core/config/resolve.ts';
import type { Checked, Diagnostic } from '../core/diagnostic.ts';
import type { DesiredState, LiveIntegration } from '../core/model.ts';
import { fingerprinter, planFingerprint } from '../core/plan/fingerprint.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import { type Planned, planServer } from '../core/plan/plan-server.ts';
import { secretDetector, textsOf } from '../core/report/secret.ts';
import { isSecretOption } from '../core/sensitivity.ts';
import { configRoot, readConfig } from './config-source.ts';
import type { ConnectionOptions } from './connection.ts';
import { type Credentials, fingerprintKey, readCredentials } from './credentials.ts';
import { Failure } from './failure.ts';
import type { Api } from './http/api.ts';
import { completeLive } from './http/live.ts';
import { parseServerUrl } from './http/server-url.ts';
import { resolveReferences } from './references.ts';
import type { Run, RunOptions } from './run.ts';

/** The options of the commands that compare a configuration with a server. */
export interface PlanningOptions extends RunOptions, ConnectionOptions {
  readonly file?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly only?: string | undefined;
  readonly allowEnv?: readonly string[] | undefined;
}

/** Everything that can be known before the first request. */
export interface Prepared {
  readonly config: MergedConfig;
  readonly resolved: ReadonlyMap<WrittenField, ResolvedValue>;
  readonly only: string | undefined;
  readonly url: URL;
  readonly credentials: Credentials;
  readonly fingerprintKey: () => Buffer;
  readonly warnings: readonly Diagnostic[];
}

/** A plan together with what it was made from. */
export interface LivePlan extends Planned {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the configuration, the references, the address and the credentials; fails before anything is sent. */
export async function prepare(run: Run, options: PlanningOptions): Promise<Prepared> {
  const named = options.file ?? [];
  const read = valid(await readConfig(run, named));
  const url = parseServerUrl(options.url);
  const config = options.only === undefined ? read.value : selectEntries(read.value, options.only);
  const credentials = await readCredentials(run);
  const root = await configRoot(named, run.runtime.cwd);
  const resolved = await resolveReferences(run, config, options.allowEnv ?? [], root);
  return {
    config,
    resolved,
    only: options.only,
    url,
    credentials,
    fingerprintKey: fingerprintKey(run.runtime.env, credentials, url.origin),
    warnings: read.warnings,
  };
}

/** Reads what is live and compares it; fails where the configuration does not fit the server. */
export async function planLive(run: Run, api: Api, prepared: Prepared): Promise<LivePlan> {
  const readsBefore = api.reads;
  const listed = await api.integrations();
  const matched = valid(matchEntries(prepared.config, prepared.resolved, listed));
  const selected = valid(narrow(matched.value, prepared.only));
  const live = await completeLive(api, listed, selected.value);
  rememberLiveSecrets(run, live);
  const secrets = {
    fingerprint: fingerprinter(prepared.fingerprintKey),
    holdsSecret: secretDetector(run.secrets),
  };
  const server = { name: prepared.url.host, url: prepared.url.href.replace(/\/$/, '') };
  const reads = api.reads - readsBefore;
  const planned = valid(planServer({ server, desired: selected.value, live, reads, secrets }));
  return { ...planned.value, diagnostics: planned.warnings };
}

/** The JSON document of one planned or applied server. */
export function planDocument(prepared: Prepared, plan: ServerPlan): object {
  return { fingerprint: planFingerprint(prepared.fingerprintKey(), [plan]), servers: [plan] };
}

function narrow(desired: DesiredState, only: string | undefined): Checked<DesiredState> {
  return only === undefined ? { value: desired, diagnostics: [] } : selectIntegrations(desired, only);
}

/** A value without errors, and the warnings that came with it; errors end the command. */
function valid<T>({ value, diagnostics }: Checked<T>): { value: T; warnings: readonly Diagnostic[] } {
  if (value === undefined || hasErrors(diagnostics)) throw new Failure(diagnostics);
  return { value, warnings: diagnostics };
}

/** Secrets that a server shows in clear must not come back out of an error message. */
function rememberLiveSecrets(run: Run, live: readonly LiveIntegration[]): void {
  for (const { options } of live) {
    for (const { key, type, value } of options.values()) {
      if (value.kind !== 'readable' || !isSecretOption(key, type)) continue;
      for (const text of textsOf(value.value)) run.secrets.add(text);
    }
  }
}
