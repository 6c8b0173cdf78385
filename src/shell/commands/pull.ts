import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainAddress } from '../../core/config/server-url.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { selectedBy } from '../../core/model/selected.ts';
import {
  configLine,
  type ListedServer,
  projectText,
  serverLine,
} from '../../core/pull/project-files.ts';
import { type Pulled, pullEntries } from '../../core/pull/pull.ts';
import { UNSHOWN } from '../../core/pull/secrets.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import { type PullReport, renderPull } from '../../core/report/text/pull.ts';
import {
  command,
  layerSteps,
  type Step,
  words,
} from '../../core/report/text/steps.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { fail, failUsage } from '../failure.ts';
import { writeFileWithin } from '../new-file.ts';
import { readWhole } from '../reconcile/live.ts';
import { type PullSite, pullSite } from '../reconcile/pull-site.ts';
import { type SecretsFile, secretsFile } from '../reconcile/secrets-file.ts';
import type { CommandBody, Run } from '../run.ts';
import {
  PROJECT_FILE,
  readTextFile,
  shellWord,
  shownPath,
} from '../sources/files.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';

/** A pull before its files are written. */
interface Pull {
  site: PullSite;
  pulled: Pulled;
  /** The file of secrets, if a flag named one. */
  secrets: SecretsFile | undefined;
}

/**
 * Writes configuration for what is installed and not managed yet; a second run
 * writes none.
 */
export const pull: CommandBody = async (run) => {
  const { options } = run;
  const { only, secretsFile: paths = [] } = options;
  // Here the flag names the file to write.
  const site = await pullSite(run, { ...options, secretsFile: [] });
  const { input, warnings, root, server } = site;
  if (only !== undefined && input.isFirst) {
    failUsage(
      'The first pull of a server that shares layers is of all that is installed.',
      'Leave out --only, or pull a full copy with --separate.',
    );
  }
  const [path, ...morePaths] = paths;
  if (morePaths.length > 0) failUsage('pull writes one --secrets-file.');
  let secrets: SecretsFile | undefined;
  if (path !== undefined) secrets = await secretsFile(run, path, root);
  const live = await readWhole(run, [server]);
  const pulled = pullEntries({ ...input, live });
  const { names } = pulled;
  if (only !== undefined && !selectedBy(only)(...names)) {
    fail(diagnostic('unknown-name', { word: only, of: 'entry', names }));
  }
  const state: Pull = { site, pulled, secrets };
  const files = await filesToWrite(run, state, live);
  // A signal that came meanwhile is heard here.
  await setImmediate();
  const isWritten = await writePulled(run, state, files);
  if (!isWritten) return { diagnostics: warnings };
  const servers = [reportOf(run, state, files)] as const;
  return {
    diagnostics: warnings,
    report: linesReport({ servers }, renderPull),
  };
};

/** Reports a pull that wrote all of its files, and the next steps. */
function reportOf(
  run: Run,
  pull: Pull,
  files: readonly FileToWrite[],
): PullReport {
  const { site, pulled, secrets } = pull;
  const shownAt = (file: string): string =>
    shownPath(join(site.folder, file), run.runtime.cwd);
  const texts = [...pulled.shown.values()].filter(
    (text) => typeof text !== 'string',
  );
  return {
    name: site.server.name,
    url: plainAddress(site.server.url.href),
    files: files.map((file) => ({ path: shownAt(file.path) })),
    into: `${shownAt(site.base.path)}/`,
    own: `${shownAt(site.own.path)}/`,
    ...pulled.report,
    secrets: secrets && { path: secrets.path, count: texts.length },
    next: nextSteps(pull, files, shownAt('.')),
  };
}

/** Lists what a person does next; each command runs as it is printed. */
function nextSteps(
  pull: Pull,
  files: readonly FileToWrite[],
  folder: string,
): Step[] {
  const isInPlace = files.some(({ path }) => path === PROJECT_FILE);
  const steps = isInPlace ? [] : listingSteps(pull);
  if (files.length === 0 && pull.secrets === undefined) return steps;
  steps.push(...secretSteps(pull, isInPlace));
  if (folder !== '') steps.push(command(`cd ${shellWord(folder)}`));
  // A new entry of a shared layer concerns the other servers too.
  steps.push(command('setpoint plan'));
  return steps;
}

/** Lists what `setpoint.yaml` lacks. */
function listingSteps(pull: Pull): Step[] {
  const { listed, known, project, server } = pull.site;
  if (project === undefined) return [];
  const wanted = listedServer(pull);
  if (listed === undefined)
    return [
      words('Add the server to setpoint.yaml:'),
      command(serverLine(wanted)),
    ];
  if (wanted.layers.length === known.length) return [];
  return layerSteps(server.name, configLine(wanted.layers));
}

