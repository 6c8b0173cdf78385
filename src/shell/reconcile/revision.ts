import { resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import type { Project, ProjectServer } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { isMistakeInValue } from '../../core/config/rules.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import {
  explain,
  hasErrors,
  kindOf,
  severityOf,
} from '../../core/findings/explain.ts';
import type { BrokenRevision } from '../../core/findings/usage.ts';
import { at } from '../../core/findings/words.ts';
import type { RevisionDocument } from '../../core/plan/plan.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import type { Commit } from '../sources/commit.ts';
import {
  configReader,
  layersOfFlags,
  type NamedFile,
} from '../sources/config.ts';
import { configRoot, type FileSource } from '../sources/files.ts';
import { findProject, layersOf } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';

/**
 * The declarations of a revision, with its references open: for some servers of
 * its project, or once for files of flags.
 */
export interface Revision {
  /** The commit; undefined for the work tree. */
  readonly base?: RevisionDocument | undefined;
  readonly project?: Project | undefined;
  readonly servers: readonly RevisionServer[];
}

/** The declarations of a revision for one server. */
export interface RevisionServer extends RevisionConfig {
  readonly name: string;
  readonly url: string;
  readonly layers: readonly NamedFile[];
}

interface RevisionConfig {
  readonly config: ResolvedConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The part of a revision to read: the files of flags, or else some servers of
 * its project.
 */
export interface RevisionPart {
  readonly file: readonly string[];
  readonly select: (project: Project) => readonly ProjectServer[];
}

/**
 * Reads a revision at a commit, or else in the work tree. Fails if the part has
 * errors; at a commit it says so.
 */
export async function readRevision(
  run: Run,
  part: RevisionPart,
  commit?: Commit,
): Promise<Revision> {
  if (commit === undefined) return readDeclared(run, part);
  const { base, source } = commit;
  try {
    const declared = await readDeclared(run, part, source);
    return { base, ...declared };
  } catch (thrown) {
    return failBroken(source.ref ?? base.ref, thrown);
  }
}

async function readDeclared(
  run: Run,
  part: RevisionPart,
  source?: FileSource,
): Promise<Revision> {
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics)) {
    fail(...found.diagnostics);
  }
  const [firstFile] = part.file;
  if (firstFile !== undefined) {
    const layers = layersOfFlags(run, part.file);
    const root = await configRoot(resolve(run.runtime.cwd, firstFile));
    const config = await opener(run, root, source)(layers);
    const server = { name: 'configuration', url: '', layers, ...config };
    return { project: found?.project, servers: [server] };
  }
  if (found === undefined) return { servers: [] };
  const { project, folder } = found;
  const read = opener(run, folder, source);
  const readServer = async (server: ProjectServer): Promise<RevisionServer> => {
    const { name, url } = server;
    const layers = layersOf(server, found);
    const config = await read(layers);
    return { name, url: plainAddress(url.text), layers, ...config };
  };
  const servers = await allOrFail(part.select(project).map(readServer));
  return { project, servers };
}

/**
 * Makes the reader of configurations, each once, with digests of the files that
 * their references name.
 */
function opener(
  run: Run,
  root: string,
  source?: FileSource,
): (layers: readonly NamedFile[]) => Promise<RevisionConfig> {
  const read = configReader(run, source);
  const opened = new Map<WrittenConfig, Promise<RevisionConfig>>();
  const open = async (written: WrittenConfig): Promise<RevisionConfig> => {
    const digested = await digestFiles(run, written, root, source);
    const { digests, diagnostics } = digested;
    return { config: resolveConfig(written, undefined, digests), diagnostics };
  };
  return async (layers) => {
    const { value: written, diagnostics } = await read(layers);
    // Mistakes in the values of a commit do not keep it from being compared.
    const decisive =
      source === undefined
        ? diagnostics
        : diagnostics.filter((finding) => !isMistakeInValue(finding));
    if (written === undefined || hasErrors(decisive)) fail(...decisive);
    const opening = opened.get(written) ?? open(written);
    opened.set(written, opening);
    const { config, diagnostics: unread } = await opening;
    return { config, diagnostics: [...diagnostics, ...unread] };
  };
}

/** Mistakes of the command line, which no revision has. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'no-revision',
  'layers-overlap',
]);

/** Finds the errors that an attempt to read a revision failed with. */
export function brokenIn(thrown: unknown): BrokenRevision | undefined {
  for (const finding of findingsOf(thrown)) {
    if (finding.code === 'revision-broken') return finding.facts;
  }
  return undefined;
}

/**
 * Says of a configuration with errors at which revision it is. Other failures
 * pass.
 */
function failBroken(ref: string, thrown: unknown): never {
  const errors = findingsOf(thrown).filter(
    (each) => severityOf(each) === 'error',
  );
  const isOther = errors.some(
    (each) => kindOf(each) !== 'error' || USAGE_CODES.has(each.code),
  );
  const [first] = errors;
  if (first === undefined || isOther) throw thrown;
  const { place } = first;
  const { message, hint } = explain(first);
  const facts = {
    ref,
    errors: errors.length,
    first: place === undefined ? message : `${at(place)}: ${message}`,
    firstHint: hint,
  };
  return fail(diagnostic('revision-broken', facts));
}
