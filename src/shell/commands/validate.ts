import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { linesReport } from '../../core/report/report.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { CommandBody, Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import { configReader, layersOfFlags } from '../sources/config.ts';

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export const validate: CommandBody = async (run, flags, paths) => {
  const { catalog, live } = flags;
  if (catalog !== undefined && live !== undefined)
    failUsage('Pass either --catalog or --live.');
  const optionsChecked = catalog !== undefined || live !== undefined;
  const found = await namedLayers(run, {
    ...flags,
    file: [...paths, ...(flags.file ?? [])],
  });
  const read = await Promise.all(found.layers.map(configReader(run)));
  // Most is checked without what compares with a server.
  const compared = optionsChecked
    ? await import('../reconcile/fit.ts')
    : undefined;
  const misfits = (await compared?.misfits(run, read, found, catalog)) ?? [];
  const own = read.flatMap((each): readonly Diagnostic[] => each.diagnostics);
  const diagnostics = distinct([...found.diagnostics, ...own, ...misfits]);
  // Servers share files.
  const places = read.flatMap(({ value }) =>
    (value?.entries ?? []).map(
      ({ place: { file, line } }) => `${file}:${line}`,
    ),
  );
  const snapshots = found.servers.flatMap(
    ({ snapshot }) => snapshot?.takenAt ?? [],
  );
  const validation = {
    files: run.sources.size,
    integrations: new Set(places).size,
    valid: !hasErrors(diagnostics),
    optionsChecked,
    ...(snapshots.length === 0
      ? {}
      : { snapshots: snapshots.map((takenAt) => ({ takenAt })) }),
  };
  const lines = [
    ...snapshots.map(
      (takenAt) =>
        `From a snapshot of ${takenAt.slice(0, 'yyyy-mm-dd'.length)}.`,
    ),
    `Valid: ${count(validation.files, 'file')}, ${count(validation.integrations, 'entry', 'entries')}.`,
    ...(optionsChecked
      ? []
      : [
          'Options were not checked. Pass --catalog DIR, or --live with a snapshot.',
        ]),
  ];
  // Findings go to stderr.
  const text = validation.valid ? `${lines.join('\n')}\n` : '';
  return { diagnostics, report: linesReport(validation, () => text) };
};

/** The named files as layers, or else those of each server of the project; with `--live` also whose they are. */
async function namedLayers(run: Run, options: Options): Promise<FoundServers> {
  const { file = [], server = [], shard, live } = options;
  if (file.length === 0 || live !== undefined) {
    const { findServers } = await import('../servers/server.ts');
    const found = await findServers(run, options);
    // A snapshot alone names no file to check.
    const isAlone =
      live !== undefined && found.layers.every((layers) => layers.length === 0);
    return isAlone
      ? (await import('../sources/project.ts')).failWithoutProject(run)
      : found;
  }
  if (server.length > 0 || shard !== undefined)
    failUsage(
      '--server and --shard select from setpoint.yaml; they cannot be combined with named files.',
    );
  const layers = layersOfFlags(run, file);
  return { servers: [], layers: [layers], diagnostics: [] };
}
