import { join } from 'node:path';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  exampleText,
  type ListedServer,
  projectText,
} from '../../core/pull/project-files.ts';
import type { PulledEntries } from '../../core/pull/pull.ts';
import { jsonDocument } from '../../core/report/escape.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { writeFileWithin } from '../new-file.ts';
import type { Run } from '../run.ts';
import { PROJECT_FILE, readTextFile, shownPath } from '../sources/files.ts';
import { schemaPath } from '../sources/pulled-schema.ts';
import type { PullTarget } from './pull-target.ts';

/** The file that names all variables, without their values. */
export const EXAMPLE = '.env.example';

const PROJECT_SCHEMA = 'schemas/setpoint.yaml.schema.json';

/** The state before the files of a pull are made. */
interface PullState {
  readonly target: PullTarget;
  readonly entries: PulledEntries;
  readonly live: readonly LiveIntegration[];
  /** The path of the file for secrets, if it is in the project. */
  readonly secretsFile: string | undefined;
}

/** A file to write, by its path in the folder of the configuration. */
export interface PulledFile {
  readonly path: string;
  readonly text: string;
  /** Whether it takes the place of an older one. */
  readonly isRenewed: boolean;
}

/**
 * A file with a text that may follow from its old one; undefined if there is to
 * be none.
 */
interface WantedFile {
  readonly path: string;
  readonly textOf: (old: string | undefined) => string | undefined;
}

/**
 * Makes the files of a pull, in the order of writing. Files that are as they
 * should be are left out.
 */
export async function pulledFiles(
  run: Run,
  state: PullState,
): Promise<readonly PulledFile[]> {
  const { target, entries } = state;
  const { length: newEntries } = entries.files;
  if (newEntries === 0 && target.existing.entries.length === 0) return [];
  const wanted = wantedFiles(run, state);
  const texts = await Promise.all(
    wanted.map(({ path }) => readOld(run, join(target.folder, path))),
  );
  const files: PulledFile[] = [];
  for (const [index, { path, textOf }] of wanted.entries()) {
    const old = texts[index];
    const text = textOf(old);
    if (text === undefined || text === old) continue;
    files.push({ path, text, isRenewed: old !== undefined });
  }
  return files;
}

/** Lists the files of a pull: each comes after those that it names. */
function wantedFiles(run: Run, state: PullState): WantedFile[] {
  const { target, entries, live } = state;
  const schema = run.writer.mask.data(tailoredSchema(live));
  const schemaText = jsonDocument(schema);
  const wanted: WantedFile[] = [
    { path: schemaPath(target.server.name), textOf: () => schemaText },
  ];
  const { needed } = entries;
  if (needed.length > 0) {
    const textOf = (old: string | undefined): string =>
      exampleText(old, needed, secretsFileOf(state));
    wanted.push({ path: EXAMPLE, textOf });
  }
  for (const { name, text } of entries.files) {
    wanted.push({ path: `${target.into}${name}.yaml`, textOf: () => text });
  }
  if (target.project === undefined) {
    const text = `${JSON.stringify(projectSchema, null, 2)}\n`;
    wanted.push({ path: PROJECT_SCHEMA, textOf: () => text });
  }
  if (listsHere(target)) {
    const server = listedServer(state);
    const textOf = (old: string | undefined): string =>
      projectText(old, server, PROJECT_SCHEMA);
    wanted.push({ path: PROJECT_FILE, textOf });
  }
  return wanted;
}

/** The file that `setpoint.yaml` names, or is about to, for the variables. */
function secretsFileOf({ target, secretsFile }: PullState): string | undefined {
  if (target.isListed) return listedSecretsFile(target);
  return listsHere(target) ? secretsFile : undefined;
}

/** The `secretsFile` that `setpoint.yaml` has for the server. */
export function listedSecretsFile({
  server,
  project,
}: PullTarget): string | undefined {
  const servers = project?.project.servers ?? [];
  const listed = servers.find(({ name }) => name === server.name);
  return listed?.secretsFile?.text;
}

/** True if the folder's own setpoint.yaml is to list the server. */
function listsHere({ project, isListed, folder }: PullTarget): boolean {
  return !isListed && (project === undefined || project.folder === folder);
}

/** Returns the server as a `setpoint.yaml` lists it. */
export function listedServer(state: ListingState): ListedServer {
  const { target, entries, secretsFile } = state;
  const { server, shared } = target;
  const { name, url, hidesSecrets } = server;
  const layers = shared.map(({ path }) => path);
  // A folder without files is no layer.
  const isUsed = entries.files.length > 0 || target.taken.length > 0;
  if (isUsed || shared.length === 0) layers.push(ownLayer(target));
  const address = plainAddress(url.href);
  return { name, url: address, layers, hidesSecrets, secretsFile };
}

/** What a `setpoint.yaml` says of a pulled server. */
type ListingState = Omit<PullState, 'live'>;

/** The folder of new entries as a `setpoint.yaml` names it. */
export function ownLayer({ project, folder, into }: PullTarget): string {
  const root = project?.folder ?? folder;
  return `${shownPath(join(folder, into), root)}/`;
}

/** The most bytes of a file that is renewed. */
const LARGEST = 64 * 1024 * 1024;

async function readOld(run: Run, path: string): Promise<string | undefined> {
  const content = await readTextFile(run, path, { most: LARGEST });
  return 'text' in content ? content.text : undefined;
}

/** The files that were written, and why the rest was not. */
interface WrittenFiles {
  readonly files: readonly PulledFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes files one by one, each whole or not at all, until one fails or a
 * signal comes.
 */
export async function writePulledFiles(
  run: Run,
  folder: string,
  files: readonly PulledFile[],
): Promise<WrittenFiles> {
  const written: PulledFile[] = [];
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
