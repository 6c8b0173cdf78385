import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type AcceptedFile,
  acceptDrift,
  type OwnLayer,
} from '../../core/accept/accept.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { toldApart } from '../../core/model/look-alike.ts';
import type { Place } from '../../core/model/place.ts';
import type { OptionValue } from '../../core/model/value.ts';
import { unmetChoices } from '../../core/plan/unmet.ts';
import { configLine } from '../../core/pull/project-files.ts';
import { visible } from '../../core/report/escape.ts';
import { valueText } from '../../core/report/model/value.ts';
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
import { fail, failUsage } from '../failure.ts';
import { replaceFile, writeFileWithin } from '../new-file.ts';
import { type OfflinePlan, planServers } from '../reconcile/plan.ts';
import { type Prepared, prepare } from '../reconcile/prepare.ts';
import type { CommandBody, Run } from '../run.ts';
import { findingsOn, named, valuesOf } from '../servers/results.ts';
import { isAround, layerPath } from '../sources/config.ts';
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

/**
 * Accepts drift: writes what servers hold into the files that declare it, or
 * into the layer of a server alone. Never writes to a server.
 */
export const accept: CommandBody = async (run, options, addresses) => {
  const { all = false, yes = false } = options;
  if (all && addresses.length > 0)
    failUsage('--all cannot be combined with addresses.');
  if (!all && (addresses.length === 0 || addresses.includes('all')))
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
  const { servers, names, warnings } = await prepare(run);
  const results = await planServers(run, servers);
  // No accepting reads the values that a note may be about.
  const findings = [...warnings, ...findingsOn(results)].filter(
    ({ code }) => code !== 'hides-secrets',
  );
  if (hasErrors(findings)) fail(...findings);
  const planned = valuesOf(results);
  const choices = { ...options, writeHidden: addresses };
  findings.push(...unmetChoices(choices, names, planned));
  if (hasErrors(findings)) fail(...findings);
  if (!yes && !run.runtime.canAsk)
    fail(diagnostic('not-confirmed', { isAsked: false }));
  const { files, left, ...facts } = await editsOf(
    run,
    servers,
    planned,
    addresses,
  );
  findings.push(...left);
  if (files.length === 0)
    return { diagnostics: findings, report: editsReport(facts, 'proposed') };
  if (!yes && !(await isConfirmed(run, facts, findings))) {
    findings.push(diagnostic('not-confirmed', { isAsked: true }));
    return { diagnostics: findings };
  }
  await writeFiles(run, files);
  const report = editsReport(facts, yes ? 'written' : 'confirmed');
  return { diagnostics: findings, report };
};

/** Edits of files that are not written yet. */
interface Proposal extends Edits {
  readonly files: readonly AcceptedFile[];
  readonly left: readonly Diagnostic[];
}

/** Edits the files of each server, and finds what is left to a person. */
async function editsOf(
  run: Run,
  servers: readonly Prepared[],
  planned: readonly OfflinePlan[],
  addresses: readonly string[],
): Promise<Proposal> {
  const { mask } = run.writer;
  const holdsSecret = (text: string): boolean => mask.text(text) !== text;
  const project = await findProject(run);
  const files: AcceptedFile[] = [];
  const edits: ShownEdit[] = [];
  const left: Diagnostic[] = [];
  const next: Step[] = [];
  for (const { plan, live } of planned) {
    const server = servers.find(({ name }) => name === plan.name);
    if (server === undefined) continue;
    const { name, config, layers } = server;
    const shared = new Set(sharedFiles(server, project));
    const own = project && ownLayer(run, server, project);
    const drift = acceptDrift(
      { plan, live, config, files: server.files.flat(), shared, own },
      { addresses, holdsSecret },
    );
    files.push(...drift.files);
    left.push(...named(server, drift.diagnostics));
    for (const field of drift.files.flatMap(({ fields }) => fields)) {
      const { address, place, desired: before, live: after } = field;
      edits.push({ server: name, address, place, before, after });
    }
    const makesLayer = drift.files.some(({ before }) => before === undefined);
    if (own?.isNew && makesLayer) {
      const paths = [...layers.map(({ path }) => path), `servers/${name}/`];
      next.push(...layerSteps(name, configLine(paths)));
    }
  }
  const heads = planned.map(({ plan: { name, url } }) => ({ name, url }));
  return { servers: heads, edits, files, left, next };
}

/** The layer that a server alone reads, or is to read. */
interface Own extends OwnLayer {
  /** Whether `setpoint.yaml` does not list it yet. */
  readonly isNew: boolean;
}

