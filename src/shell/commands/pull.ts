import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainAddress } from '../../core/config/server-url.ts';
import { aboutFields } from '../../core/findings/about.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { configLine, serverLine } from '../../core/pull/project-files.ts';
import { type Pulled, pullEntries } from '../../core/pull/pull.ts';
import { linesReport } from '../../core/report/report.ts';
import {
  type PullReport,
  type PullStep,
  renderPull,
} from '../../core/report/text/pull.ts';
import { fail, failUsage } from '../failure.ts';
import { readWhole } from '../reconcile/live.ts';
import {
  EXAMPLE,
  type FileToWrite,
  filesToWrite,
  listedSecretsFile,
  listedServer,
  type Pull,
  writePulledFiles,
} from '../reconcile/pull-files.ts';
import { pullSite } from '../reconcile/pull-site.ts';
import type { CommandBody, Run } from '../run.ts';
import { PROJECT_FILE, shellWord, shownPath } from '../sources/files.ts';
import { type SecretsFile, secretsFile } from '../sources/secrets-file.ts';

/**
 * Writes configuration for what is installed and not managed yet; a second run
 * writes none.
 */
export const pull: CommandBody = async (run, options) => {
  const { only, secretsFile: paths = [] } = options;
  // Here the flag names the file to write.
  const site = await pullSite(run, { ...options, secretsFile: [] });
  if (only !== undefined && site.isFirst) {
    failUsage(
      'The first pull of a server that shares layers is of all that is installed.',
      'Leave out --only, or pull a full copy with --separate.',
    );
  }
  const [path, ...morePaths] = paths;
  if (morePaths.length > 0) failUsage('pull writes one --secrets-file.');
  let secrets: SecretsFile | undefined;
  if (path !== undefined) secrets = await secretsFile(run, path, site.root);
  const live = await readWhole(run, options, [site.server]);
  const pulled = pullEntries({ ...site, live, secrets: secrets?.places });
  const { names } = pulled;
  if (only !== undefined && !names.some(globMatcher(only))) {
    fail(diagnostic('unknown-name', { word: only, of: 'entry', names }));
  }
  const state: Pull = { site, live, pulled, secrets };
  const planned = await filesToWrite(run, state);
  // A signal that came meanwhile is heard here.
  await setImmediate();
  await writeSecrets(run, state);
  const { folder, warnings } = site;
  const { files, diagnostics } = await writePulledFiles(run, folder, planned);
  const isWhole = files.length === planned.length;
  const isPart = only !== undefined || !isWhole;
  const report = reportOf(run, state, { files, isWhole, isPart });
  return {
    diagnostics: [...warnings, ...hiddenSecrets(pulled), ...diagnostics],
    report: linesReport({ servers: [report] }, renderPull),
  };
};

/** Writes the secrets that the server shows, unless the run stops. */
async function writeSecrets(
  { interruption }: Run,
  { secrets, pulled }: Pull,
): Promise<void> {
  if (secrets === undefined || interruption.stopping.aborted) return;
  const reason = await secrets.write(pulled.secrets);
  if (reason === undefined) return;
  fail(diagnostic('file-unwritable', { path: secrets.path, reason }));
}

/** What a pull has written. */
interface Written {
  readonly files: readonly FileToWrite[];
  /** Whether these are all files. */
  readonly isWhole: boolean;
  /** Whether a flag or an interruption kept integrations out. */
  readonly isPart: boolean;
}

