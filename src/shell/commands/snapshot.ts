import { existsSync } from 'node:fs';
import { resolveConfig } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { matchEntries } from '../../core/match/match.ts';
import { jsonDocument, visible } from '../../core/report/escape.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled } from '../../core/report/wrap.ts';
import { type Snapshot, takeSnapshot } from '../../core/snapshot/snapshot.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { replaceFile } from '../new-file.ts';
import { readWhole } from '../reconcile/plan.ts';
import { readConfigs } from '../reconcile/prepare.ts';
import { checkReportFiles } from '../reports.ts';
import type { CommandBody, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { shellWord } from '../sources/files.ts';
import { readReferences } from '../sources/references.ts';
import { readSnapshot } from '../sources/saved.ts';

/** Writes what is installed on a server to a file, without its secrets; `--out -` is stdout. */
export const snapshot: CommandBody = async (run, options) => {
  const {
    out = failUsage(
      'snapshot needs --out.',
      'Name a file, or - for stdout: --out server.json',
    ),
  } = options;
  const place = out === '-' ? checkStdout(run) : await checkedPlace(run, out);
  const document = await readServer(run, options);
  const { server, takenAt } = document;
  const counts = { ...server, takenAt, ...countsOf(document) };
  if (place === undefined)
    return {
      diagnostics: [],
      report: linesReport(document, jsonDocument, () => ({ snapshot: counts })),
    };
  const reason = await replaceFile(
    place,
    jsonDocument(run.writer.mask.data(document)),
  );
  if (reason !== undefined)
    fail(diagnostic('file-unwritable', { path: out, reason }));
  const files = options.url === undefined ? [] : (options.file ?? ['FILE']);
  const next = [
    'setpoint plan',
    ...files.map((each) => `-f ${shellWord(each)}`),
    '--live',
    shellWord(out),
  ];
  const report = { ...counts, file: out, next: next.join(' ') };
  return {
    diagnostics: [],
    report: linesReport(report, textOf, (shown) => ({ snapshot: shown })),
  };
};

/** How much a snapshot holds, with the values that were kept out and those that the server does not show. */
function countsOf({ integrations }: Snapshot) {
  const options = integrations.flatMap((each) => each.options);
  return {
    integrations: integrations.length,
    options: options.length,
    secrets: options.filter(({ secret }) => secret).length,
    hidden: options.filter(({ hidden }) => hidden).length,
  };
}

/** What a snapshot holds, and how to plan against it. */
function textOf(
  report: ReturnType<typeof countsOf> &
    Readonly<Record<'name' | 'url' | 'takenAt' | 'file' | 'next', string>>,
  { width }: View,
): string {
  const {
    name,
    url,
    takenAt,
    file,
    next,
    integrations,
    options,
    secrets,
    hidden,
  } = report;
  const lines = [
    `Snapshot of ${name} (${url}) in ${file}, taken at ${takenAt}.`,
    `${count(integrations, 'integration')}, ${count(options, 'option')}. ${count(secrets, 'secret')} kept out.`,
    ...(hidden === 0
      ? []
      : [`${count(hidden, 'value is', 'values are')} hidden by the server.`]),
    `Plan against it: ${next}`,
  ];
  return `${lines.flatMap((line) => filled(visible(line), width)).join('\n')}\n`;
}

/** Refuses to print a report and the snapshot both. */
function checkStdout({ targets }: Run): undefined {
  if (
    targets.some(({ format, path }) => path === undefined && format !== 'text')
  )
    failUsage(
      'A report and the snapshot cannot both go to stdout.',
      'Write one to a file.',
    );
}

/** The real path of the file, as good as that of a report: a new or empty file, or a snapshot. */
async function checkedPlace(run: Run, path: string): Promise<string> {
  const { reportFiles, runtime } = run;
  const refuse = (reason: string) =>
    fail(diagnostic('file-unwritable', { path, of: 'refused', reason }));
  const [real = ''] = (
    await checkReportFiles([{ format: 'text', path }], runtime.cwd)
  ).keys();
  if (reportFiles.has(real)) refuse('a report goes there too');
  if (existsSync(real))
    await readSnapshot(run, real).catch(() =>
      refuse('it exists and is no snapshot'),
    );
  reportFiles.set(real, path);
  return real;
}

/** Reads all of the one server of a run. Its configuration, if there is one, says which options hold secrets. */
async function readServer(run: Run, options: Options) {
  const { configured } = await readConfigs(
    run,
    await findServers(run, options),
  );
  const [server, second] = configured;
  if (server === undefined || second !== undefined)
    return failUsage(
      'snapshot takes one server, and setpoint.yaml has several.',
      'Name it with --server.',
    );
  const { name, url, linked, root } = server;
  // What it refers to is known from here on, and kept out of all that is written.
  await readReferences(run, linked, { root });
  const live = await readWhole(run, options, configured);
  const { value: desired, diagnostics } = matchEntries(
    resolveConfig(linked),
    live,
  );
  // While entries contradict each other, nobody knows which options hold secrets.
  const unclear = diagnostics.filter(({ code }) => code !== 'no-match');
  if (hasErrors(unclear)) fail(...unclear);
  const takenAt = new Date(run.runtime.now())
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
  return takeSnapshot({
    server: { name, url: url.origin },
    takenAt,
    live,
    desired,
  });
}
