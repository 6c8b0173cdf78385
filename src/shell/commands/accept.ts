import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type AcceptedFile,
  acceptDrift,
  type OwnLayer,
} from '../../core/accept/accept.ts';
import { withShownTexts } from '../../core/config/hidden.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { toldApart } from '../../core/model/look-alike.ts';
import type { Place } from '../../core/model/place.ts';
import type { OptionValue } from '../../core/model/value.ts';
import { unmetAddresses, unmetChoices } from '../../core/plan/unmet.ts';
import { configLine } from '../../core/pull/project-files.ts';
import { visible } from '../../core/report/escape.ts';
import { valueText } from '../../core/report/model/value.ts';
import { type LinesReport, linesReport } from '../../core/report/report.ts';
import { filled, paragraphs } from '../../core/report/text/spans.ts';
import {
  layerSteps,
  nextLines,
  type Step,
} from '../../core/report/text/steps.ts';
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
export const accept: CommandBody = async (run, addresses) => {
  const { options } = run;
  const { all = false, yes = false } = options;
  if (all && addresses.length > 0)
    failUsage('--all cannot be combined with addresses.');
  if (!all && addresses.length === 0)
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
  const { servers, names, warnings } = await prepare(run);
  const results = await planServers(run, servers);
  // No accepting reads the values that a note may be about.
  const findings = [...warnings, ...findingsOn(results)].filter(
    ({ code }) => code !== 'hides-secrets',
  );
  if (hasErrors(findings)) fail(...findings);
  const planned = valuesOf(results);
  findings.push(
    ...unmetChoices(options, names, planned),
    ...unmetAddresses(addresses, planned),
  );
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
  if (files.length === 0) {
    const report = left.length > 0 ? undefined : editsReport(facts, 'proposed');
    return { diagnostics: findings, report };
  }
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
  files: readonly AcceptedFile[];
  left: readonly Diagnostic[];
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
    const { shared, own } = sharingOf(run, server, project);
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
  return { edits, files, left, next };
}

/** The layer that a server alone reads, or is to read. */
interface Own extends OwnLayer {
  /** Whether `setpoint.yaml` does not list it yet. */
  isNew: boolean;
}

/** What of its configuration a server reads with others, and what alone. */
interface Sharing {
  /** The paths of the files that other servers read too. */
  shared: ReadonlySet<string>;
  own?: Own;
}

/**
 * Finds the own layer of a server: its last one, if it alone reads that, or
 * else the folder where a pull would write. There is none if something is
 * there, or another server would read it.
 */
function sharingOf(
  run: Run,
  { name, layers, files }: Prepared,
  found: FoundProject | undefined,
): Sharing {
  if (found === undefined) return { shared: new Set() };
  const { cwd } = run.runtime;
  const { servers } = found.project;
  const others = servers.filter((each) => each.name !== name);
  const read = others.flatMap((each) => layersOf(each, found)).map(layerPath);
  const isRead = layers.map((layer) => read.includes(layerPath(layer)));
  const ofOthers = files.filter((_, index) => isRead[index]).flat();
  const shared = new Set(ofOthers.map(({ path }) => path));
  if (others.length === servers.length) return { shared };
  const last = layers.at(-1);
  if (last !== undefined && isRead.at(-1) === false) {
    const path = shownPath(layerPath(last), cwd);
    const paths = (files.at(-1) ?? []).map((file) => file.path);
    const isWhole = path === '' || paths.includes(path);
    const own = { path: isWhole ? path : `${path}/`, files: paths };
    return { shared, own: { ...own, isNew: false } };
  }
  const folder = { path: `servers/${name}/`, base: found.folder };
  const path = layerPath(folder);
  const all = servers.flatMap((each) => layersOf(each, found));
  const isTaken =
    existsSync(path) || all.some((each) => isAround(folder, each));
  if (isTaken) return { shared };
  const own = { path: `${shownPath(path, cwd)}/`, files: [], isNew: true };
  return { shared, own };
}

/** A field whose declared value becomes the live one, as it is shown. */
interface ShownEdit {
  server: string;
  address: string;
  place: Place;
  before: OptionValue | null;
  after: OptionValue | null;
}

/** The edits of files. */
interface Edits {
  edits: readonly ShownEdit[];
  /** What is left to do for a person. */
  next: readonly Step[];
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
    const { paint, width } = view;
    const lines: string[] = [];
    for (const { place, address, before, after } of edits) {
      if (stage === 'confirmed') break;
      const where = paint.dim(visible(`${place.file}:${place.line}`));
      const texts = toldApart([valueText(before), valueText(after)]);
      const [old = '', now = ''] = texts.map(visible);
      const edit = `${paint.remove(old)} -> ${paint.good(now)}`;
      lines.push(
        ...filled(`${where} ${visible(address)} ${edit}`, width, 4, ''),
      );
    }
    const files = new Set(edits.map(({ place }) => place.file)).size;
    const sum = `${count(edits.length, 'field')} in ${count(files, 'file')}`;
    lines.push(isWritten ? `Accepted: ${sum}.` : `To accept: ${sum}.`);
    return paragraphs([lines, isWritten ? nextLines(next, view) : []]);
  });
}

/** Shows the edits and the findings, and asks. */
async function isConfirmed(
  { writer, sources, interruption }: Run,
  facts: Edits,
  findings: readonly Diagnostic[],
): Promise<boolean> {
  const proposal = editsReport(facts, 'proposed');
  writer.preview(proposal.text(writer.mask, writer.view('stderr')));
  const shown = withShownTexts(sources, findings);
  await writer.findings(diagnosticDocuments(findings), shown);
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
    const root = configRoot(absolute);
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
    const root = configRoot(dirname(absolute));
    const reason =
      before === undefined
        ? await writeFileWithin(root, shownPath(absolute, root), text)
        : await replaceFile(absolute, text);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
}
