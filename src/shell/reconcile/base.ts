import type { Project, ProjectServer } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { RevisionDocument } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type Commit, openBase } from '../sources/commit.ts';
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

/** The base of a branch: its declarations, its policy, and what it lacks. */
export interface Base extends BaseRevisions {
  readonly commit: RevisionDocument;
  readonly policy: Policy;
  readonly warnings: readonly Diagnostic[];
}

/** The commit at which a branch left its base, and the tip of that base. */
interface BaseRevisions {
  readonly mergeBase: Revision;
  /** Undefined if it is the merge base. */
  readonly tip: Revision | undefined;
  /** Whether flags name the files, which are then the same for all servers. */
  readonly hasSharedFiles: boolean;
}

/** The declarations of the base of a branch for one server. */
export interface BaseConfig {
  readonly base: RevisionDocument;
  readonly before: ResolvedConfig;
  /** The declarations of the ref itself, if it is not the merge base. */
  readonly tip: ResolvedConfig | undefined;
}

/**
 * Reads the base that `--base` names; undefined without one. Fails if it has
 * errors.
 */
export async function readBase(
  run: Run,
  configured: readonly ConfiguredServer[],
  options: Options,
): Promise<Base | undefined> {
  const { base: ref, file = [] } = options;
  if (ref === undefined) return undefined;
  const names = configured.map(({ name }) => name);
  const select = ({ servers }: Project): readonly ProjectServer[] =>
    servers.filter(({ name }) => names.includes(name));
  const part = { file, select };
  const commits = await openBase(run, file, { ref });
  const mergeBase = await readRevision(run, part, commits.mergeBase);
  const tip = await readTip(run, part, commits.tip);
  const revisions: BaseRevisions = {
    mergeBase,
    tip: tip.revision,
    hasSharedFiles: file.length > 0,
  };
  const { base: commit, source } = commits.mergeBase;
  const incomplete = incompleteIn(revisions, names, source.ref ?? ref);
  const behind = await behindOf(run, configured, revisions, commit.ref);
  return {
    ...revisions,
    commit,
    policy: strictest([mergeBase.project?.policy ?? {}, tip.policy]),
    warnings: [...incomplete, ...tip.warnings, ...behind],
  };
}

/** The tip of a base, as far as it can be read. */
export interface Tip {
  /** Undefined if it is the merge base, or has errors. */
  readonly revision: Revision | undefined;
  readonly policy: Policy;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads the tip of a base. Its errors are a warning: a branch is compared with
 * the merge base.
 */
export async function readTip(
  run: Run,
  part: RevisionPart,
  commit: Commit | undefined,
): Promise<Tip> {
  if (commit === undefined) {
    return { revision: undefined, policy: {}, warnings: [] };
  }
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

/** Returns the declarations of a base for a server. */
export function baseConfigOf(base: Base, server: string): BaseConfig {
  return {
    base: base.commit,
    before: configIn(base, base.mergeBase, server),
    tip: base.tip && configIn(base, base.tip, server),
  };
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

/** Finds what a merge base lacks of servers; `ref` names it. */
function incompleteIn(
  revisions: BaseRevisions,
  names: readonly string[],
  ref: string,
): Diagnostic[] {
  const { mergeBase } = revisions;
  const findings: Diagnostic[] = [];
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
  ref: string,
): Promise<readonly Diagnostic[]> {
  const { mergeBase, tip } = revisions;
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
