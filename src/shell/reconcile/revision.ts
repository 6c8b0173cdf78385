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
import { at } from '../../core/findings/words.ts';
import { forServer } from '../../core/model/per-server.ts';
import { type RevisionDocument, shortCommit } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import { isPerServer } from '../flags.ts';
import type { Run } from '../run.ts';
import { type Commit, findCommit, openBase } from '../sources/commit.ts';
import {
  configReader,
  layersOfFlags,
  type NamedFile,
} from '../sources/config.ts';
import { type FileSource, flagRoot, PROJECT_FILE } from '../sources/files.ts';
import { findProject, layersOf } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';
import type { ConfiguredServer } from './configs.ts';

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
  /** What the server of these files is called. */
  readonly name: string;
  readonly select: (project: Project) => readonly ProjectServer[];
}

/** What a branch is compared with. */
export interface Base {
  /** The ref as git knows it. */
  readonly ref: string;
  /** Where the branch left it; without a commit if nothing was applied yet. */
  readonly mergeBase: Revision;
  /** The ref itself; undefined if it is the merge base, or has errors. */
  readonly tip?: Revision | undefined;
  /** The stricter one of merge base and tip. */
  readonly policy: Policy;
  readonly warnings: readonly Diagnostic[];
}

/** The base of a branch, as one server declares it. */
export interface BaseConfig {
  readonly base: RevisionDocument;
  readonly policy: Policy;
  readonly before: ResolvedConfig;
  readonly tip: ResolvedConfig | undefined;
}

/** The bases of servers, by their names. */
export interface BaseConfigs {
  readonly configs: ReadonlyMap<string, BaseConfig>;
  readonly warnings: readonly Diagnostic[];
}

/** Reads the base of each server. Fails if it has errors. */
export async function readBaseConfigs(
  run: Run,
  configured: readonly ConfiguredServer[],
  ref: string,
): Promise<BaseConfigs> {
  const { file = [] } = run.options;
  const isForEach = isPerServer(ref, '--base');
  // Servers of one commit read it once.
  const groups = new Map<string | undefined, ConfiguredServer[]>();
  for (const server of configured) {
    const commit = isForEach
      ? await findCommit(run, file, forServer(ref, server.name))
      : ref;
    groups.set(commit, [...(groups.get(commit) ?? []), server]);
  }
  const configs = new Map<string, BaseConfig>();
  const warnings: Diagnostic[] = [];
  for (const servers of groups.values()) {
    const names = servers.map(({ name }) => name);
    const [name = ''] = names;
    const select = (project: Project): readonly ProjectServer[] =>
      project.servers.filter((server) => names.includes(server.name));
    const part = { file, name, select };
    const named = { ref, servers: isForEach ? names : undefined };
    const base = await readBase(run, part, named);
    const { mergeBase, tip, policy } = base;
    for (const { name } of servers) {
      configs.set(name, {
        base: mergeBase.base ?? { ref },
        policy,
        before: configIn(mergeBase, name),
        tip: tip && configIn(tip, name),
      });
      warnings.push(...lackedOf(mergeBase, name));
    }
    warnings.push(...base.warnings, ...(await behindOf(run, servers, base)));
  }
  return { configs, warnings };
}

/** Finds what a merge base does not have of a server. */
function lackedOf(
  { base, project, servers }: Revision,
  name: string,
): Diagnostic[] {
  if (base?.commit === undefined) return [];
  const server = servers.find((each) => each.name === name);
  if (server !== undefined) return server.diagnostics.filter(isIncomplete);
  const ref = shortCommit(base.commit);
  const path = project === undefined ? PROJECT_FILE : 'This server';
  return [
    { ...diagnostic('revision-incomplete', { ref, path }), server: name },
  ];
}

/** True for a finding of a file or server that a revision does not have. */
export function isIncomplete({ code }: Diagnostic): boolean {
  return code === 'revision-incomplete';
}

/** Finds the changes of the ref that the work tree lacks. */
async function behindOf(
  run: Run,
  configured: readonly ConfiguredServer[],
  { ref, mergeBase, tip }: Base,
): Promise<Diagnostic[]> {
  if (tip === undefined) return [];
  const forks: Fork[] = [];
  for (const { name, linked, root } of configured) {
    const { digests } = await digestFiles(run, linked, root);
    forks.push({
      mergeBase: configIn(mergeBase, name),
      tip: configIn(tip, name),
      branch: resolveConfig(linked, undefined, digests),
    });
  }
  const behind = branchBehind(ref, forks);
  return behind === undefined ? [] : [behind];
}

/** The declarations of a revision for a server; none if it lacks the server. */
export function configIn({ servers }: Revision, name: string): ResolvedConfig {
  return servers.find((server) => server.name === name)?.config ?? [];
}

/** What a base is named by. */
interface NamedBase {
  readonly ref: string;
  /** The branch; HEAD if none is named. */
  readonly head?: string | undefined;
  /**
   * The servers whose names `{server}` in the ref stands for: all mean one
   * commit.
   */
  readonly servers?: readonly string[] | undefined;
}

/**
 * Reads the merge base of a branch and a ref, and the ref itself. A ref of a
 * server that does not exist means that nothing was applied to it.
 */
export async function readBase(
  run: Run,
  part: RevisionPart,
  { ref: named, head, servers: [first, ...others] = [] }: NamedBase,
): Promise<Base> {
  const { file } = part;
  const ref = first === undefined ? named : forServer(named, first);
  if (first !== undefined && (await findCommit(run, file, ref)) === undefined) {
    const finding = diagnostic('never-applied', { ref: named });
    const warnings = [first, ...others].map((server) => {
      return { ...finding, server };
    });
    const mergeBase = { base: { ref: named }, servers: [] };
    return { ref, mergeBase, policy: {}, warnings };
  }
  const commits = await openBase(run, file, { ref, head });
  const read = await readRevision(run, part, commits.mergeBase);
  const mergeBase = {
    ...read,
    base: { ...commits.mergeBase.base, ref: named },
  };
  const ofBase = read.project?.policy ?? {};
  if (commits.tip === undefined) {
    return { ref, mergeBase, policy: ofBase, warnings: [] };
  }
  // Errors elsewhere do not lift its policy.
  const found = await findProject(run, commits.tip.source);
  const policy = strictest([ofBase, found?.project.policy ?? {}]);
  const base = { ref, mergeBase, policy };
  try {
    const tip = await readRevision(run, part, commits.tip);
    return { ...base, tip, warnings: [] };
  } catch (thrown) {
    const [broken] = findingsOf(thrown);
    if (broken?.code !== 'revision-broken') throw thrown;
    // The branch is compared with the merge base all the same.
    const facts = { ...broken.facts, isTip: true };
    return { ...base, warnings: [diagnostic('revision-broken', facts)] };
  }
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
    const { message, hint: firstHint } = explain(first);
    const facts = {
      ref: source.ref ?? base.ref,
      errors: errors.length,
      first: `${at(first.place)}: ${message}`,
      firstHint,
    };
    return fail(diagnostic('revision-broken', facts));
  }
}

async function readDeclared(
  run: Run,
  { file, name, select }: RevisionPart,
  source?: FileSource,
): Promise<Revision> {
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics)) {
    fail(...found.diagnostics);
  }
  const project = found?.project;
  const [firstFile] = file;
  if (firstFile !== undefined) {
    const layers = layersOfFlags(run, file);
    const root = await flagRoot(run.runtime.cwd, firstFile);
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

/**
 * Makes the reader of configurations, each once, with digests of the files that
 * their references name.
 */
function configOpener(
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
