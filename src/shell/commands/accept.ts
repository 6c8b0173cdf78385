import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type AcceptedDrift,
  type AcceptedFile,
  acceptDrift,
  type EditedFile,
  type EditedServer,
} from '../../core/accept/accept.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { toldApart } from '../../core/model/look-alike.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import type { OptionValue } from '../../core/model/value.ts';
import { unmetChoices } from '../../core/plan/unmet.ts';
import { visible } from '../../core/report/escape.ts';
import { valueText } from '../../core/report/model/sides.ts';
import {
  type LinesReport,
  linesReport,
  type View,
} from '../../core/report/report.ts';
import { withShownTexts } from '../../core/report/text/frame.ts';
import { filled } from '../../core/report/wrap.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { allOrFail, fail, failUsage, systemReason } from '../failure.ts';
import { replaceFile } from '../new-file.ts';
import { isInside, realPath } from '../paths.ts';
import { type OfflinePlan, planServers } from '../reconcile/plan.ts';
import { type Prepared, prepare } from '../reconcile/prepare.ts';
import type { CommandBody, CommandResult, Run } from '../run.ts';
import { findingsOn, unworked, valuesOf } from '../servers/results.ts';
import { configReader } from '../sources/config.ts';
import { configRoot, readTextFile, unreadable } from '../sources/files.ts';
import { findProject, layersOf } from '../sources/project.ts';

/**
 * Accepts drift: edits values where they are declared. Never writes to a
 * server.
 */
export const accept: CommandBody = async (run, options, addresses) => {
  const { all = false, yes = false } = options;
  checkArguments(addresses, all);
  const { servers, names, warnings } = await prepare(run, options);
  const results = await planServers(run, options, servers);
  const planned = valuesOf(results);
  const findings = [...warnings, ...findingsOn(results)].filter(isRelevant);
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
  const { files, diagnostics } = acceptedDrift(run, edited, addresses);
  findings.push(...diagnostics);
  const edits = { servers: planned.map(headOf), files };
  return settle(run, servers, { edits, findings, yes });
};

/** Edits to make, and the findings to show with them. */
interface Acceptance {
  readonly edits: Edits;
  readonly findings: readonly Diagnostic[];
  /** Whether a flag agrees in place of a person. */
  readonly yes: boolean;
}

/** Writes edits if a person agrees, and reports them. */
async function settle(
  run: Run,
  servers: readonly Prepared[],
  { edits, findings, yes }: Acceptance,
): Promise<CommandResult> {
  const { files } = edits;
  const confirm = async (): Promise<boolean> =>
    yes || confirmed(run, edits, findings);
  const stage = await writeEdits(run, servers, { files, confirm });
  if (stage === 'refused') {
    return {
      diagnostics: [
        ...findings,
        diagnostic('not-confirmed', { isAsked: true }),
      ],
    };
  }
  const isSeen = stage === 'written' && !yes;
  const report = editsReport(edits, isSeen ? 'confirmed' : stage);
  return { diagnostics: findings, report };
}

