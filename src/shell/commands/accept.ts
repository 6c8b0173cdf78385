import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { acceptDrift } from '../../core/accept/accept.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import type { SourceFile } from '../../core/model/place.ts';
import { unmetChoices } from '../../core/plan/choice.ts';
import { valueText } from '../../core/report/change.ts';
import { visible } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import { withShownTexts } from '../../core/report/text/diagnostics.ts';
import { filled } from '../../core/report/wrap.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { allOrFail, fail, failUsage, systemReason } from '../failure.ts';
import { replaceFile } from '../new-file.ts';
import { isInside, realPath } from '../paths.ts';
import { type LivePlan, planServers } from '../reconcile/plan.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { CommandBody, Run } from '../run.ts';
import { layersOf } from '../servers/server.ts';
import { findingsOn } from '../servers/sessions.ts';
import { configReader } from '../sources/config.ts';
import { configRoot, readTextFile, unreadable } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';

type Servers = Awaited<ReturnType<typeof prepare>>['servers'];

/** Accepts drift: edits values where they are declared. Never writes to a server. */
export const accept: CommandBody = async (run, options, addresses) => {
  const { all = false, yes = false } = options;
  checkArguments(addresses, all);
  const { servers, names, warnings } = await prepare(run, options);
  const results = await planServers(run, options, servers);
  const planned = results.flatMap(({ value }) => value ?? []);
  const found = [...warnings, ...findingsOn(run, results)].filter(
    ({ code }) => code !== 'hides-secrets',
  );
  if (planned.length < servers.length)
    return {
      diagnostics: [
        ...found,
        diagnostic('not-attempted', { integrations: [] }),
      ],
    };
  found.push(
    ...unmetChoices({ ...options, writeHidden: addresses }, names, planned),
  );
  if (hasErrors(found)) fail(...found);
  if (!yes && !run.runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
  const holdsSecret = (text: string) => run.writer.mask.text(text) !== text;
  const edited = await editedServers(run, servers, planned);
  const { files, diagnostics } = acceptDrift(edited, {
    addresses,
    holdsSecret,
  });
  found.push(...diagnostics);
  const texts = await Promise.all(
    files.map(async (file) => ({
      ...file,
      root: await rootOf(run, servers, file.path),
    })),
  );
  const named = planned.map(({ plan: { name, url } }) => ({ name, url }));
  const report = reportOf(named, files, { isWritten: false, isSeen: false });
  if (texts.length === 0) return { diagnostics: found, report };
  const isWritten = await replaceFiles(
    run,
    texts,
    async () => yes || confirmed(run, files.length, report, found),
  );
  if (!isWritten)
    return { diagnostics: [...found, diagnostic('not-confirmed', {})] };
  return {
    diagnostics: found,
    report: reportOf(named, files, { isWritten: true, isSeen: !yes }),
  };
};

function checkArguments(addresses: readonly string[], all: boolean): void {
  if (all && addresses.length > 0)
    failUsage('--all cannot be combined with addresses.');
  if (!all && (addresses.length === 0 || addresses.includes('all')))
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
}

/** The edits, each in a line unless a person has seen it before a question, and what became of them. */
function reportOf(
  servers: readonly { readonly name: string; readonly url: string }[],
  files: ReturnType<typeof acceptDrift>['files'],
  {
    isWritten,
    isSeen,
  }: { readonly isWritten: boolean; readonly isSeen: boolean },
) {
  const edits = files.flatMap(({ fields }) =>
    fields.map(({ server, address, place, desired: before, live: after }) => ({
      ...{ server, address, place, before, after },
    })),
  );
  return linesReport(
    { servers, isWritten, edits },
    (shown, { paint, width }) => {
      const lines = shown.edits.flatMap(({ place, address, before, after }) => {
        const [old = '', now = ''] = [before, after].map((value) =>
          visible(valueText(value)),
        );
        const where = paint.faint(visible(`${place.file}:${place.line}`));
        return filled(
          `${where} ${visible(address)} ${paint.remove(old)} -> ${paint.add(now)}`,
          width,
          4,
          '',
        );
      });
      const sum = `${count(edits.length, 'field')} in ${count(files.length, 'file')}`;
      const done = isWritten ? `Accepted: ${sum}` : `To accept: ${sum}`;
      return [
        ...(isSeen ? [] : lines),
        `${edits.length === 0 ? 'Nothing accepted' : done}.`,
        '',
      ].join('\n');
    },
  );
}

/** Shows the edits and what is found, and asks. */
function confirmed(
  run: Run,
  files: number,
  edits: ReturnType<typeof reportOf>,
  found: readonly Diagnostic[],
): Promise<boolean> {
  run.writer.preview(edits);
  const sources = withShownTexts(run.sources, found);
  run.writer.findings(diagnosticDocuments(found), sources);
  const question = `Write these edits to ${count(files, 'file')}?`;
  return run.writer.confirm(question, run.interruption.stopping);
}

/** The servers whose files may be edited, and all others of setpoint.yaml, which are read offline. */
async function editedServers(
  run: Run,
  servers: Servers,
  planned: readonly Pick<LivePlan, 'plan' | 'live'>[],
) {
  const project = await findProject(run);
  const listed = project?.project.servers.map((each) => ({
    name: each.name,
    layers: layersOf(each, project),
  }));
  const others = (listed ?? []).filter(
    ({ name }) => !servers.some((each) => each.name === name),
  );
  const readConfig = configReader(run);
  const read = await allOrFail(
    others.map(async ({ name, layers }) => {
      const { files, diagnostics } = await readConfig(layers);
      return hasErrors(diagnostics) ? fail(...diagnostics) : { name, files };
    }),
  );
  // Two paths may lead to one file.
  const edited = async (file: SourceFile) => ({
    ...file,
    real: await realPath(resolve(run.runtime.cwd, file.path)),
  });
  return Promise.all(
    [...servers, ...read].map(async ({ name, files }) => ({
      name,
      layers: await Promise.all(
        files.map((layer) => Promise.all(layer.map(edited))),
      ),
      ...present({ planned: planned.find(({ plan }) => plan.name === name) }),
    })),
  );
}

/** The folder that a file must stay in: the root of the project that names it, or that of the file itself. */
async function rootOf(
  run: Run,
  servers: Servers,
  path: string,
): Promise<string> {
  const absolute = resolve(run.runtime.cwd, path);
  const roots = servers.flatMap(({ layers }) =>
    layers.flatMap(({ root }) => root ?? []),
  );
  return (
    roots.find((root) => isInside(root, absolute)) ??
    configRoot(dirname(absolute))
  );
}

/** A file to replace. Texts have no byte order mark. */
interface EditedText {
  /** As people name it. */
  readonly path: string;
  /** With its links resolved. */
  readonly real: string;
  /** The folder that it must be in. */
  readonly root: string;
  /** What was read. */
  readonly text: string;
  readonly after: string;
}

/** Replaces files, each as a whole, if `confirm` agrees. Fails before the first if one must not be, or is not as it was read. */
async function replaceFiles(
  run: Run,
  files: readonly EditedText[],
  confirm: () => Promise<boolean>,
): Promise<boolean> {
  for (const file of files) await refuseUnwritable(file);
  if (!(await confirm())) return false;
  const marks = await Promise.all(files.map((file) => markOf(run, file)));
  const written: string[] = [];
  for (const [index, { path, real, after }] of files.entries()) {
    const reason = await replaceFile(real, `${marks[index] ?? ''}${after}`);
    if (reason !== undefined)
      fail(diagnostic('file-unwritable', { path, reason, written }));
    written.push(path);
  }
  return true;
}

/** Fails for a file that a link of another folder leads to, or without write permission. */
async function refuseUnwritable({
  path,
  real,
  root,
}: EditedText): Promise<void> {
  const refuse = (reason: string) =>
    fail(diagnostic('file-unwritable', { path, reason, written: [] }));
  if (!isInside(await realPath(root), real))
    refuse('it is a link to another folder; name the file that it leads to');
  const found = await stat(real).catch(() => undefined);
  if (found?.isFile() !== true) refuse('it is no file on a disk');
  for (const each of [dirname(real), real])
    await access(each, constants.W_OK).catch((thrown: unknown) =>
      refuse(systemReason(thrown)),
    );
}

/** The byte order mark of a file; fails if it is not as it was read, or cannot be read. */
async function markOf(
  run: Run,
  { path, real, root, text }: EditedText,
): Promise<string> {
  const content = await readTextFile(run, real, {
    most: YAML_LIMITS.bytes.most,
    root,
  });
  if ('reason' in content) return fail(unreadable(path, content));
  return content.text === text
    ? content.mark
    : fail(diagnostic('file-changed', { path }));
}
