import type { WrittenConfig } from '../../core/config/entry.ts';
import type { Project, ProjectServer } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { isMistakeInValue } from '../../core/config/rules.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at, phrase } from '../../core/findings/words.ts';
import { forServer } from '../../core/model/per-server.ts';
import type { RevisionDocument } from '../../core/plan/plan-document.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import { isPerServer } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  type Commit,
  findCommit,
  openBase,
  type Refs,
} from '../sources/commit.ts';
import {
  configReader,
  layersOfFlags,
  type NamedFile,
} from '../sources/config.ts';
import { type FileSource, flagRoot } from '../sources/files.ts';
import { findProject, layersOf } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';

/**
 * The declarations of a revision, with its references open: for some servers of
 * its project, or once for files of flags.
 */
export interface Revision {
  /** The commit; undefined for the work tree. */
  base?: RevisionDocument | undefined;
  project?: Project | undefined;
  servers: readonly RevisionServer[];
}

/** The declarations of a revision for one server. */
interface RevisionServer extends ServerConfig {
  url: string;
  layers: readonly NamedFile[];
  diagnostics: readonly Diagnostic[];
}

/** What is declared for one server. */
interface ServerConfig {
  name: string;
  config: ResolvedConfig;
}

/** The part of a revision to read. */
export interface RevisionPart {
  /** What the server of the files of flags is called. */
  name: string;
  /** Without such files, the servers of its project. */
  select: (project: Project) => readonly ProjectServer[];
}

/** What a branch is compared with. */
export interface Base {
  /** The ref as git knows it. */
  ref: string;
  /** The servers that it is for. */
  names: readonly string[];
  /** Where the branch left it; without a commit if nothing was applied yet. */
  mergeBase: Revision;
  /** The ref itself; undefined if it is the merge base. */
  tip?: Revision | undefined;
  /** The stricter one of merge base and tip. */
  policy: Policy;
  warnings: readonly Diagnostic[];
}

/**
 * Finds the changes of the ref that a branch lacks, given what the branch
 * declares for each server.
 */
export function behindOf(
  { ref, names, mergeBase, tip }: Base,
  branch: readonly ServerConfig[],
  head?: string | undefined,
): Diagnostic[] {
  if (tip === undefined) return [];
  const forks: Fork[] = [];
  for (const { name, config } of branch) {
    if (!names.includes(name)) continue;
    forks.push({
      mergeBase: configIn(mergeBase, name),
      tip: configIn(tip, name),
      branch: config,
    });
  }
  const behind = branchBehind(ref, forks, head);
  return behind === undefined ? [] : [behind];
}

/** The declarations of a revision for a server; none if it lacks the server. */
export function configIn({ servers }: Revision, name: string): ResolvedConfig {
  return servers.find((server) => server.name === name)?.config ?? [];
}

/**
 * Reads the base of servers: of all of them, or of each if the ref has
 * `{server}`. A ref of a server that does not exist means that nothing was
 * applied to it.
 */
export async function readBases(
  run: Run,
  part: RevisionPart,
  { ref, head }: Refs,
  servers: readonly string[],
): Promise<readonly Base[]> {
  if (!isPerServer(ref, run.command === 'diff' ? 'BASE' : '--base')) {
    return [await readBase(run, part, { ref, head }, servers)];
  }
  // Servers of one commit read it once.
  const groups = new Map<string | undefined, string[]>();
  for (const name of servers) {
    const commit = await findCommit(run, forServer(ref, name));
    groups.set(commit, [...(groups.get(commit) ?? []), name]);
  }
  const bases: Base[] = [];
  for (const [commit, names] of groups) {
    const own = forServer(ref, names[0] ?? '');
    if (commit === undefined) {
      const finding = diagnostic('never-applied', { ref });
      const warnings = names.map((server) => ({ ...finding, server }));
      const mergeBase = { base: { ref }, servers: [] };
      bases.push({ ref: own, names, mergeBase, policy: {}, warnings });
      continue;
    }
    const ownPart = { ...part, select: serversNamed(names) };
    const base = await readBase(run, ownPart, { ref: own, head }, names);
    const revision = { ...base.mergeBase.base, ref };
    const mergeBase = { ...base.mergeBase, base: revision };
    bases.push({ ...base, mergeBase });
  }
  return bases;
}

/** Selects servers of a project by their names. */
export function serversNamed(names: readonly string[]): RevisionPart['select'] {
  return ({ servers }) => servers.filter(({ name }) => names.includes(name));
}

/** Reads the merge base of a branch and a ref, and the ref itself. */
async function readBase(
  run: Run,
  part: RevisionPart,
  refs: Refs,
  names: readonly string[],
): Promise<Base> {
  const commits = await openBase(run, refs);
  const mergeBase = await readRevision(run, part, commits.mergeBase);
  const tip = commits.tip && (await readRevision(run, part, commits.tip));
  const policies = [mergeBase, tip].map((each) => each?.project?.policy ?? {});
  const warnings = mergeBase.servers.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ code }) => code === 'revision-incomplete'),
  );
  const policy = strictest(policies);
  return { ref: refs.ref, names, mergeBase, tip, policy, warnings };
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
    return { base, ...(await readDeclared(run, part, source)) };
  } catch (thrown) {
    const errors = findingsOf(thrown).filter((each) => hasErrors([each]));
    const [first] = errors;
    // Without a place, it is a mistake of the command line, or the run ended.
    if (first?.place === undefined) throw thrown;
    const { message, hint } = explain(first);
    const facts = {
      ref: source.ref ?? base.ref,
      errors: errors.length,
      first: phrase([`${at(first.place)}: ${message}`, hint]),
    };
    return fail(diagnostic('revision-broken', facts));
  }
}

async function readDeclared(
  run: Run,
  { name, select }: RevisionPart,
  source?: FileSource,
): Promise<Revision> {
  const { file = [] } = run.options;
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics)) {
    fail(...found.diagnostics);
  }
  const project = found?.project;
  const [firstFile] = file;
  if (firstFile !== undefined) {
    const layers = layersOfFlags(run, file);
    const root = flagRoot(run.runtime.cwd, firstFile);
    const config = await configOpener(run, root, source)(layers);
    return { project, servers: [{ name, url: '', layers, ...config }] };
  }
  if (found === undefined) return { servers: [] };
  const open = configOpener(run, found.folder, source);
  const reading = select(found.project).map(async (server) => {
    const layers = layersOf(server, found);
    const url = plainAddress(server.url.text);
    return { name: server.name, url, layers, ...(await open(layers)) };
  });
  return { project, servers: await allOrFail(reading) };
}

/** What layers declare at a revision, and the findings on them. */
interface OpenedConfig {
  config: ResolvedConfig;
  diagnostics: readonly Diagnostic[];
}

/**
 * Makes the reader of configurations, each once, with digests of the files that
 * their references name.
 */
function configOpener(
  run: Run,
  root: string,
  source?: FileSource,
): (layers: readonly NamedFile[]) => Promise<OpenedConfig> {
  const read = configReader(run, source);
  const opened = new Map<WrittenConfig, Promise<OpenedConfig>>();
  const open = async (written: WrittenConfig): Promise<OpenedConfig> => {
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
