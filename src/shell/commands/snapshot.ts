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
import { type ConfiguredServer, readConfigs } from '../reconcile/configs.ts';
import { readWhole } from '../reconcile/live.ts';
import { checkReportFile } from '../reports.ts';
import type { CommandBody, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { shellWord } from '../sources/files.ts';
import { readReferences } from '../sources/references.ts';
import { readSnapshot } from '../sources/saved.ts';

/**
 * Writes what is installed on a server to a file, without its secrets; `--out
 * -` is stdout.
 */
export const snapshot: CommandBody = async (run, options) => {
  const { out } = options;
  if (out === undefined) {
    return failUsage(
      'snapshot needs --out.',
      'Name a file, or - for stdout: --out server.json',
    );
  }
  if (out === '-') {
    checkStdout(run);
    const document = await readServer(run, options);
    const fields = { snapshot: countsOf(document) };
    const report = linesReport(document, jsonDocument, () => fields);
    return { diagnostics: [], report };
  }
  const real = await checkedPlace(run, out);
  const document = await readServer(run, options);
  const text = jsonDocument(run.writer.mask.data(document));
  const reason = await replaceFile(real, text);
  if (reason !== undefined) {
    fail(diagnostic('file-unwritable', { path: out, reason }));
  }
  const next = planCommand(options, out);
  const summary: Summary = { ...countsOf(document), file: out, next };
  const report = linesReport(summary, textOf, (shown) => ({ snapshot: shown }));
  return { diagnostics: [], report };
};

/** How much a snapshot holds. */
interface Counts {
  readonly name: string;
  readonly url: string;
  readonly takenAt: string;
  readonly integrations: number;
  readonly options: number;
  /** How many values were kept out. */
  readonly secrets: number;
  /** How many values the server does not show. */
  readonly hidden: number;
}

/** A snapshot in a file. */
interface Summary extends Counts {
  readonly file: string;
  /** The command that plans against it. */
  readonly next: string;
}

function countsOf({ server, takenAt, integrations }: Snapshot): Counts {
  const options = integrations.flatMap((integration) => integration.options);
  return {
    ...server,
    takenAt,
    integrations: integrations.length,
    options: options.length,
    secrets: options.filter(({ secret }) => secret).length,
    hidden: options.filter(({ hidden }) => hidden).length,
  };
}

function planCommand({ url, file }: Options, out: string): string {
  const words = ['setpoint plan'];
  // Without --url, setpoint.yaml names the files.
  if (url !== undefined) {
    for (const path of file ?? ['FILE']) words.push(`-f ${shellWord(path)}`);
  }
  words.push('--live', shellWord(out));
  return words.join(' ');
}

/** Shows what a snapshot holds, and how to plan against it. */
function textOf(summary: Summary, { width }: View): string {
  const { name, url, takenAt, file, next } = summary;
  const integrations = count(summary.integrations, 'integration');
  const options = count(summary.options, 'option');
  const secrets = count(summary.secrets, 'secret');
  const sentences = [
    `Snapshot of ${name} (${url}) in ${file}, taken at ${takenAt}.`,
    `${integrations} with ${options}, all that this account sees. ${secrets} kept out.`,
  ];
  if (summary.hidden > 0) {
    const hidden = count(summary.hidden, 'value is', 'values are');
    sentences.push(`${hidden} hidden by the server.`);
  }
  sentences.push(`Plan against it: ${next}`);
  const lines = sentences.flatMap((text) => filled(visible(text), width));
  return `${lines.join('\n')}\n`;
}

/** Refuses to print a report and the snapshot both. */
function checkStdout({ targets }: Run): void {
  const isTaken = targets.some(
    ({ format, path }) => path === undefined && format !== 'text',
  );
  if (!isTaken) return;
  failUsage(
    'A report and the snapshot cannot both go to stdout.',
    'Write one to a file.',
  );
}

/**
 * Checks the file like that of a report: it must be new, or a snapshot. Returns
 * its real path.
 */
async function checkedPlace(run: Run, path: string): Promise<string> {
  const { reportFiles, runtime } = run;
  const real = await checkReportFile(path, runtime.cwd);
  if (reportFiles.has(real)) refuse(path, 'a report goes there too');
  if (existsSync(real)) await refuseOther(run, path, real);
  reportFiles.set(real, path);
  return real;
}

/** Refuses to replace a file that is no snapshot. */
async function refuseOther(
  run: Run,
  path: string,
  real: string,
): Promise<void> {
  try {
    await readSnapshot(run, real);
  } catch {
    refuse(path, 'it exists and is no snapshot');
  }
}

function refuse(path: string, reason: string): never {
  return fail(diagnostic('file-unwritable', { path, of: 'refused', reason }));
}

/**
 * Reads all of the one server of a run. Its configuration, if there is one,
 * says which options hold secrets.
 */
async function readServer(run: Run, options: Options): Promise<Snapshot> {
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  const server = onlyServer(configured);
  const { name, url, linked, root, variables } = server;
  // What it refers to is known from here on, and kept out of all that is
  // written.
  await readReferences(run, linked, { root, variables });
  const live = await readWhole(run, options, [server]);
  const matched = matchEntries(resolveConfig(linked), live);
  // While entries contradict each other, nobody knows which options hold
  // secrets.
  const unclear = matched.diagnostics.filter(({ code }) => code !== 'no-match');
  if (hasErrors(unclear)) fail(...unclear);
  const now = new Date(run.runtime.now()).toISOString();
  return takeSnapshot({
    server: { name, url: url.origin },
    takenAt: now.replace(/\.\d+Z$/, 'Z'),
    live,
    desired: matched.integrations,
  });
}

function onlyServer(servers: readonly ConfiguredServer[]): ConfiguredServer {
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0) {
    return failUsage(
      'snapshot takes one server, and setpoint.yaml has several.',
      'Name it with --server.',
    );
  }
  return server;
}
