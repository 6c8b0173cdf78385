import type { Project, ProjectServer } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { forServer } from '../../core/model/per-server.ts';
import type { RevisionDocument } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { isPerServer, type Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type Commit, findCommit, openBase } from '../sources/commit.ts';
import { PROJECT_FILE } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';
import type { ConfiguredServer } from './configs.ts';
import {
  brokenIn,
  type Revision,
  type RevisionPart,
  type RevisionServer,
  readRevision,
} from './revision.ts';

/** What servers are compared with. */
export interface Base {
  /** By the names of the servers. */
  readonly configs: ReadonlyMap<string, BaseConfig>;
  readonly warnings: readonly Diagnostic[];
}

/** The declarations of the base of a branch for one server. */
export interface BaseConfig {
  readonly base: RevisionDocument;
  readonly policy: Policy;
  readonly before: ResolvedConfig;
  /** The declarations of the ref itself, if it is not the merge base. */
  readonly tip: ResolvedConfig | undefined;
}

/**
 * Reads the base that `--base` names, or that of each server; undefined without
 * one. Fails if it has errors.
 */
export async function readBase(
  run: Run,
  configured: readonly ConfiguredServer[],
  { base: ref, file = [] }: Options,
): Promise<Base | undefined> {
  if (ref === undefined) return undefined;
  const isForEach = isPerServer(ref, '--base');
  const groups = isForEach
    ? await withSameBase(run, configured, file, ref)
    : [configured];
  const configs = new Map<string, BaseConfig>();
  const warnings: Diagnostic[] = [];
  for (const servers of groups) {
    const names = servers.map(({ name }) => name);
    const select = (project: Project): readonly ProjectServer[] =>
      project.servers.filter(({ name }) => names.includes(name));
    const named = isForEach ? { ref, servers: names } : { ref };
    const base = await readBaseRevisions(run, { file, select }, named);
    const { mergeBase, tip } = base;
    for (const name of names) {
      configs.set(name, {
        base: mergeBase.base ?? { ref },
        policy: strictest([mergeBase.project?.policy ?? {}, tip.policy]),
        before: configIn(base, mergeBase, name),
        tip: tip.revision && configIn(base, tip.revision, name),
      });
    }
    warnings.push(...incompleteIn(base, names), ...tip.warnings);
    warnings.push(...(await behindOf(run, servers, base)));
  }
  return { configs, warnings };
}

/** Groups servers whose refs mean one commit, which is then read once. */
async function withSameBase(
  run: Run,
  configured: readonly ConfiguredServer[],
  file: readonly string[],
  ref: string,
): Promise<readonly (readonly ConfiguredServer[])[]> {
  const groups = new Map<string | undefined, ConfiguredServer[]>();
  for (const server of configured) {
    const commit = await findCommit(run, file, forServer(ref, server.name));
    const group = groups.get(commit) ?? [];
    groups.set(commit, [...group, server]);
  }
  return [...groups.values()];
}

/** The commit at which a branch left a ref, and the tip of that ref. */
export interface BaseRevisions {
  /** The ref as git knows it. */
  readonly ref: string;
  /** How findings call the merge base: by the ref, or by its commit. */
  readonly name: string;
  /** Without a commit if nothing was applied to a server. */
  readonly mergeBase: Revision;
  readonly tip: Tip;
  /** Whether flags name the files, which are then the same for all servers. */
  readonly hasSharedFiles: boolean;
}

/** What a base is named by. */
interface NamedBase {
  readonly ref: string;
  /** The branch; HEAD if none is named. */
  readonly head?: string | undefined;
  /** The servers whose names `{server}` in the ref stands for: all mean one commit. */
  readonly servers?: readonly string[] | undefined;
}

/**
 * Reads the merge base of a branch and a ref. A ref of a server that does not
 * exist means that nothing was applied to it.
 */
