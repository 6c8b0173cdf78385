import { join, parse, resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { parseFile } from '../../core/config/read-file.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type { OverlayInput } from '../../core/pull/selection.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { isInside, isOfGit } from '../paths.ts';
import type { Run } from '../run.ts';
import type { Server } from '../servers/server.ts';
import { configReader, type NamedFile } from '../sources/config.ts';
import { WORK_TREE } from '../sources/files.ts';
import { type FoundProject, findProject } from '../sources/project.ts';
import { readReferences } from '../sources/references.ts';
import { type PullLayers, pullLayers } from './pull-layers.ts';
import { pulledServer } from './pull-server.ts';

/** The server of a pull, and the folder that it fills. */
export interface PullTarget extends PullLayers {
  readonly server: Server;
  /** Whether the project lists the server. */
  readonly isListed: boolean;
  /** The folder to write to, which `into` is relative to. */
  readonly folder: string;
  /** The folder that `${file:}` references stay in. */
  readonly root: string;
  /** Undefined without a `setpoint.yaml`. */
  readonly project: FoundProject | undefined;
  /** The configuration that is there. */
  readonly existing: WrittenConfig;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  /** Set if new entries are laid over those of other servers. */
  readonly overlay: OverlayInput | undefined;
  /**
   * The names of the files in the folder of new entries, without their
   * extension.
   */
  readonly taken: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Finds the server, and reads the configuration that there is for it. Fails
 * with all that is wrong, before any request.
 */
export async function pullTarget(
  run: Run,
  options: Options,
): Promise<PullTarget> {
  const { cwd } = run.runtime;
  const { out = '.', separate: isSeparate = false } = options;
  const folder = resolve(cwd, out);
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  const pulled = await pulledServer(run, options, folder, project);
  const layers = pullLayers({ pulled, project, folder, isSeparate });
  const config = await existingConfig(run, layers.layers);
  const warnings = [...pulled.warnings, ...config.warnings];
  const { value: existing, files } = config;
  if (existing === undefined || hasErrors(warnings)) {
    return fail(...warnings);
  }
  const root = project?.folder ?? folder;
  const { server, isListed } = pulled;
  let overlay: OverlayInput | undefined;
  if (isOverlay(layers)) {
    // As for a server whose variables are not set yet.
    const table = await readReferences(run, existing, {
      allowEnv: ['*'],
      variables: {},
      root,
      masksAll: true,
    });
    const ownFiles = filesOfItsOwn(layers, files);
    const isFirst = isFirstOverlay(layers, isListed, ownFiles);
    overlay = { isFirst, ...entriesIn(ownFiles), table };
  }
  const taken = fileNamesIn(join(folder, layers.into), files, cwd);
  return {
    ...layers,
    server,
    isListed,
    folder,
    root,
    project,
    existing,
    files,
    overlay,
    taken,
    warnings,
  };
}

/** True if new entries are laid over those that other servers read too. */
function isOverlay({ layers, own, shared }: PullLayers): boolean {
  const into = layers[own];
  // The first server writes into the base itself.
  const isBase = into !== undefined && shared.includes(into);
  return shared.length > 0 && !isBase;
}

/** The files of the layers that no other server reads. */
function filesOfItsOwn(
  { layers, shared }: PullLayers,
  files: readonly (readonly SourceFile[])[],
): SourceFile[] {
  const ownFiles = files.filter((_, index) => {
    const layer = layers[index];
    return layer !== undefined && !shared.includes(layer);
  });
  return ownFiles.flat();
}

/**
 * True for a server that is new to a project, or has no file of its own yet. A
 * later pull must not take what waits for an apply for a difference.
 */
function isFirstOverlay(
  { isRead }: PullLayers,
  isListed: boolean,
  ownFiles: readonly SourceFile[],
): boolean {
  return !isListed || (isRead && ownFiles.length === 0);
}

/** The names of entries in files. */
interface NamesInFiles {
  readonly written: ReadonlySet<string>;
  /** Those of entries that say there what they match. */
  readonly matched: ReadonlySet<string>;
}

function entriesIn(files: readonly SourceFile[]): NamesInFiles {
  const written = new Set<string>();
  const matched = new Set<string>();
  for (const file of files) {
    for (const { name, declarations } of parseFile(file).value?.entries ?? []) {
      written.add(name);
      const hasMatch = declarations.some(({ field }) => field === 'match');
      if (hasMatch) matched.add(name);
    }
  }
  return { written, matched };
}

/** The configuration that there is, as far as it can be read. */
interface ExistingConfig {
  readonly value?: WrittenConfig | undefined;
  readonly files: readonly (readonly SourceFile[])[];
  readonly warnings: readonly Diagnostic[];
}

async function existingConfig(
  run: Run,
  layers: readonly NamedFile[],
): Promise<ExistingConfig> {
  const read = await configReader(run)(layers.map(mayBeEmpty));
  // A pull is about to fill it.
  const warnings = read.diagnostics.filter(
    ({ code }) => code !== 'nothing-managed',
  );
  return { value: read.value, files: read.files, warnings };
}

/** The names of the files in a folder, without their extension. */
function fileNamesIn(
  folder: string,
  layers: readonly (readonly SourceFile[])[],
  cwd: string,
): string[] {
  const names: string[] = [];
  for (const { path } of layers.flat()) {
    const absolute = resolve(cwd, path);
    if (isInside(folder, absolute)) names.push(parse(absolute).name);
  }
  return names;
}

function mayBeEmpty(layer: NamedFile): NamedFile {
  return { ...layer, mayBeEmpty: true };
}
