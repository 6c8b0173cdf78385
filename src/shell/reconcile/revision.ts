import type { WrittenConfig } from '../../core/config/entry.ts';
import type { Project, ProjectServer } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { isMistakeInValue } from '../../core/config/rules.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { branchBehind } from '../../core/diff/behind.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at, phrase } from '../../core/findings/words.ts';
import { forServer } from '../../core/model/per-server.ts';
import { type RevisionDocument, shortCommit } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import { isPerServer } from '../flags.ts';
import type { Run } from '../run.ts';
import type { ConfiguredServer } from '../servers/server.ts';
import { type Commit, findCommit, openBase } from '../sources/commit.ts';
import {
  configReader,
  layersOfFlags,
  type NamedFile,
} from '../sources/config.ts';
import { type FileSource, flagRoot, PROJECT_FILE } from '../sources/files.ts';
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
interface RevisionServer extends RevisionConfig {
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
  /** The servers that it is for. */
  readonly names: readonly string[];
  /** Where the branch left it; without a commit if nothing was applied yet. */
  readonly mergeBase: Revision;
  /** The ref itself; undefined if it is the merge base, or has errors. */
  readonly tip?: Revision | undefined;
  /** The stricter one of merge base and tip. */
  readonly policy: Policy;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads the bases of servers, with what the branch lacks of them. Fails if they
 * have errors.
 */
export async function readOwnBases(
  run: Run,
  configured: readonly ConfiguredServer[],
  ref: string,
): Promise<readonly Base[]> {
  const names = configured.map(({ name }) => name);
  const { file = [] } = run.options;
  const part = { file, name: names[0] ?? '', select: serversNamed(names) };
  const bases: Base[] = [];
  for (const base of await readBases(run, part, { ref }, names)) {
    const warnings = [...base.warnings];
    const branch = new Map<string, ResolvedConfig>();
    for (const { name, linked, root } of configured) {
      if (!base.names.includes(name)) continue;
      warnings.push(...newServer(base.mergeBase, name));
      if (base.tip === undefined) continue;
      const { digests } = await digestFiles(run, linked, root);
      branch.set(name, resolveConfig(linked, undefined, digests));
    }
    warnings.push(...behindOf(base, branch));
    bases.push({ ...base, warnings });
  }
  return bases;
}

/** Warns if a merge base does not have a server. */
function newServer(
  { base, project, servers }: Revision,
  name: string,
): Diagnostic[] {
  const isKnown = servers.some((server) => server.name === name);
  if (isKnown || base?.commit === undefined) return [];
  const ref = shortCommit(base.commit);
  const path = project === undefined ? PROJECT_FILE : 'This server';
  return [
    { ...diagnostic('revision-incomplete', { ref, path }), server: name },
  ];
}

/**
 * Finds the changes of the ref that a branch lacks, given what the branch
 * declares for each server.
 */
export function behindOf(
  { ref, mergeBase, tip }: Base,
  branch: ReadonlyMap<string, ResolvedConfig>,
  head?: string | undefined,
): Diagnostic[] {
  if (tip === undefined) return [];
  const forks = [...branch].map(([name, config]) => {
    return {
      mergeBase: configIn(mergeBase, name),
      tip: configIn(tip, name),
      branch: config,
    };
  });
  const behind = branchBehind(ref, forks, head);
  return behind === undefined ? [] : [behind];
}

/** The declarations of a revision for a server; none if it lacks the server. */
export function configIn({ servers }: Revision, name: string): ResolvedConfig {
  return servers.find((server) => server.name === name)?.config ?? [];
}

/** What a base is named by. */
interface NamedBase {
  /** The ref; `{server}` in it stands for the name of each server. */
  readonly ref: string;
  /** The branch; HEAD if none is named. */
  readonly head?: string | undefined;
}

/**
 * Reads the base of servers: of all of them, or of each if the ref has
 * `{server}`. A ref of a server that does not exist means that nothing was
 * applied to it.
 */
export async function readBases(
  run: Run,
  part: RevisionPart,
  named: NamedBase,
  servers: readonly string[],
): Promise<readonly Base[]> {
  const { ref } = named;
  if (!isPerServer(ref, run.command === 'diff' ? 'BASE' : '--base')) {
    return [{ ...(await readBase(run, part, named)), names: servers }];
  }
  // Servers of one commit read it once.
  const groups = new Map<string | undefined, string[]>();
  for (const name of servers) {
    const commit = await findCommit(run, part.file, forServer(ref, name));
    groups.set(commit, [...(groups.get(commit) ?? []), name]);
  }
  const bases: Base[] = [];
  for (const [commit, names] of groups) {
    const [first = ''] = names;
    const own = forServer(ref, first);
    if (commit === undefined) {
      const finding = diagnostic('never-applied', { ref });
      const warnings = names.map((server) => ({ ...finding, server }));
      const mergeBase = { base: { ref }, servers: [] };
      bases.push({ ref: own, names, mergeBase, policy: {}, warnings });
      continue;
    }
    const ownPart = { ...part, select: serversNamed(names) };
    const base = await readBase(run, ownPart, { ...named, ref: own });
    const revision = { ...base.mergeBase.base, ref };
    const mergeBase = { ...base.mergeBase, base: revision };
    bases.push({ ...base, names, mergeBase });
  }
  return bases;
}

function serversNamed(names: readonly string[]): RevisionPart['select'] {
  return ({ servers }) => servers.filter(({ name }) => names.includes(name));
}

/** Reads the merge base of a branch and a ref, and the ref itself. */
async function readBase(
  run: Run,
  part: RevisionPart,
  { ref, head }: NamedBase,
): Promise<Omit<Base, 'names'>> {
  const commits = await openBase(run, part.file, { ref, head });
  const mergeBase = await readRevision(run, part, commits.mergeBase);
  const ofBase = mergeBase.project?.policy ?? {};
  const warnings = mergeBase.servers.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ code }) => code === 'revision-incomplete'),
  );
  if (commits.tip === undefined) {
    return { ref, mergeBase, policy: ofBase, warnings };
  }
  // Errors elsewhere do not lift its policy.
  const found = await findProject(run, commits.tip.source);
  const policy = strictest([ofBase, found?.project.policy ?? {}]);
  const base = { ref, mergeBase, policy };
  try {
    const tip = await readRevision(run, part, commits.tip);
    return { ...base, tip, warnings };
  } catch (thrown) {
    const [broken] = findingsOf(thrown);
    if (broken?.code !== 'revision-broken') throw thrown;
    // The branch is compared with the merge base all the same.
    const facts = { ...broken.facts, isTip: true };
    const warning = diagnostic('revision-broken', facts);
    return { ...base, warnings: [...warnings, warning] };
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