export async function readBaseRevisions(
  run: Run,
  part: RevisionPart,
  { ref: named, head, servers = [] }: NamedBase,
): Promise<BaseRevisions> {
  const { file } = part;
  const hasSharedFiles = file.length > 0;
  const [first] = servers;
  const ref = first === undefined ? named : forServer(named, first);
  if (first !== undefined && (await findCommit(run, file, ref)) === undefined) {
    const finding = diagnostic('never-applied', { ref: named });
    const warnings = servers.map((server) => ({ ...finding, server }));
    const mergeBase = { base: { ref: named }, servers: [] };
    const tip = { ...NO_TIP, warnings };
    return { ref, name: ref, mergeBase, tip, hasSharedFiles };
  }
  const commits = await openBase(run, file, { ref, head });
  const { base, source } = commits.mergeBase;
  const read = await readRevision(run, part, commits.mergeBase);
  const tip = await readTip(run, part, commits.tip);
  const mergeBase = { ...read, base: { ...base, ref: named } };
  return { ref, name: source.ref ?? ref, mergeBase, tip, hasSharedFiles };
}

/** The tip of a base, as far as it can be read. */
interface Tip {
  /** Undefined if it is the merge base, or has errors. */
  readonly revision: Revision | undefined;
  readonly policy: Policy;
  readonly warnings: readonly Diagnostic[];
}

const NO_TIP: Tip = { revision: undefined, policy: {}, warnings: [] };

/**
 * Reads the tip of a base. Its errors are a warning: a branch is compared with
 * the merge base.
 */
async function readTip(
  run: Run,
  part: RevisionPart,
  commit: Commit | undefined,
): Promise<Tip> {
  if (commit === undefined) return NO_TIP;
  try {
    const revision = await readRevision(run, part, commit);
    const policy = revision.project?.policy ?? {};
    return { revision, policy, warnings: [] };
  } catch (thrown) {
    const broken = brokenIn(thrown);
    if (broken === undefined) throw thrown;
    const warning = diagnostic('revision-broken', { ...broken, isTip: true });
    // Errors elsewhere do not lift its policy.
    const policy = await policyAt(run, commit);
    return { revision: undefined, policy, warnings: [warning] };
  }
}

/** Reads the policy of the project at a commit; none if it has errors. */
async function policyAt(run: Run, { source }: Commit): Promise<Policy> {
  const found = await findProject(run, source);
  if (found === undefined || hasErrors(found.diagnostics)) return {};
  return found.project.policy;
}

function serverIn(
  { hasSharedFiles }: BaseRevisions,
  { servers }: Revision,
  name: string,
): RevisionServer | undefined {
  if (hasSharedFiles) return servers[0];
  return servers.find((server) => server.name === name);
}

/** The declarations of a revision for a server; none if it lacks the server. */
function configIn(
  revisions: BaseRevisions,
  revision: Revision,
  name: string,
): ResolvedConfig {
  return serverIn(revisions, revision, name)?.config ?? [];
}

/** Finds what a merge base lacks of servers. */
function incompleteIn(
  revisions: BaseRevisions,
  names: readonly string[],
): Diagnostic[] {
  const { mergeBase, name: ref } = revisions;
  const findings: Diagnostic[] = [];
  if (mergeBase.base?.commit === undefined) return findings;
  for (const name of names) {
    const server = serverIn(revisions, mergeBase, name);
    if (server !== undefined) {
      findings.push(...server.diagnostics.filter(isIncomplete));
      continue;
    }
    const isProject = mergeBase.project === undefined;
    const path = isProject ? PROJECT_FILE : 'This server';
    const finding = diagnostic('revision-incomplete', { ref, path });
    findings.push({ ...finding, server: name });
  }
  return findings;
}

/** True for a finding of a file or server that a revision does not have. */
export function isIncomplete({ code }: Diagnostic): boolean {
  return code === 'revision-incomplete';
}

/**
 * Finds the changes of the ref that the work tree lacks: one finding, or none.
 */
async function behindOf(
  run: Run,
  configured: readonly ConfiguredServer[],
  revisions: BaseRevisions,
): Promise<readonly Diagnostic[]> {
  const { ref, mergeBase } = revisions;
  const tip = revisions.tip.revision;
  if (tip === undefined) return [];
  const forks: Fork[] = [];
  for (const { name, linked, root } of configured) {
    const { digests } = await digestFiles(run, linked, root);
    forks.push({
      mergeBase: configIn(revisions, mergeBase, name),
      tip: configIn(revisions, tip, name),
      branch: resolveConfig(linked, undefined, digests),
    });
  }
  const behind = branchBehind(ref, forks);
  return behind === undefined ? [] : [behind];
}
