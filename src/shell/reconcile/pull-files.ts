import { join } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { urlText } from '../../core/config/server-url.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { exampleText } from '../../core/pull/dotenv.ts';
import { projectText, withServer } from '../../core/pull/project-text.ts';
import type { PulledEntries } from '../../core/pull/pull.ts';
import { jsonDocument } from '../../core/report/escape-sinks.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { writeFileWithin } from '../new-file.ts';
import type { Run } from '../run.ts';
import { readRegularFile, shownPath } from '../sources/files.ts';
import type { PullTarget } from './pull-target.ts';

/** A file to write, by its path in the folder of the configuration. */
export interface PullFile {
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

/** The path of the schema of a server. */
export function schemaPath({ server }: Pick<PullTarget, 'server'>): string {
  return `schemas/${server.name}.schema.json`;
}

/** What a pull writes, in this order: what names other files comes after them. Files that are as they should be are left out. */
export async function pullFiles(
  run: Run,
  target: PullTarget,
  { files, needed }: PulledEntries,
  live: readonly LiveIntegration[],
): Promise<readonly PullFile[]> {
  const { into } = target;
  const schema = jsonDocument(run.secrets.mask.data(tailoredSchema(live)));
  const isEmpty = files.length === 0 && target.existing.entries.length === 0;
  const wanted: Wanted[] = [
    [schemaPath(target), () => schema],
    [EXAMPLE, (old) => (needed.length === 0 ? old : exampleText(old, needed))],
    ...files.map(({ name, text }): Wanted => [`${into}${name}.yaml`, () => text]),
    [
      PROJECT_SCHEMA,
      (old) => (target.project === undefined ? `${JSON.stringify(projectSchema, null, 2)}\n` : old),
    ],
    [PROJECT_FILE, (old) => listing(target, old)],
  ];
  const made = await Promise.all(isEmpty ? [] : wanted.map((each) => changed(run, target, each)));
  return made.flatMap((each) => each ?? []);
}

/** The path of a file, and its text from the one that it has. */
type Wanted = readonly [path: string, text: (old: string | undefined) => string | undefined];

async function changed(
  run: Run,
  { folder }: PullTarget,
  [path, textOf]: Wanted,
): Promise<PullFile | undefined> {
  const content = await readRegularFile(run, join(folder, path), { most: LARGEST });
  const old = 'bytes' in content ? content.bytes.toString() : undefined;
  const text = textOf(old);
  return text === undefined || text === old ? undefined : { path, text, isRenewed: old !== undefined };
}

/** The `setpoint.yaml` of the folder, with the server in it. */
function listing(target: PullTarget, old: string | undefined): string | undefined {
  const { project, folder, isListed } = target;
  if (isListed || (project !== undefined && project.folder !== folder)) return old;
  const server = listedServer(target);
  return old === undefined ? projectText(server, PROJECT_SCHEMA) : (withServer(old, server) ?? old);
}

/** The server as a `setpoint.yaml` lists it. */
export function listedServer({ server, project, folder, into }: PullTarget) {
  const layer = `${shownPath(join(folder, into), project?.folder ?? folder)}/`;
  const { name, url, hidesSecrets } = server;
  return { name, url: urlText(url), layers: [layer], hidesSecrets };
}

/** Writes files one by one, each whole or not at all, until one fails or a signal comes. Returns those that are written. */
export async function writeFiles(run: Run, folder: string, files: readonly PullFile[]) {
  for (const [at, { path, text, isRenewed }] of files.entries()) {
    const done = files.slice(0, at);
    if (run.interruption.stopping.aborted) return { files: done, diagnostics: [] };
    const reason = await writeFileWithin(folder, path, text, { isRenewed });
    if (reason === undefined) continue;
    const facts = { path: shownPath(join(folder, path), run.runtime.cwd), reason };
    const written = done.map((each) => each.path);
    return { files: done, diagnostics: [diagnostic('file-unwritable', { ...facts, written })] };
  }
  return { files, diagnostics: [] };
}
