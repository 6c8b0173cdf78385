import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { dotenvText } from '../../core/pull/dotenv.ts';
import { type PulledEntries, pullEntries } from '../../core/pull/pull.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderPull } from '../../core/report/text/pull.ts';
import { Failure, fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import { LiveReader } from '../http/live.ts';
import { pullFiles, schemaPath, writeFiles } from '../reconcile/pull-files.ts';
import { pulledReport } from '../reconcile/pull-report.ts';
import { type PullTarget, pullTarget } from '../reconcile/pull-target.ts';
import type { CommandResult, Run } from '../run.ts';
import { onServers } from '../servers/sessions.ts';
import { shownPath } from '../sources/files.ts';
import { secretsFile } from '../sources/secrets-file.ts';

/** Writes configuration for what is installed and not managed yet; a second run writes none. */
export async function pull(run: Run, options: Options): Promise<CommandResult> {
  const target = await pullTarget(run, options);
  const secrets = options.secretsFile === undefined ? undefined : await secretsFile(run, options.secretsFile);
  const live = await readWhole(run, options, target);
  const pulled = pulledFrom(options, target, live);
  checkOnly(options.only, pulled.names);
  return write(run, { target, pulled, live, secrets });
}

/** All integrations with all that the server shows of them, or nothing. */
async function readWhole(
  run: Run,
  options: Options,
  { server }: PullTarget,
): Promise<readonly LiveIntegration[]> {
  const [result] = await onServers(run, { ...options, mode: 'read' }, [server], ({ api }) =>
    new LiveReader(api, { hidesSecrets: server.hidesSecrets }).everything(),
  );
  if (result?.value === undefined) throw new Failure(result?.diagnostics ?? []);
  return result.value;
}

function pulledFrom({ only }: Options, target: PullTarget, live: readonly LiveIntegration[]): PulledEntries {
  const { folder, into, existing, taken, server } = target;
  return pullEntries({
    live,
    existing,
    taken,
    ...present({ only, server: into === 'integrations/' ? undefined : server.name }),
    schema: shownPath(join(folder, schemaPath(target)), join(folder, into)),
  });
}

function checkOnly(glob: string | undefined, names: readonly string[]): void {
  if (glob === undefined || names.some(globMatcher(glob))) return;
  const [near] = nearNames(glob, names);
  fail(diagnostic('unknown-name', { word: glob, of: 'entry', names, ...present({ near }) }));
}

interface Pull {
  readonly target: PullTarget;
  readonly pulled: PulledEntries;
  readonly live: readonly LiveIntegration[];
  readonly secrets: Awaited<ReturnType<typeof secretsFile>> | undefined;
}

/** Writes the secrets, then the files. */
async function write(run: Run, { target, pulled, live, secrets }: Pull): Promise<CommandResult> {
  const planned = await pullFiles(run, target, pulled, live);
  // A signal that came meanwhile is heard here.
  await setImmediate();
  if (secrets !== undefined && !run.interruption.stopping.aborted) {
    const reason = await secrets.write(dotenvText(pulled.shown));
    if (reason !== undefined) fail(diagnostic('file-unwritable', { path: secrets.path, reason }));
  }
  const { files, diagnostics } = await writeFiles(run, target.folder, planned);
  const isWhole = files.length === planned.length;
  return {
    diagnostics: [...target.warnings, ...diagnostics],
    report: linesReport(
      { servers: [pulledReport(run, { target, pulled, files, secrets: secrets?.path, isWhole })] },
      (all, view) => all.servers.map((each) => renderPull(each, view)).join('\n'),
    ),
  };
}