/** Finds the paths of the files of a server that other servers read too. */
function sharedFiles(
  { name, layers, files }: Prepared,
  found: FoundProject | undefined,
): string[] {
  const others = found === undefined ? [] : layersOfOthers(name, found);
  const shared = files.filter((_, index) => {
    const layer = layers[index];
    return layer !== undefined && others.includes(layerPath(layer));
  });
  return shared.flat().map(({ path }) => path);
}

/** The paths of the layers of all servers but one. */
function layersOfOthers(name: string, found: FoundProject): string[] {
  const others = found.project.servers.filter((each) => each.name !== name);
  return others.flatMap((each) => layersOf(each, found)).map(layerPath);
}

/**
 * Finds the last layer of a server, if it alone reads that, or else the folder
 * where a pull would write; undefined if something is there, or another server
 * would read it.
 */
function ownLayer(
  run: Run,
  { name, layers, files }: Prepared,
  found: FoundProject,
): Own | undefined {
  const { project, folder } = found;
  if (project.servers.every((each) => each.name !== name)) return undefined;
  const { cwd } = run.runtime;
  const last = layers.at(-1);
  const ofOthers = layersOfOthers(name, found);
  if (last !== undefined && !ofOthers.includes(layerPath(last))) {
    const path = shownPath(layerPath(last), cwd);
    const paths = (files.at(-1) ?? []).map((file) => file.path);
    const isWhole = path === '' || paths.includes(path);
    return { path: isWhole ? path : `${path}/`, files: paths, isNew: false };
  }
  const own = { path: `servers/${name}/`, base: folder };
  const all = project.servers.flatMap((each) => layersOf(each, found));
  const path = layerPath(own);
  if (existsSync(path) || all.some((layer) => isAround(own, layer)))
    return undefined;
  return { path: `${shownPath(path, cwd)}/`, files: [], isNew: true };
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
  /** What is left to do for a person. */
  readonly next: readonly Step[];
}

/**
 * Edits that nobody has agreed to, that were written, or that were written
 * after a person has seen them.
 */
type Stage = 'proposed' | 'written' | 'confirmed';

/** Reports edits, each in a line unless a person has seen it before. */
function editsReport(facts: Edits, stage: Stage): LinesReport {
  const isWritten = stage !== 'proposed';
  return linesReport({ ...facts, isWritten }, ({ edits, next }, view) => {
    if (edits.length === 0) return paragraphs([['No drift to accept.']]);
    const files = new Set(edits.map(({ place }) => place.file)).size;
    const sum = `${count(edits.length, 'field')} in ${count(files, 'file')}`;
    const total = isWritten ? `Accepted: ${sum}.` : `To accept: ${sum}.`;
    const lines = stage === 'confirmed' ? [] : editLines(edits, view);
    const steps = isWritten ? nextLines(next, view) : [];
    return paragraphs([[...lines, total], steps]);
  });
}

function editLines(
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
  { writer, sources, interruption }: Run,
  facts: Edits,
  findings: readonly Diagnostic[],
): Promise<boolean> {
  const proposal = editsReport(facts, 'proposed');
  writer.preview(proposal.text(writer.mask, writer.view('stderr')));
  const shown = withShownTexts(sources, findings);
  writer.findings(diagnosticDocuments(findings), shown);
  return writer.confirm('Write these edits?', interruption.stopping);
}

/**
 * Writes files, each as a whole. Fails before the first if one is a link, or is
 * not as it was read.
 */
async function writeFiles(
  run: Run,
  files: readonly AcceptedFile[],
): Promise<void> {
  const { cwd } = run.runtime;
  const { most } = YAML_LIMITS.bytes;
  const texts = new Map<AcceptedFile, string>();
  for (const file of files) {
    const { path, before, after } = file;
    texts.set(file, after);
    if (before === undefined) continue;
    const absolute = resolve(cwd, path);
    const status = await lstat(absolute).catch(() => undefined);
    const reason = 'it is a link, or no file on a disk';
    if (status?.isFile() !== true)
      fail(diagnostic('file-unwritable', { path, reason, written: [] }));
    const root = await configRoot(absolute);
    const content = await readTextFile(run, absolute, { most, root });
    if ('reason' in content) return fail(unreadable(path, content));
    if (content.text !== before) {
      const reason = 'it changed after it was read; run setpoint accept again';
      fail(diagnostic('file-unwritable', { path, of: 'refused', reason }));
    }
    texts.set(file, `${content.mark}${after}`);
  }
  const written: string[] = [];
  for (const [{ path, before }, text] of texts) {
    const absolute = resolve(cwd, path);
    const root = await configRoot(dirname(absolute));
    const reason =
      before === undefined
        ? await writeFileWithin(root, shownPath(absolute, root), text)
        : await replaceFile(absolute, text);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
}
