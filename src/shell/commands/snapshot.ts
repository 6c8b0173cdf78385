import { existsSync } from 'node:fs';
import { resolveConfig } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { matchEntries } from '../../core/match/match.ts';
import { forServer } from '../../core/model/per-server.ts';
import { jsonDocument, visible } from '../../core/report/escape.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled } from '../../core/report/wrap.ts';
import { type Snapshot, takeSnapshot } from '../../core/snapshot/snapshot.ts';
import { fail, failUsage } from '../failure.ts';
import { isPerServer, type Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { LiveReader } from '../http/live.ts';
import { replaceFile } from '../new-file.ts';
import { checkReportFile } from '../reports.ts';
import type { CommandBody, Run } from '../run.ts';
import { named, valuesOf } from '../servers/results.ts';
import {
  type ConfiguredServer,
  findServers,
  readConfigs,
} from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';
import { shellWord } from '../sources/files.ts';
import { readReferences } from '../sources/references.ts';
import { readSnapshot } from '../sources/saved.ts';

/**
 * Writes what is installed on a server to a file, without its secrets; with
 * `{server}` in `--out` each server to its own. `--out -` is stdout.
 */
export const snapshot: CommandBody = async (run, options) => {
  const { out } = options;
  if (out === undefined) {
    return failUsage(
      'snapshot needs --out.',
      'Name a file, or - for stdout: --out server.json',
    );
  }
  const isForEach = isPerServer(out, '--out');
  if (out === '-') checkStdout(run);
  const { configured } = await readConfigs(
    run,
    await findServers(run, options),
  );
  if (!isForEach && configured.length !== 1) {
    failUsage(
      'snapshot takes one server, and setpoint.yaml has several.',
      'Name it with --server, or write --out {server}.json.',
    );
  }
  const places = new Map<string, Place>();
  for (const { name, linked, root, variables } of configured) {
    // What it refers to is known from here on, and kept out of all that is
    // written.
    await readReferences(run, linked, { root, variables });
    if (out === '-') continue;
    const file = forServer(out, name);
    places.set(name, { file, real: await checkedPlace(run, file) });
  }
  const results = await onServers(run, configured, (api, server) =>
    readServer(run, api, server),
  );
  const next = planCommand(options, out);
  const summaries: Summary[] = [];
  for (const document of valuesOf(results)) {
    const counts = countsOf(document);
    const place = places.get(counts.name);
    if (place === undefined) {
      const fields = { snapshot: counts };
      const report = linesReport(document, jsonDocument, () => fields);
      return { diagnostics: [], report };
    }
    await writeSnapshot(run, place, document);
    summaries.push({ ...counts, file: place.file, next });
  }
  const report = linesReport(summaries, textOf, (shown) =>
    isForEach ? { snapshots: shown } : { snapshot: shown[0] },
  );
  return {
    diagnostics: results.flatMap(({ server, diagnostics }) =>
      named(server, diagnostics),
    ),
    report: summaries.length === 0 ? undefined : report,
  };
};

/** Where a snapshot goes: a file as it was named, and its real path. */
interface Place {
  readonly file: string;
  readonly real: string;
}

async function writeSnapshot(
  { writer }: Run,
  { file, real }: Place,
  document: Snapshot,
): Promise<void> {
  const text = jsonDocument(writer.mask.data(document));
  const reason = await replaceFile(real, text);
  if (reason === undefined) return;
  fail(diagnostic('file-unwritable', { path: file, reason }));
}

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

/** Shows what snapshots hold, and how to plan against them. */
function textOf(summaries: readonly Summary[], { width }: View): string {
  const sentences: string[] = [];
  for (const summary of summaries) {
    const { name, url, takenAt, file } = summary;
    const integrations = count(summary.integrations, 'integration');
    const options = count(summary.options, 'option');
    const secrets = count(summary.secrets, 'secret');
    sentences.push(
      `Snapshot of ${name} (${url}) in ${file}, taken at ${takenAt}.`,
      `${integrations} with ${options}, all that this account sees. ${secrets} kept out.`,
    );
    if (summary.hidden > 0) {
      const hidden = count(summary.hidden, 'value is', 'values are');
      sentences.push(`${hidden} hidden by the server.`);
    }
  }
  const object = summaries.length === 1 ? 'it' : 'them';
  sentences.push(`Plan against ${object}: ${summaries[0]?.next}`);
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

/** Reads all of a server. Its configuration says which options hold secrets. */
async function readServer(
  run: Run,
  api: Api,
  { name, url, linked, hidesSecrets }: ConfiguredServer,
): Promise<Snapshot> {
  const live = await new LiveReader(api, { hidesSecrets }).everything();
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
