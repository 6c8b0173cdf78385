import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { plainAddress } from '../../core/config/server-url.ts';
import { aboutFields } from '../../core/findings/about.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  configLine,
  exampleText,
  type ListedServer,
  projectText,
  serverLine,
} from '../../core/pull/project-files.ts';
import { type Pulled, pullEntries } from '../../core/pull/pull.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import {
  command,
  layerSteps,
  type Step,
  words,
} from '../../core/report/text/next.ts';
import { type PullReport, renderPull } from '../../core/report/text/pull.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { fail, failUsage } from '../failure.ts';
import { writeFileWithin } from '../new-file.ts';
import { readWhole } from '../reconcile/live.ts';
import { type PullSite, pullSite } from '../reconcile/pull-site.ts';
import type { CommandBody, Run } from '../run.ts';
import {
  PROJECT_FILE,
  readTextFile,
  shellWord,
  shownPath,
} from '../sources/files.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';
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
  const live = await readWhole(run, [site.server]);
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
  const findings = [...site.warnings, ...hiddenSecrets(pulled)];
  const files = await writePulledFiles(run, site.folder, planned, findings);
  const isWhole = files.length === planned.length;
  const report = reportOf(run, state, files, isWhole);
  return {
    diagnostics: findings,
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

/** Reports a pull; with the next steps if it wrote all files. */
function reportOf(
  run: Run,
  pull: Pull,
  files: readonly FileToWrite[],
  isWhole: boolean,
): PullReport {
  const { site, pulled, secrets } = pull;
  const shownAt = (file: string): string =>
    shownPath(join(site.folder, file), run.runtime.cwd);
  const { shown, secretFiles } = pulled.secrets;
  const texts = [...shown.values()].filter(({ kind }) => kind === 'text');
  const count = texts.length + secretFiles.size;
  const hasVariables = pulled.report.variables.length > 0;
  return {
    name: site.server.name,
    url: plainAddress(site.server.url.href),
    files: files.map((file) => ({ path: shownAt(file.path) })),
    into: `${shownAt(site.base.path)}/`,
    own: `${shownAt(site.own.path)}/`,
    shared: site.shared,
    isWhole,
    isPart: site.only !== undefined || !isWhole,
    ...pulled.report,
    example: hasVariables ? shownAt(EXAMPLE) : undefined,
    secrets: secrets && { path: secrets.path, count, files: secretFiles.size },
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
): Step[] {
  const { site, pulled, secrets } = pull;
  const isInPlace = files.some(({ path }) => path === PROJECT_FILE);
  const steps = isInPlace ? [] : listingSteps(pull);
  if (files.length === 0 && secrets === undefined) return steps;
  const listed = site.listed?.secretsFile?.text;
  if (secrets !== undefined)
    steps.push(...secretSteps(pulled, secrets, isInPlace, listed));
  else if (pulled.report.variables.length > 0) {
    const how =
      listed === undefined
        ? `copy ${shownAt(EXAMPLE)} to a file that git ignores, fill it in, and pass it with --secrets-file.`
        : `write them into ${listed}, which setpoint.yaml names.`;
    steps.push(words(`Only apply needs the secrets: ${how}`));
  }
  const folder = shownAt('.');
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
  { secrets: { shown } }: Pulled,
  { path, inProject }: SecretsFile,
  isInPlace: boolean,
  listed: string | undefined,
): Step[] {
  const steps: Step[] = [];
  if ([...shown.values()].some(({ kind }) => kind === 'hidden'))
    steps.push(words(`Write into ${path} what the server does not show.`));
  const isListed =
    inProject !== undefined && (isInPlace || listed === inProject);
  if (shown.size > 0 && !isListed)
    steps.push(words(`Pass ${path} to apply with --secrets-file.`));
  return steps;
}

/** A pull before its files are written. */
interface Pull {
  readonly site: PullSite;
  readonly live: readonly LiveIntegration[];
  readonly pulled: Pulled;
  /** The file of secrets, if a flag named one. */
  readonly secrets: SecretsFile | undefined;
}

/** A file to write, by its path in the folder of the configuration. */
interface FileToWrite {
  readonly path: string;
  readonly text: string;
  /** Whether it takes the place of an older one. */
  readonly isRenewed: boolean;
}

/** The file that names all variables, without their values. */
const EXAMPLE = '.env.example';

const PROJECT_SCHEMA = 'schemas/setpoint.yaml.schema.json';

/** The most bytes of a file that is renewed. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Makes the files of a pull, each after those that it names. What is as it
 * should be is left out.
 */
async function filesToWrite(run: Run, pull: Pull): Promise<FileToWrite[]> {
  const { site, live, pulled } = pull;
  const { folder, project, schema } = site;
  const isEmpty = site.layers.every((layer) => layer.files.length === 0);
  if (pulled.files.length === 0 && isEmpty) return [];
  const files: FileToWrite[] = [];
  const add = async (
    path: string,
    textOf: (old: string | undefined) => string,
  ): Promise<void> => {
    const read = await readTextFile(run, join(folder, path), { most: LARGEST });
    const old = 'text' in read ? read.text : undefined;
    const text = textOf(old);
    if (text !== old) files.push({ path, text, isRenewed: old !== undefined });
  };
  const before = await knownIntegrations(run, site);
  const known = tailoredSchema([...before, ...live]);
  await add(schema, () => jsonDocument(run.writer.mask.data(known)));
  const { variables } = pulled.report;
  const listed = listsHere(site) ? pull.secrets?.inProject : undefined;
  const secretsFile = site.listed?.secretsFile?.text ?? listed;
  if (variables.length > 0)
    await add(EXAMPLE, (old) => exampleText(old, variables, secretsFile));
  for (const { path, text } of pulled.files) await add(path, () => text);
  if (project === undefined)
    await add(
      PROJECT_SCHEMA,
      () => `${JSON.stringify(projectSchema, null, 2)}\n`,
    );
  if (listsHere(site))
    await add(PROJECT_FILE, (old) =>
      projectText(old, listedServer(pull), PROJECT_SCHEMA),
    );
  return files;
}

/** What schemas of earlier pulls have of any server. */
async function knownIntegrations(
  run: Run,
  { project, folder, schema }: PullSite,
): Promise<LiveIntegration[]> {
  const integrations: LiveIntegration[] = [];
  for (const { name } of project?.project.servers ?? []) {
    const read = await readPulledSchema(run, name, { path: '', base: folder });
    integrations.push(...(read?.integrations ?? []));
    if (read?.path.endsWith(schema)) break;
  }
  return integrations;
}

/** Whether the folder's own setpoint.yaml is to list the server. */
function listsHere({ project, listed, folder }: PullSite): boolean {
  return !listed && (project === undefined || project.folder === folder);
}

/** Returns the server as a `setpoint.yaml` should list it. */
export function listedServer({ site, pulled, secrets }: Pull): ListedServer {
  const { server, known, base, project, folder } = site;
  const named = (path: string): string =>
    `${shownPath(join(folder, path), project?.folder ?? folder)}/`;
  const layers: string[] = [];
  for (const [index, layer] of site.read.entries()) {
    const { path } = layer;
    const isUsed =
      site.layers[index]?.files.length !== 0 ||
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
 * Writes files one by one, each whole or not at all, until one fails or a
 * signal comes. Returns those that were written.
 */
async function writePulledFiles(
  { interruption, runtime }: Run,
  folder: string,
  files: readonly FileToWrite[],
  findings: Diagnostic[],
): Promise<readonly FileToWrite[]> {
  const written: FileToWrite[] = [];
  for (const file of files) {
    if (interruption.stopping.aborted) break;
    const { path: way, text, isRenewed } = file;
    const reason = await writeFileWithin(folder, way, text, { isRenewed });
    if (reason !== undefined) {
      const path = shownPath(join(folder, way), runtime.cwd);
      const ways = written.map((earlier) => earlier.path);
      const facts = { path, reason, written: ways };
      findings.push(diagnostic('file-unwritable', facts));
      break;
    }
    written.push(file);
  }
  return written;
}