/** Reports a pull; with the next steps if it wrote all files. */
function reportOf(
  { runtime }: Run,
  pull: Pull,
  { files, isWhole, isPart }: Written,
): PullReport {
  const { site, pulled, secrets } = pull;
  const shownAt = (file: string): string =>
    shownPath(join(site.folder, file), runtime.cwd);
  const shown = [...pulled.secrets.shown.values()];
  const inFile = shown.filter(({ kind }) => kind === 'text').length;
  const ofFiles = pulled.secrets.secretFiles.size;
  const count = inFile + ofFiles;
  const hasVariables = pulled.report.variables.length > 0;
  return {
    name: site.server.name,
    url: plainAddress(site.server.url.href),
    files: files.map((file) => ({ path: shownAt(file.path) })),
    into: `${shownAt(site.base.path)}/`,
    own: `${shownAt(site.own.path)}/`,
    shared: site.shared,
    isWhole,
    isPart,
    ...pulled.report,
    example: hasVariables ? shownAt(EXAMPLE) : undefined,
    secrets: secrets && { path: secrets.path, count, files: ofFiles },
    next: isWhole ? nextSteps(pull, files, shownAt) : [],
  };
}

/**
 * Notes that the server may hide its secrets: they are comments in the new
 * files, which no later pull writes again.
 */
function hiddenSecrets({ emptySecrets }: Pulled): Diagnostic[] {
  if (emptySecrets.length === 0) return [];
  const hint =
    'Ignore this if they were never set. If this server hides secrets, delete the new files, write hidesSecrets: true at the server in setpoint.yaml, and pull again.';
  const facts = { ...aboutFields(emptySecrets), isSent: false, hint };
  return [diagnostic('hides-secrets', facts)];
}

/** Lists what a person does next; each command runs as it is printed. */
function nextSteps(
  pull: Pull,
  files: readonly FileToWrite[],
  shownAt: (path: string) => string,
): PullStep[] {
  const { secrets } = pull;
  const isInPlace = files.some(({ path }) => path === PROJECT_FILE);
  const steps = isInPlace ? [] : listingSteps(pull);
  if (files.length === 0 && secrets === undefined) return steps;
  if (secrets === undefined) steps.push(...variableSteps(pull, shownAt));
  else steps.push(...secretSteps(pull, secrets, isInPlace));
  const folder = shownAt('.');
  if (folder !== '') steps.push(command(`cd ${shellWord(folder)}`));
  // A new entry of a shared layer concerns the other servers too.
  steps.push(command('setpoint plan'));
  return steps;
}

/** Lists what `setpoint.yaml` lacks. */
function listingSteps(pull: Pull): PullStep[] {
  const { isListed, known, project, server } = pull.site;
  if (project === undefined) return [];
  const listed = listedServer(pull);
  if (!isListed)
    return [
      words('Add the server to setpoint.yaml:'),
      command(serverLine(listed)),
    ];
  if (listed.layers.length === known.length) return [];
  const say = `Let setpoint.yaml say this of ${server.name}:`;
  return [words(say), command(configLine(listed))];
}

/** Says how an apply gets the variables: no other command needs them. */
function variableSteps(
  { site, pulled }: Pull,
  shownAt: (path: string) => string,
): PullStep[] {
  if (pulled.report.variables.length === 0) return [];
  const listed = listedSecretsFile(site);
  const how =
    listed === undefined
      ? `copy ${shownAt(EXAMPLE)} to a file that git ignores, fill it in, and pass it with --secrets-file.`
      : `write them into ${listed}, which setpoint.yaml names.`;
  return [words(`Only apply needs the secrets: ${how}`)];
}

function secretSteps(
  { site, pulled }: Pull,
  { path, inProject }: SecretsFile,
  isInPlace: boolean,
): PullStep[] {
  const steps: PullStep[] = [];
  const shown = [...pulled.secrets.shown.values()];
  if (shown.some(({ kind }) => kind === 'hidden'))
    steps.push(words(`Write into ${path} what the server does not show.`));
  const isListed = isInPlace || listedSecretsFile(site) === inProject;
  if (shown.length > 0 && (inProject === undefined || !isListed))
    steps.push(words(`Pass ${path} to apply with --secrets-file.`));
  return steps;
}

function words(text: string): PullStep {
  return { text, isCommand: false };
}

function command(text: string): PullStep {
  return { text, isCommand: true };
}
