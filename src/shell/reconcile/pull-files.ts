import { join } from 'node:path';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  exampleText,
  type ListedServer,
  projectText,
} from '../../core/pull/project-files.ts';
import type { Pulled } from '../../core/pull/pull.ts';
import type { PullFolder } from '../../core/pull/state.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { writeFileWithin } from '../new-file.ts';
import type { Run } from '../run.ts';
import { PROJECT_FILE, readTextFile, shownPath } from '../sources/files.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';
import type { SecretsFile } from '../sources/secrets-file.ts';
import { isRead, type PullSite } from './pull-site.ts';

/** A pull before its files are written. */
export interface Pull {
  readonly site: PullSite;
  readonly live: readonly LiveIntegration[];
  readonly pulled: Pulled;
  /** The file of secrets, if a flag named one. */
  readonly secrets: SecretsFile | undefined;
}

/** A file to write, by its path in the folder of the configuration. */
export interface FileToWrite {
  readonly path: string;
  readonly text: string;
  /** Whether it takes the place of an older one. */
  readonly isRenewed: boolean;
}

/** The file that names all variables, without their values. */
export const EXAMPLE = '.env.example';

const PROJECT_SCHEMA = 'schemas/setpoint.yaml.schema.json';

/** The most bytes of a file that is renewed. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Makes the files of a pull, each after those that it names. What is as it
 * should be is left out.
 */
export async function filesToWrite(
  run: Run,
  pull: Pull,
): Promise<FileToWrite[]> {
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
  const secretsFile = listedSecretsFile(site) ?? listed;
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

/** The `secretsFile` that `setpoint.yaml` has for the server. */
export function listedSecretsFile({
  server,
  isListed,
  project,
}: PullSite): string | undefined {
  const servers = project?.project.servers ?? [];
  const listed = servers.find(({ name }) => isListed && name === server.name);
  return listed?.secretsFile?.text;
}

/** Whether the folder's own setpoint.yaml is to list the server. */
function listsHere({ project, isListed, folder }: PullSite): boolean {
  return !isListed && (project === undefined || project.folder === folder);
}

/** Returns the server as a `setpoint.yaml` should list it. */
export function listedServer({ site, pulled, secrets }: Pull): ListedServer {
  const { server, known, base, own, project, folder } = site;
  const layers = known.map(({ path }) => path);
  const isMissing = ({ path, taken }: PullFolder): boolean => {
    const files = pulled.files.filter((file) => file.path.startsWith(path));
    const isUsed = files.length + taken.length > 0;
    return isUsed && !isRead({ path, base: folder }, known);
  };
  const named = ({ path }: PullFolder): string =>
    `${shownPath(join(folder, path), project?.folder ?? folder)}/`;
  if (base.path !== own.path && isMissing(base)) layers.unshift(named(base));
  if (isMissing(own)) layers.push(named(own));
  if (layers.length === 0) layers.push(named(base));
  const { name, url, hidesSecrets } = server;
  const address = plainAddress(url.href);
  const secretsFile = secrets?.inProject;
  return { name, url: address, layers, hidesSecrets, secretsFile };
}

/** The files that were written, and why the rest was not. */
interface WrittenFiles {
  readonly files: readonly FileToWrite[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes files one by one, each whole or not at all, until one fails or a
 * signal comes.
 */
export async function writePulledFiles(
  run: Run,
  folder: string,
  files: readonly FileToWrite[],
): Promise<WrittenFiles> {
  const written: FileToWrite[] = [];
  for (const file of files) {
    if (run.interruption.stopping.aborted) break;
    const { path, text, isRenewed } = file;
    const reason = await writeFileWithin(folder, path, text, { isRenewed });
    if (reason !== undefined) {
      const facts = {
        path: shownPath(join(folder, path), run.runtime.cwd),
        reason,
        written: written.map((earlier) => earlier.path),
      };
      const finding = diagnostic('file-unwritable', facts);
      return { files: written, diagnostics: [finding] };
    }
    written.push(file);
  }
  return { files: written, diagnostics: [] };
}
