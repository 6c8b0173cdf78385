import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type AcceptedFile,
  acceptDrift,
  type EditedFile,
  type EditedServer,
  type OwnLayer,
} from '../../core/accept/accept.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { grouped } from '../../core/model/json.ts';
import { toldApart } from '../../core/model/look-alike.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import type { OptionValue } from '../../core/model/value.ts';
import { unmetChoices } from '../../core/plan/unmet.ts';
import { configLine } from '../../core/pull/project-files.ts';
import { visible } from '../../core/report/escape.ts';
import { valueText } from '../../core/report/model/sides.ts';
import {
  type LinesReport,
  linesReport,
  type View,
} from '../../core/report/report.ts';
import { withShownTexts } from '../../core/report/text/frame.ts';
import {
  layerSteps,
  nextLines,
  type Step,
} from '../../core/report/text/next.ts';
import { filled, paragraphs } from '../../core/report/wrap.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { allOrFail, fail, failUsage, systemReason } from '../failure.ts';
import { replaceFile, writeFileWithin } from '../new-file.ts';
import { isInside, realPath } from '../paths.ts';
import { type OfflinePlan, planServers } from '../reconcile/plan.ts';
import { type Prepared, prepare } from '../reconcile/prepare.ts';
import type { CommandBody, Run } from '../run.ts';
import { findingsOn, unworked, valuesOf } from '../servers/results.ts';
import { configReader, isAround, layerPath } from '../sources/config.ts';
import {
  configRoot,
  readTextFile,
  shownPath,
  unreadable,
} from '../sources/files.ts';
import {
  type FoundProject,
  findProject,
  layersOf,
} from '../sources/project.ts';
import { SCHEMA } from '../sources/pulled-schema.ts';

/**
 * Accepts drift: writes what servers hold into the files that declare it, or
 * into the layer of a server alone. Never writes to a server.
 */
export const accept: CommandBody = async (run, options, addresses) => {
  const { all = false, yes = false } = options;
  checkArguments(addresses, all);
  const { servers, names, warnings } = await prepare(run, options);
  const results = await planServers(run, options, servers);
  const planned = valuesOf(results);
  // No accepting reads the values that a note may be about.
  const findings = [...warnings, ...findingsOn(results)].filter(
    ({ code }) => code !== 'hides-secrets',
  );
  if (planned.length < servers.length) {
    findings.push(...keptBack(planned, unworked(results)));
    return { diagnostics: findings };
  }
  const choices = { ...options, writeHidden: addresses };
  findings.push(...unmetChoices(choices, names, planned));
  if (hasErrors(findings)) fail(...findings);
  if (!yes && !run.runtime.canAsk)
    fail(diagnostic('not-confirmed', { isAsked: false }));
  const edited = await editedServers(run, servers, planned);
  const { mask } = run.writer;
  const holdsSecret = (text: string): boolean => mask.text(text) !== text;
  const drift = acceptDrift(edited, { addresses, holdsSecret });
  findings.push(...drift.diagnostics);
  const { files } = drift;
  const edits = editsOf(planned, edited, files);
  if (files.length === 0)
    return { diagnostics: findings, report: editsReport(edits, 'proposed') };
  const targets = await targetsOf(run, servers, files);
  if (!yes && !(await isConfirmed(run, edits, findings))) {
    findings.push(diagnostic('not-confirmed', { isAsked: true }));
    return { diagnostics: findings };
  }
  await writeFiles(run, targets);
  const report = editsReport(edits, yes ? 'written' : 'confirmed');
  return { diagnostics: findings, report };
};

function checkArguments(addresses: readonly string[], all: boolean): void {
  if (all && addresses.length > 0) {
    failUsage('--all cannot be combined with addresses.');
  }
  if (!all && (addresses.length === 0 || addresses.includes('all'))) {
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
  }
}

