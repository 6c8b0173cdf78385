import { PROJECT_FILE } from '../../core/config/project.ts';
import { urlText } from '../../core/config/server-url.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { hide } from '../../core/model/secret.ts';
import type { AdoptedEntry } from '../../core/pull/adopted-entry.ts';
import { settingsOf } from '../../core/pull/dotenv.ts';
import { entriesText, exampleText, type NewFile, projectText } from '../../core/pull/files.ts';
import { isDeviceName } from '../../core/pull/logical-names.ts';
import type { NeededVariable } from '../../core/pull/variables.ts';
import { jsonDocument } from '../../core/report/escape-sinks.ts';
import { tailoredSchema } from '../../core/schema/tailored-schema.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { freePath, isThere } from '../new-file.ts';
import { isInside, realPath } from '../report-target.ts';
import type { Run } from '../run.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import { shownPath } from '../sources/work-tree.ts';
import { inFolder, type PullTarget, pathFrom } from './pull-target.ts';

/** The new files of a pull, in the order in which they are written: what names others comes after them. */
export interface PullFiles {
  readonly files: readonly NewFile[];
  /** The file that names the variables. */
  readonly example?: string | undefined;
  /** The schema for editors, if it is there already and differs. */
  readonly staleSchema?: string | undefined;
}

const EXAMPLE = '.env.example';
const SCHEMAS = 'schemas';

/** The most bytes of a file that is compared with a new one. */
const LARGEST = 64 * 1024 * 1024;

/** Lays out entries in files that are not there yet. */
export async function pullFiles(
  run: Run,
  target: PullTarget,
  entries: readonly AdoptedEntry[],
  live: readonly LiveIntegration[],
): Promise<PullFiles> {
  const { folder, server, into, project, existing } = target;
  const schema = schemaPath(server.name);
  if (entries.length === 0) {
    // An earlier pull may have been interrupted before its last file.
    const files = project === undefined && existing.length > 0 ? await projectFiles(target) : [];
    return { files: files.map((file) => withLineEnds(file, target)) };
  }
  const needed = entries.flatMap((entry) => entry.needed);
  const schemaFile = { path: schema, text: schemaText(run, live) };
  const isOld = await isThere(inFolder(target, schema));
  const isNamed = await namesAll(run, inFolder(target, EXAMPLE), needed);
  const example = isNamed ? EXAMPLE : await freePath(folder, EXAMPLE);
  const placed = into.endsWith('/') ? await oneEach(target, entries) : [{ path: into, entries }];
  const described = placed.map(({ path, entries: own }) => ({
    path,
    text: entriesText(own, pathFrom(inFolder(target, path), inFolder(target, schema))),
  }));
  const files = [
    ...(isOld ? [] : [schemaFile]),
    ...(isNamed || needed.length === 0 ? [] : [{ path: example, text: exampleText(server.name, needed) }]),
    ...described,
    ...(project === undefined ? await projectFiles(target, into) : []),
  ];
  return {
    files: files.map((file) => withLineEnds(file, target)),
    example: needed.length === 0 ? undefined : example,
    staleSchema: isOld && !(await holds(run, inFolder(target, schema), schemaFile.text)) ? schema : undefined,
  };
}

/** Whether a pull may write a file, by its path with links resolved. */
export async function isPullFile({ folder, into }: PullTarget, real: string): Promise<boolean> {
  const home = await realPath(folder);
  const path = shownPath(real, home).toLowerCase();
  const isExample = new RegExp(`^${EXAMPLE.replace('.', '\\.')}(-\\d+)?$`).test(path);
  const folders = [SCHEMAS, into.replace(/\/$/, '')].map((each) => each.toLowerCase());
  const isOrHolds = isInside(real, home) || real === home;
  return isExample || isOrHolds || folders.some((each) => path === each || path.startsWith(`${each}/`));
}

/** YAML has the line ends of that which is there. */
function withLineEnds({ path, text }: NewFile, { newline }: PullTarget): NewFile {
  return { path, text: /\.ya?ml$/i.test(path) ? text.replaceAll('\n', newline) : text };
}

/** A file for each entry; another name where something has its name. */
async function oneEach({ folder, into }: PullTarget, entries: readonly AdoptedEntry[]) {
  const taken = new Set<string>();
  const files: { path: string; entries: readonly AdoptedEntry[] }[] = [];
  for (const entry of entries) {
    const path = await freePath(folder, `${into}${entry.name}.yaml`, taken);
    taken.add(path);
    files.push({ path, entries: [entry] });
  }
  return files;
}

/** Whether a dotenv file names all variables: a pull that was interrupted may have written it. */
async function namesAll(run: Run, path: string, needed: readonly NeededVariable[]): Promise<boolean> {
  const content = await readRegularFile(run, path, { most: LARGEST });
  if (!('bytes' in content)) return false;
  const named = settingsOf(hide(content.bytes.toString()));
  return needed.every(({ variable }) => named.has(variable));
}

/** The path of the schema of a server. */
function schemaPath(name: string): string {
  const isReserved = isDeviceName(name) || name.toLowerCase() === 'project';
  return `${SCHEMAS}/${name}${isReserved ? '-server' : ''}.schema.json`;
}

/** The schema as the command `schema` prints it: texts of the server without known secrets. */
function schemaText(run: Run, live: readonly LiveIntegration[]): string {
  return jsonDocument(run.secrets.mask.data(tailoredSchema(live)));
}

/** A `setpoint.yaml` that lists what has entries, and `more`. */
async function projectFiles(target: PullTarget, more?: string): Promise<NewFile[]> {
  const { server, unlisted } = target;
  const layers = [...new Set([...unlisted, ...(more === undefined ? [] : [more])])];
  const schema = `${SCHEMAS}/project.schema.json`;
  const isOld = await isThere(inFolder(target, schema));
  return [
    ...(isOld ? [] : [{ path: schema, text: `${JSON.stringify(projectSchema, null, 2)}\n` }]),
    { path: PROJECT_FILE, text: projectText(server.name, urlText(server.url), layers, schema) },
  ];
}

async function holds(run: Run, path: string, text: string): Promise<boolean> {
  const content = await readRegularFile(run, path, { most: LARGEST });
  return 'bytes' in content && content.bytes.toString() === text;
}
