import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import { type Adoption, adopt } from '../../core/pull/adoption.ts';
import { differing, dotenvText, unset, type Variable } from '../../core/pull/dotenv.ts';
import type { NewFile } from '../../core/pull/files.ts';
import { managedVariables } from '../../core/pull/managed-variables.ts';
import { likelySecrets } from '../../core/pull/ways.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderPull } from '../../core/report/text/pull.ts';
import { Failure, fail } from '../failure.ts';
import { LiveReader } from '../http/live.ts';
import { writeNewFile } from '../new-file.ts';
import { rememberSecrets } from '../reconcile/known-secrets.ts';
import { isPullFile, pullFiles } from '../reconcile/pull-files.ts';
import { pulledReport } from '../reconcile/pull-report.ts';
import { inFolder, type PullOptions, type PullTarget, pullTarget } from '../reconcile/pull-target.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { onServers } from '../servers/sessions.ts';
import { readCatalog } from '../sources/catalog.ts';
import { addSecrets, type SecretsFile, secretsFile } from '../sources/secrets-file.ts';
import { shownPath } from '../sources/work-tree.ts';

interface Options extends PullOptions {
  readonly only?: string | undefined;
  readonly catalog?: string | undefined;
  readonly comments?: boolean | undefined;
  readonly secretsFile?: string | undefined;
}

/** Writes configuration for what is installed and not managed yet. It only makes new files; a second run makes none. */
export function pull(options: Options, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const target = await pullTarget(run, options);
    const secrets =
      options.secretsFile === undefined
        ? undefined
        : await secretsFile(run, options.secretsFile, {
            folder: target.folder,
            isWritten: (real) => isPullFile(target, real),
          });
    const catalog = options.catalog === undefined ? undefined : await readCatalog(run, options.catalog);
    const live = await readWhole(run, options, target);
    rememberSecrets(run, live, { integrations: [], defaults: [] });
    run.secrets.seen(likelySecrets(live));
    const { server, existing, variables } = target;
    const adoption = adopt({
      live,
      server: server.name,
      existing,
      variables,
      only: options.only,
      catalog,
      hasComments: options.comments === true,
      scrubber: run.secrets.scrubber,
    });
    checkOnly(options.only, adoption.names);
    return write(run, { options, target, adoption, live, secrets });
  });
}

/** All integrations with all that the server shows of them, or nothing. */
async function readWhole(
  run: Run,
  options: Options,
  { server }: PullTarget,
): Promise<readonly LiveIntegration[]> {
  const [result] = await onServers(run, { ...options, mode: 'read' }, [server], ({ api }) =>
    new LiveReader(api, () => true).everything(isPathSafe),
  );
  if (result?.value === undefined) throw new Failure(result?.diagnostics ?? []);
  return result.value;
}

function checkOnly(glob: string | undefined, names: readonly string[]): void {
  if (glob === undefined || names.some(globMatcher(glob))) return;
  const [near] = nearNames(glob, names);
  fail(diagnostic('only-matches-nothing', { glob, names, ...present({ near }) }));
}

interface Pull {
  readonly options: Options;
  readonly target: PullTarget;
  readonly adoption: Adoption;
  readonly live: readonly LiveIntegration[];
  readonly secrets: SecretsFile | undefined;
}

/** Writes the secrets first, then files, each whole or not at all; stops at the first that cannot be written. */
async function write(run: Run, pulled: Pull): Promise<CommandResult> {
  const { options, target, adoption, live, secrets } = pulled;
  const entries = adoption.entries.filter(({ lines }) => lines.length > 0);
  const laidOut = await pullFiles(run, target, entries, live);
  // A signal that came while they were composed is heard here.
  await setImmediate();
  const shown = shownSecrets(pulled);
  const added = secrets && unset(secrets.settings, shown);
  const done: Done = { files: [], secrets: undefined };
  const problem =
    (await writeSecrets(run, pulled, added ?? [], done)) ??
    (await writeFiles(run, target, laidOut.files, done));
  const stale = secrets && differing(secrets.settings, shown);
  const isWhole = problem === undefined && !run.interruption.stopping.aborted;
  const hasSecrets = secrets?.text !== undefined || (done.secrets ?? 0) > 0;
  const result = { options, target, adoption, laidOut, ...done, hasSecrets, stale, isWhole };
  return {
    diagnostics: [...target.warnings, ...adoption.diagnostics, ...(problem === undefined ? [] : [problem])],
    report: linesReport({ servers: [pulledReport(run, result)] }, (all, view) =>
      all.servers.map((pulled) => renderPull(pulled, view)).join('\n'),
    ),
  };
}

/** What was written: the paths of files, and how many values were added to that of secrets; undefined where it was not. */
interface Done {
  readonly files: string[];
  secrets: number | undefined;
}

/** The values that the server shows. */
function shownSecrets({ options, target, adoption, live }: Pull): readonly Variable[] {
  const isMeant = options.only === undefined ? () => true : globMatcher(options.only);
  const managed = target.existing.filter(({ name }) => isMeant(name));
  const fresh = adoption.entries.flatMap(({ needed }) =>
    needed.flatMap(({ variable, text }) => (text === undefined ? [] : [{ variable, text }])),
  );
  return [...fresh, ...managedVariables(managed, live)];
}

/** Counts in `done` what was added. */
async function writeSecrets(
  run: Run,
  { options: { secretsFile: path = '' }, secrets }: Pull,
  added: readonly Variable[],
  done: Done,
): Promise<Unwritten | undefined> {
  if (secrets === undefined || run.interruption.stopping.aborted) return undefined;
  const reason = added.length === 0 ? undefined : await addSecrets(secrets, dotenvText(added));
  if (reason !== undefined) return unwritten(path, reason, done);
  done.secrets = added.length;
  return undefined;
}

/** Adds the path of each file to `done`. */
async function writeFiles(
  run: Run,
  target: PullTarget,
  files: readonly NewFile[],
  done: Done,
): Promise<Unwritten | undefined> {
  for (const { path, text } of files) {
    if (run.interruption.stopping.aborted) return undefined;
    const shown = shownPath(inFolder(target, path), run.runtime.cwd);
    const reason = await writeNewFile(target.folder, path, text);
    if (reason !== undefined) return unwritten(shown, reason, done);
    done.files.push(shown);
  }
  return undefined;
}

type Unwritten = ReturnType<typeof unwritten>;

function unwritten(path: string, reason: string, { files, secrets = 0 }: Done) {
  const written = files.length + (secrets > 0 ? 1 : 0);
  return diagnostic('file-unwritten', { path, reason, written });
}