/** Warns that servers that could not be read keep back the drift of others. */
function keptBack(
  planned: readonly OfflinePlan[],
  unplanned: readonly string[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const facts = { integrations: [], unplanned, command: 'accept' } as const;
  return [diagnostic('not-attempted', facts)];
}

/** A server with the layer that it alone reads. */
interface OwnedServer extends EditedServer {
  readonly own?: Own | undefined;
}

interface Own extends OwnLayer {
  /** What a person does if `setpoint.yaml` does not list it. */
  readonly next: readonly Step[];
}

/**
 * Finds the servers whose files may be edited, and all others of setpoint.yaml,
 * which are read offline.
 */
async function editedServers(
  run: Run,
  servers: readonly Prepared[],
  planned: readonly OfflinePlan[],
): Promise<readonly OwnedServer[]> {
  const project = await findProject(run);
  const readConfig = configReader(run);
  const reading = servers.map(async (server): Promise<OwnedServer> => {
    const { name, config } = server;
    const files = await editedFiles(run, server.files);
    const own = project && ownLayer(run, server, project);
    const plan = planned.find((offline) => offline.plan.name === name);
    return { name, files, config, own, planned: plan };
  });
  const names = new Set(servers.map(({ name }) => name));
  for (const other of project?.project.servers ?? []) {
    const { name } = other;
    if (project === undefined || names.has(name)) continue;
    const read = async (): Promise<OwnedServer> => {
      const config = await readConfig(layersOf(other, project));
      const { value, files, diagnostics } = config;
      if (value === undefined || hasErrors(diagnostics)) fail(...diagnostics);
      const ofServer = { files: await editedFiles(run, files) };
      return { name, ...ofServer, config: resolveConfig(value) };
    };
    reading.push(read());
  }
  return allOrFail(reading);
}

/**
 * Finds the last layer of a server, if it alone reads that, or else the folder
 * where a pull would write; undefined if other servers would read it.
 */
function ownLayer(
  run: Run,
  { name, layers, sharedLayers, files }: Prepared,
  found: FoundProject,
): Own | undefined {
  if (sharedLayers === undefined) return undefined;
  const { project, folder } = found;
  const last = layers.at(-1);
  const isShared = sharedLayers.includes(layers.length - 1);
  const isListed = last !== undefined && !isShared && !last.path.includes('*');
  const layer = isListed ? last : { path: `servers/${name}/`, base: folder };
  const known = project.servers.flatMap((each) => layersOf(each, found));
  if (!isListed && known.some((each) => isAround(layer, each)))
    return undefined;
  const absolute = layerPath(layer);
  const path = shownPath(absolute, run.runtime.cwd);
  const paths = isListed ? (files.at(-1) ?? []).map((file) => file.path) : [];
  const isFile = paths.includes(path);
  const hasSchema = existsSync(join(folder, SCHEMA));
  const line = configLine([...layers, layer].map((each) => each.path));
  return {
    path: isFile || path === '' ? path : `${path}/`,
    files: paths,
    isUnread: !isListed && existsSync(absolute),
    schema: hasSchema ? shownPath(join(folder, SCHEMA), absolute) : undefined,
    next: isListed ? [] : layerSteps(name, line),
  };
}

/** Finds where the links of files lead. */
function editedFiles(
  run: Run,
  layers: readonly (readonly SourceFile[])[],
): Promise<readonly EditedFile[]> {
  const editedFile = async (file: SourceFile): Promise<EditedFile> => {
    const absolute = resolve(run.runtime.cwd, file.path);
    return { ...file, real: await realPath(absolute) };
  };
  return Promise.all(layers.flat().map(editedFile));
}

/** A field whose declared value becomes the live one, as it is shown. */
interface ShownEdit {
  readonly server: string;
  readonly address: string;
  readonly place: Place;
  readonly before: OptionValue | null;
  readonly after: OptionValue | null;
}

/** The edits of files, and the servers that they were made for. */
interface Edits {
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly edits: readonly ShownEdit[];
  /** How many files they are in. */
  readonly files: number;
  /** What is left to do for a person. */
  readonly next: readonly Step[];
}

function editsOf(
  planned: readonly OfflinePlan[],
  servers: readonly OwnedServer[],
  files: readonly AcceptedFile[],
): Edits {
  const edits: ShownEdit[] = [];
  for (const field of files.flatMap(({ fields }) => fields)) {
    const { server, address, place, desired: before, live: after } = field;
    edits.push({ server, address, place, before, after });
  }
  const heads = planned.map(({ plan: { name, url } }) => ({ name, url }));
  const next = servers.flatMap(({ own }) => {
    const isUsed = files.some(({ path }) => own && path.startsWith(own.path));
    return own && isUsed ? own.next : [];
  });
  return { servers: heads, edits, files: files.length, next };
}

/**
 * Edits that nobody has agreed to, that were written, or that were written
 * after a person has seen them.
 */
type Stage = 'proposed' | 'written' | 'confirmed';

/** Reports edits, each in a line unless a person has seen it before. */
function editsReport({ files, ...facts }: Edits, stage: Stage): LinesReport {
  const isWritten = stage !== 'proposed';
  return linesReport({ ...facts, isWritten }, ({ edits, next }, view) => {
    // Servers share lines.
    const byLine = grouped(edits, ({ address, place }) =>
      JSON.stringify([address, place]),
    );
    const lines = [...byLine.values()].map(([edit]) => edit);
    const sum = `${count(lines.length, 'field')} in ${count(files, 'file')}`;
    const done = isWritten ? `Accepted: ${sum}.` : `To accept: ${sum}.`;
    const total = edits.length === 0 ? 'No drift to accept.' : done;
    const texts = stage === 'confirmed' ? [] : editTexts(lines, view);
    return paragraphs([
      [...texts, total],
      isWritten ? nextLines(next, view) : [],
    ]);
  });
}

function editTexts(
  edits: readonly ShownEdit[],
  { paint, width }: View,
): string[] {
  const lines: string[] = [];
  for (const { place, address, before, after } of edits) {
    const where = paint.faint(visible(`${place.file}:${place.line}`));
    const texts = toldApart([valueText(before), valueText(after)]);
    const [old = '', now = ''] = texts.map(visible);
    const edit = `${paint.remove(old)} -> ${paint.add(now)}`;
    const line = `${where} ${visible(address)} ${edit}`;
    lines.push(...filled(line, width, 4, ''));
  }
  return lines;
}

/** Shows the edits and the findings, and asks. */
function isConfirmed(
  run: Run,
  edits: Edits,
  findings: readonly Diagnostic[],
): Promise<boolean> {
  const { writer } = run;
  const proposal = editsReport(edits, 'proposed');
  writer.preview(proposal.text(writer.mask, writer.view('stderr')));
  const sources = withShownTexts(run.sources, findings);
  writer.findings(diagnosticDocuments(findings), sources);
  const question = `Write these edits to ${count(edits.files, 'file')}?`;
  return writer.confirm(question, run.interruption.stopping);
}

/** A file to write. */
interface Target extends AcceptedFile {
  /** The folder that it must be in. */
  readonly root: string;
}

/**
 * Finds the folders that files must stay in: the root of the project that names
 * a file, or that of the file itself. Fails if a file must not be edited.
 */
async function targetsOf(
  { runtime }: Run,
  servers: readonly Prepared[],
  files: readonly AcceptedFile[],
): Promise<readonly Target[]> {
  const layers = servers.flatMap((server) => server.layers);
  const targets: Target[] = [];
  for (const file of files) {
    const { path, old } = file;
    const absolute = resolve(runtime.cwd, path);
    const named = layers.find(
      (layer) => layer.root !== undefined && isInside(layer.root, absolute),
    );
    const root = named?.root ?? (await configRoot(dirname(absolute)));
    const reason = old && (await obstacleTo(old, root));
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written: [] }));
    targets.push({ ...file, root });
  }
  return targets;
}