/** False for a note about values that no accepting reads. */
function isRelevant({ code }: Diagnostic): boolean {
  return code !== 'hides-secrets';
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

function acceptedDrift(
  run: Run,
  servers: readonly EditedServer[],
  addresses: readonly string[],
): AcceptedDrift {
  const { mask } = run.writer;
  const holdsSecret = (text: string): boolean => mask.text(text) !== text;
  return acceptDrift(servers, { addresses, holdsSecret });
}

/** Edits that wait for a person to agree. */
interface Proposal {
  readonly files: readonly AcceptedFile[];
  readonly confirm: () => Promise<boolean>;
}

/** Writes edits if a person agrees; nothing if there are none. */
async function writeEdits(
  run: Run,
  servers: readonly Prepared[],
  { files, confirm }: Proposal,
): Promise<'proposed' | 'refused' | 'written'> {
  if (files.length === 0) return 'proposed';
  const replacements = await replacementsOf(run, servers, files);
  const isWritten = await replaceFiles(run, replacements, confirm);
  return isWritten ? 'written' : 'refused';
}

function checkArguments(addresses: readonly string[], all: boolean): void {
  if (all && addresses.length > 0) {
    failUsage('--all cannot be combined with addresses.');
  }
  if (!all && (addresses.length === 0 || addresses.includes('all'))) {
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
  }
}

/** A server as the report names it. */
interface ServerHead {
  readonly name: string;
  readonly url: string;
}

function headOf({ plan }: OfflinePlan): ServerHead {
  return { name: plan.name, url: plan.url };
}

/**
 * Finds the servers whose files may be edited, and all others of setpoint.yaml,
 * which are read offline.
 */
async function editedServers(
  run: Run,
  servers: readonly Prepared[],
  planned: readonly OfflinePlan[],
): Promise<readonly EditedServer[]> {
  const others = await otherServers(run, servers);
  const editing = [...servers, ...others].map(
    async ({ name, files }): Promise<EditedServer> => {
      const layers = await Promise.all(
        files.map((layer) => editedFiles(run, layer)),
      );
      const plan = planned.find((offline) => offline.plan.name === name);
      return { name, layers, planned: plan };
    },
  );
  return Promise.all(editing);
}

/** A server that is not selected, and the files of its layers. */
interface OtherServer {
  readonly name: string;
  readonly files: readonly (readonly SourceFile[])[];
}

/** Reads the files of the servers of setpoint.yaml that are not selected. */
async function otherServers(
  run: Run,
  selected: readonly Prepared[],
): Promise<readonly OtherServer[]> {
  const project = await findProject(run);
  if (project === undefined) return [];
  const names = new Set(selected.map(({ name }) => name));
  const readConfig = configReader(run);
  const reading: Promise<OtherServer>[] = [];
  for (const server of project.project.servers) {
    const { name } = server;
    if (names.has(name)) continue;
    const read = async (): Promise<OtherServer> => {
      const config = await readConfig(layersOf(server, project));
      if (hasErrors(config.diagnostics)) fail(...config.diagnostics);
      return { name, files: config.files };
    };
    reading.push(read());
  }
  return allOrFail(reading);
}

function editedFiles(
  run: Run,
  files: readonly SourceFile[],
): Promise<readonly EditedFile[]> {
  // Two paths may lead to one file.
  const edited = async (file: SourceFile): Promise<EditedFile> => {
    const absolute = resolve(run.runtime.cwd, file.path);
    return { ...file, real: await realPath(absolute) };
  };
  return Promise.all(files.map(edited));
}

/** The edits of files, and the servers that they were made for. */
interface Edits {
  readonly servers: readonly ServerHead[];
  readonly files: readonly AcceptedFile[];
}

/** A field whose declared value becomes the live one. */
interface Edit {
  readonly server: string;
  readonly address: string;
  readonly place: Place;
  readonly before: OptionValue | null;
  readonly after: OptionValue | null;
}

/**
 * Edits that nobody has agreed to, that were written, or that were written
 * after a person has seen them.
 */
type Stage = 'proposed' | 'written' | 'confirmed';

/** Reports edits, each in a line unless a person has seen it before. */
function editsReport({ servers, files }: Edits, stage: Stage): LinesReport {
  const edits: Edit[] = [];
  for (const field of files.flatMap(({ fields }) => fields)) {
    const { server, address, place, desired: before, live: after } = field;
    edits.push({ server, address, place, before, after });
  }
  const isWritten = stage !== 'proposed';
  const lines = editedLines(edits);
  const sum = `${count(lines.length, 'field')} in ${count(files.length, 'file')}`;
  const done = isWritten ? `Accepted: ${sum}.` : `To accept: ${sum}.`;
  const total = edits.length === 0 ? 'Nothing accepted.' : done;
  return linesReport({ servers, isWritten, edits }, (shown, view) => {
    const isSeen = stage === 'confirmed';
    const texts = isSeen ? [] : editTexts(editedLines(shown.edits), view);
    return `${[...texts, total].join('\n')}\n`;
  });
}

/** The edits without those of the same field and line on another server. */
function editedLines(edits: readonly Edit[]): readonly Edit[] {
  const unique = new Map<string, Edit>();
  for (const edit of edits) {
    const { address, place } = edit;
    const key = JSON.stringify([address, place]);
    if (!unique.has(key)) unique.set(key, edit);
  }
  return [...unique.values()];
}

function editTexts(edits: readonly Edit[], view: View): string[] {
  const { paint, width } = view;
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
function confirmed(
  run: Run,
  edits: Edits,
  findings: readonly Diagnostic[],
): Promise<boolean> {
  const { writer } = run;
  const proposal = editsReport(edits, 'proposed');
  writer.preview(proposal.text(writer.mask, writer.view('stderr')));
  const sources = withShownTexts(run.sources, findings);
  writer.findings(diagnosticDocuments(findings), sources);
  const question = `Write these edits to ${count(edits.files.length, 'file')}?`;
  return writer.confirm(question, run.interruption.stopping);
}

/** A file to replace. Texts have no byte order mark. */
interface Replacement extends AcceptedFile {
  /** The folder that it must be in. */
  readonly root: string;
}

function replacementsOf(
  run: Run,
  servers: readonly Prepared[],
  files: readonly AcceptedFile[],
): Promise<readonly Replacement[]> {
  const replacementOf = async (file: AcceptedFile): Promise<Replacement> => {
    return { ...file, root: await rootOf(run, servers, file.path) };
  };
  return Promise.all(files.map(replacementOf));
}

/**
 * Finds the folder that a file must stay in: the root of the project that names
 * it, or that of the file itself.
 */
async function rootOf(
  run: Run,
  servers: readonly Prepared[],
  path: string,
): Promise<string> {
  const absolute = resolve(run.runtime.cwd, path);
  for (const { root } of servers.flatMap(({ layers }) => layers)) {
    if (root !== undefined && isInside(root, absolute)) return root;
  }
  return configRoot(dirname(absolute));
}

/**
 * Replaces files, each as a whole, if `confirm` agrees. Fails before the first
 * if one must not be, or is not as it was read.
 */
async function replaceFiles(
  run: Run,
  files: readonly Replacement[],
  confirm: () => Promise<boolean>,
): Promise<boolean> {
  for (const file of files) await refuseUnwritable(file);
  if (!(await confirm())) return false;
  const marks = await Promise.all(files.map((file) => markOf(run, file)));
  const written: string[] = [];
  for (const [index, { path, real, after }] of files.entries()) {
    const mark = marks[index] ?? '';
    const reason = await replaceFile(real, `${mark}${after}`);
    if (reason !== undefined) {
      fail(diagnostic('file-unwritable', { path, reason, written }));
    }
    written.push(path);
  }
  return true;
}

/**
 * Fails for a file that a link of another folder leads to, or without write
 * permission.
 */
async function refuseUnwritable(file: Replacement): Promise<void> {
  const { path, real, root } = file;
  if (!isInside(await realPath(root), real)) {
    refuse(
      path,
      'it is a link to another folder; name the file that it leads to',
    );
  }
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isFile() !== true) refuse(path, 'it is no file on a disk');
  try {
    await access(dirname(real), constants.W_OK);
    await access(real, constants.W_OK);
  } catch (thrown) {
    refuse(path, systemReason(thrown));
  }
}

function refuse(path: string, reason: string): never {
  return fail(diagnostic('file-unwritable', { path, reason, written: [] }));
}

/**
 * Reads the byte order mark of a file. Fails if it is not as it was read, or
 * cannot be read.
 */
async function markOf(run: Run, file: Replacement): Promise<string> {
  const { path, real, root, text } = file;
  const { most } = YAML_LIMITS.bytes;
  const content = await readTextFile(run, real, { most, root });
  if ('reason' in content) return fail(unreadable(path, content));
  if (content.text !== text) fail(diagnostic('file-changed', { path }));
  return content.mark;
}
