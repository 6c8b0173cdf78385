import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainAddress } from '../../core/config/server-url.ts';
import { aboutFields } from '../../core/findings/about.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { type PulledEntries, pullEntries } from '../../core/pull/pull.ts';
import { linesReport } from '../../core/report/report.ts';
import { type PullReport, renderPull } from '../../core/report/text/pull.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { readWhole } from '../reconcile/plan.ts';
import {
  EXAMPLE,
  pulledFiles,
  writePulledFiles,
} from '../reconcile/pull-files.ts';
import { nextSteps, type Pull } from '../reconcile/pull-steps.ts';
import { type PullTarget, pullTarget } from '../reconcile/pull-target.ts';
import type { CommandBody, Run } from '../run.ts';
import { shownPath } from '../sources/files.ts';
import { schemaPath } from '../sources/pulled-schema.ts';
import { type SecretsFile, secretsFile } from '../sources/secrets-file.ts';

/**
 * Writes configuration for what is installed and not managed yet; a second run
 * writes none.
 */
export const pull: CommandBody = async (run, options) => {
  // Here the flag names the file to write.
  const target = await pullTarget(run, { ...options, secretsFile: [] });
  if (options.only !== undefined && target.overlay?.isFirst === true) {
    failUsage(
      'The first pull of a server that shares layers is of all that is installed.',
      'Leave out --only, or pull a full copy with --separate.',
    );
  }
  const secrets = await secretsPlace(run, options, target.root);
  const live = await readWhole(run, options, [target.server]);
  const entries = entriesFor({ options, target, live, secrets });
  const state = { target, entries, live, secretsFile: secrets?.inProject };
  const planned = await pulledFiles(run, state);
  // A signal that came meanwhile is heard here.
  await setImmediate();
  await writeSecrets(run, entries, secrets);
  const { files, diagnostics } = await writePulledFiles(
    run,
    target.folder,
    planned,
  );
  const ended: Pull = {
    target,
    entries,
    files,
    isPart: options.only !== undefined || files.length < planned.length,
    secrets,
    shownAt: (path) => shownPath(join(target.folder, path), run.runtime.cwd),
  };
  const report = reportOf(ended, files.length === planned.length);
  return {
    diagnostics: [
      ...target.warnings,
      ...hiddenSecrets(entries),
      ...diagnostics,
    ],
    report: linesReport({ servers: [report] }, renderPull),
  };
};

/** Finds the place of the file for secrets, if a flag names one. */
async function secretsPlace(
  run: Run,
  { secretsFile: paths = [] }: Options,
  root: string,
): Promise<SecretsFile | undefined> {
  const [path, ...more] = paths;
  if (more.length > 0) failUsage('pull writes one --secrets-file.');
  return path === undefined ? undefined : secretsFile(run, path, root);
}

/** What a pull has read. */
interface PullReading {
  readonly options: Options;
  readonly target: PullTarget;
  readonly live: readonly LiveIntegration[];
  readonly secrets: SecretsFile | undefined;
}

/** Makes the entries to write. Fails if `--only` means none that there is. */
function entriesFor(reading: PullReading): PulledEntries {
  const { options, target, live, secrets } = reading;
  const { only } = options;
  const { folder, into, server, files: layers, isSeparate } = target;
  const { existing, own, taken, overlay } = target;
  const schema = join(folder, schemaPath(server.name));
  const entries = pullEntries({
    live,
    existing,
    layers,
    own,
    taken,
    overlay,
    only,
    server: isSeparate ? server.name : undefined,
    schema: shownPath(schema, join(folder, into)),
    secrets: secrets?.places,
  });
  const { names } = entries;
  if (only !== undefined && !names.some(globMatcher(only))) {
    fail(diagnostic('unknown-name', { word: only, of: 'entry', names }));
  }
  return entries;
}

/** Writes the secrets that the server shows, unless the run stops. */
async function writeSecrets(
  run: Run,
  entries: PulledEntries,
  secrets: SecretsFile | undefined,
): Promise<void> {
  if (secrets === undefined || run.interruption.stopping.aborted) return;
  const reason = await secrets.write(entries);
  if (reason === undefined) return;
  fail(diagnostic('file-unwritable', { path: secrets.path, reason }));
}

/**
 * Notes that the server may hide its secrets: they are comments in the new
 * files, which no later pull writes again.
 */
function hiddenSecrets({ emptySecrets }: PulledEntries): Diagnostic[] {
  if (emptySecrets.length === 0) return [];
  const hint =
    'Ignore this if they were never set. If this server hides secrets, delete the new files, write hidesSecrets: true at the server in setpoint.yaml, and pull again.';
  const facts = { ...aboutFields(emptySecrets), isSent: false, hint };
  return [diagnostic('hides-secrets', facts)];
}

/** Reports a pull; with the next steps if it wrote all files. */
function reportOf(pull: Pull, isWhole: boolean): PullReport {
  const { target, entries, files, shownAt, isPart } = pull;
  const { server, into, shared } = target;
  const { needed, leftOut, managed, undeclared } = entries;
  const { overlay, notInstalled, outdated } = entries;
  const isWritten = files.some(({ path }) => path.startsWith(into));
  const example = needed.length === 0 ? {} : { example: shownAt(EXAMPLE) };
  return {
    name: server.name,
    url: plainAddress(server.url.href),
    files: files.map(({ path }) => ({ path: shownAt(path) })),
    into: `${shownAt(into)}/`,
    adopted: isWritten ? entries.adopted : 0,
    options: entries.options,
    ...present({ overlay }),
    notInstalled: isWritten ? notInstalled : [],
    shared: overlay ? shared.map(({ path }) => path) : [],
    isWhole,
    isPart,
    managed,
    variables: needed,
    ...example,
    ...writtenSecrets(pull),
    leftOut,
    outdated,
    undeclared,
    next: isWhole ? nextSteps(pull) : [],
  };
}

function writtenSecrets({
  secrets,
  entries,
}: Pull): Pick<PullReport, 'secrets'> {
  if (secrets === undefined) return {};
  const { path } = secrets;
  const shown = [...entries.shown.values()];
  const known = shown.filter(({ kind }) => kind === 'text');
  const files = entries.secretFiles.size;
  return { secrets: { path, count: known.length + files, files } };
}
