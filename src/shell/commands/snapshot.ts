import { existsSync } from 'node:fs';
import { resolveConfig } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { matchEntries } from '../../core/match/match.ts';
import { forServer } from '../../core/model/per-server.ts';
import { jsonDocument, visible } from '../../core/report/escape.ts';
import { linesReport } from '../../core/report/report.ts';
import { filled } from '../../core/report/text/spans.ts';
import { type Snapshot, takeSnapshot } from '../../core/snapshot/snapshot.ts';
import { fail, failUsage } from '../failure.ts';
import { isPerServer, type Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { LiveReader } from '../http/live.ts';
import { replaceFile } from '../new-file.ts';
import { checkReportFile, refuseFile } from '../reports.ts';
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
 * `{server}` in `--out` each server to its own.
 */
export const snapshot: CommandBody = async (run) => {
  const { options } = run;
  const { out } = options;
  if (out === undefined) {
    return failUsage('snapshot needs --out.', 'Name a file: --out server.json');
  }
  const isForEach = isPerServer(out, '--out');
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  if (!isForEach && configured.length !== 1) {
    failUsage(
      'snapshot takes one server, and setpoint.yaml has several.',
      'Name it with --server, or write --out {server}.json.',
    );
  }
  const realPaths = new Map<string, string>();
  for (const { name, written, root, variables } of configured) {
    // What it refers to is known from here on, and kept out of all that is
    // written.
    await readReferences(run, written, { root, variables });
    realPaths.set(name, await checkedPath(run, forServer(out, name)));
  }
  const results = await onServers(run, configured, (api, server) =>
    readServer(run, api, server),
  );
  const written: Written[] = [];
  for (const document of valuesOf(results)) {
    const file = forServer(out, document.server.name);
    const text = jsonDocument(run.writer.mask.data(document));
    const real = realPaths.get(document.server.name) ?? file;
    const reason = await replaceFile(real, text);
    if (reason !== undefined) {
      fail(diagnostic('file-unwritable', { path: file, reason }));
    }
    const { server, integrations } = document;
    const held = integrations.flatMap((integration) => integration.options);
    const secrets = held.filter(({ secret }) => secret).length;
    const size = integrations.length;
    written.push({ ...server, file, integrations: size, secrets });
  }
  const next = planCommand(options, out);
  const report = linesReport({ snapshots: written }, (data, { width }) =>
    textOf(data.snapshots, next, width),
  );
  return {
    diagnostics: results.flatMap(({ server, diagnostics }) =>
      named(server, diagnostics),
    ),
    report: written.length === 0 ? undefined : report,
  };
};

/** A snapshot in a file, and how much it holds. */
interface Written {
  name: string;
  url: string;
  file: string;
  integrations: number;
  /** How many values were kept out. */
  secrets: number;
}

/** The command that plans against what was written. */
function planCommand({ url, file = ['FILE'] }: Options, out: string): string {
  const words = ['setpoint plan'];
  // Without --url, setpoint.yaml names the files.
  const named = url === undefined ? [] : file;
  for (const path of named) words.push(`-f ${shellWord(path)}`);
  words.push('--live', shellWord(out));
  return words.join(' ');
}

/** Shows what snapshots hold, and how to plan against them. */
function textOf(
  written: readonly Written[],
  next: string,
  width: number,
): string {
  const sentences = written.map(({ name, url, file, ...counts }) => {
    const integrations = count(counts.integrations, 'integration');
    const secrets = count(counts.secrets, 'secret');
    return `Snapshot of ${name} (${url}) in ${file}: ${integrations}, as this account sees them. ${secrets} kept out.`;
  });
  const object = written.length === 1 ? 'it' : 'them';
  sentences.push(`Plan against ${object}: ${next}`);
  const lines = sentences.flatMap((text) => filled(visible(text), width));
  return `${lines.join('\n')}\n`;
}

/**
 * Checks the file like that of a report: it must be new, or a snapshot. Returns
 * its real path.
 */
async function checkedPath(run: Run, path: string): Promise<string> {
  const { outputFiles, runtime } = run;
  const real = checkReportFile(path, runtime.cwd);
  if (outputFiles.has(real)) refuseFile(path, 'a report goes there too');
  if (existsSync(real)) {
    const refuseOther = () => refuseFile(path, 'it exists and is no snapshot');
    await readSnapshot(run, real).catch(refuseOther);
  }
  outputFiles.set(real, path);
  return real;
}

/** Reads all of a server. Its configuration says which options hold secrets. */
async function readServer(
  run: Run,
  api: Api,
  { name, url, written, hidesSecrets }: ConfiguredServer,
): Promise<Snapshot> {
  const live = await new LiveReader(api, { hidesSecrets }).everything();
  const matched = matchEntries(resolveConfig(written), live);
  // While entries contradict each other, nobody knows which options hold
  // secrets.
  const unclear = matched.diagnostics.filter(({ code }) => code !== 'no-match');
  if (hasErrors(unclear)) fail(...unclear);
  const now = new Date(run.runtime.now()).toISOString();
  const server = { name, url: url.origin };
  const takenAt = now.replace(/\.\d+Z$/, 'Z');
  return takeSnapshot({ server, takenAt, live }, matched.integrations);
}