function secretSteps(
  { site, pulled, secrets }: Pull,
  isInPlace: boolean,
): Step[] {
  const { shown, report } = pulled;
  const named = site.listed?.secretsFile?.text;
  const steps: Step[] = [];
  if (secrets !== undefined) {
    const { path, inProject } = secrets;
    if ([...shown.values()].includes(UNSHOWN))
      steps.push(words(`Write into ${path} what the server does not show.`));
    const isNamed =
      inProject !== undefined && (isInPlace || named === inProject);
    if (shown.size > 0 && !isNamed)
      steps.push(words(`Pass ${path} to apply with --secrets-file.`));
  } else if (report.variables.length > 0) {
    const how =
      named === undefined
        ? 'setpoint pull --secrets-file FILE writes those that the server shows.'
        : `write them into ${named}, which setpoint.yaml names.`;
    steps.push(words(`Only apply needs the secrets: ${how}`));
  }
  return steps;
}

/** A file to write, by its path in the folder of the configuration. */
interface FileToWrite {
  path: string;
  text: string;
  /** Whether it takes the place of an older one. */
  isRenewed: boolean;
}

const PROJECT_SCHEMA = 'schemas/setpoint.yaml.schema.json';

/**
 * Makes the files of a pull, each after those that it names. What is as it
 * should be is left out.
 */
async function filesToWrite(
  run: Run,
  pull: Pull,
  live: readonly LiveIntegration[],
): Promise<FileToWrite[]> {
  const { site, pulled } = pull;
  const { folder, project, listed, input } = site;
  const { schema, layers } = input;
  const isEmpty = layers.every((layer) => layer.files.length === 0);
  if (pulled.files.length === 0 && isEmpty) return [];
  const files: FileToWrite[] = [];
  const add = async (
    path: string,
    textOf: (old: string | undefined) => string,
  ): Promise<void> => {
    const read = await readTextFile(run, join(folder, path));
    const old = 'text' in read ? read.text : undefined;
    const text = textOf(old);
    if (text !== old) files.push({ path, text, isRenewed: old !== undefined });
  };
  // It has what earlier pulls found on any server, too.
  const before = project && (await readPulledSchema(run, folder));
  const known = tailoredSchema([...(before ?? []), ...live]);
  await add(schema, () => jsonDocument(run.writer.mask.data(known)));
  for (const { path, text } of pulled.files) await add(path, () => text);
  if (project === undefined)
    await add(
      PROJECT_SCHEMA,
      () => `${JSON.stringify(projectSchema, null, 2)}\n`,
    );
  const isHere = project === undefined || project.folder === folder;
  if (listed === undefined && isHere)
    await add(PROJECT_FILE, (old) =>
      projectText(old, listedServer(pull), PROJECT_SCHEMA),
    );
  return files;
}

/** Returns the server as a `setpoint.yaml` should list it. */
export function listedServer({ site, pulled, secrets }: Pull): ListedServer {
  const { server, known, base, project, folder, input } = site;
  const named = (path: string): string =>
    `${shownPath(join(folder, path), project?.folder ?? folder)}/`;
  const layers: string[] = [];
  for (const [index, layer] of site.layers.entries()) {
    const { path } = layer;
    const isUsed =
      input.layers[index]?.files.length !== 0 ||
      pulled.files.some((file) => file.path.startsWith(path));
    if (known.includes(layer)) layers.push(path);
    else if (isUsed) layers.push(named(path));
  }
  if (layers.length === 0) layers.push(named(base.path));
  const { name, url, hidesSecrets } = server;
  const address = plainAddress(url.href);
  const secretsFile = secrets?.inProject;
  return { name, url: address, layers, hidesSecrets, secretsFile };
}

/**
 * Writes the secrets that the server shows, then the files, each whole or not
 * at all. Returns false if a signal ended that.
 */
async function writePulled(
  { interruption, runtime }: Run,
  { site, pulled, secrets }: Pull,
  files: readonly FileToWrite[],
): Promise<boolean> {
  const { stopping } = interruption;
  if (secrets !== undefined && !stopping.aborted) {
    const { path } = secrets;
    const reason = await secrets.write(pulled.shown);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason }));
  }
  const written: string[] = [];
  for (const { path: way, text, isRenewed } of files) {
    if (stopping.aborted) return false;
    const { folder } = site;
    const reason = await writeFileWithin(folder, way, text, { isRenewed });
    const path = shownPath(join(folder, way), runtime.cwd);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
  return true;
}