/** Finds why a file must not be edited, or cannot be. */
async function obstacleTo(
  { real }: EditedFile,
  root: string,
): Promise<string | undefined> {
  if (!isInside(await realPath(root), real))
    return 'it is a link to another folder; name the file that it leads to';
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isFile() !== true) return 'it is no file on a disk';
  try {
    await access(dirname(real), constants.W_OK);
    await access(real, constants.W_OK);
    return undefined;
  } catch (thrown) {
    return systemReason(thrown);
  }
}

/**
 * Writes files, each as a whole. Fails before the first if one is not as it was
 * read.
 */
async function writeFiles(run: Run, targets: readonly Target[]): Promise<void> {
  const marks = await Promise.all(targets.map((file) => markOf(run, file)));
  const written: string[] = [];
  for (const [index, { path, old, after, root }] of targets.entries()) {
    const text = `${marks[index]}${after}`;
    const way = shownPath(resolve(run.runtime.cwd, path), root);
    const reason =
      old === undefined
        ? await writeFileWithin(root, way, text)
        : await replaceFile(old.real, text);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
}

/** Reads the byte order mark of a file. Fails if it is not as it was read. */
async function markOf(run: Run, { path, old, root }: Target): Promise<string> {
  if (old === undefined) return '';
  const { most } = YAML_LIMITS.bytes;
  const content = await readTextFile(run, old.real, { most, root });
  if ('reason' in content) return fail(unreadable(path, content));
  if (content.text !== old.text) {
    const reason = 'it changed after it was read; run setpoint accept again';
    const of = 'refused';
    fail(diagnostic('file-unwritable', { path, reason, of }));
  }
  return content.mark;
}
