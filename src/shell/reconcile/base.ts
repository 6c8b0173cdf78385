import type { Project, ProjectServer } from '../../core/config/project.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type Commit, openBase, type Refs } from '../sources/commit.ts';
import { PROJECT_FILE } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';
import type { ConfiguredServer } from './configs.ts';
import {
  brokenIn,
  configIn,
  type Revision,
  type RevisionPart,
  readRevision,
  serverIn,
} from './revision.ts';

/** The base of a branch: the revisions that it is compared with. */
export interface Base {
  /** The commit at which the branch left the ref. */
  readonly mergeBase: Revision;
  /** The ref itself; undefined if it is the merge base, or has errors. */
  readonly tip: Revision | undefined;
  /** The stricter policy of both. */
  readonly policy: Policy;
  /** The errors of the ref, and what it changed or the merge base lacks. */
  readonly warnings: readonly Diagnostic[];
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
  const base = await readBaseOf(run, { file, select }, { ref });
  const incomplete = names.flatMap((name) => lackedBy(base.mergeBase, name));
  const behind = await behindOf(run, configured, base, ref);
  return { ...base, warnings: [...incomplete, ...base.warnings, ...behind] };
}

/**
 * Reads the merge base and the tip of a ref. Errors of the tip are a warning: a
 * branch is compared with the merge base.
 */
export async function readBaseOf(
  run: Run,
  part: RevisionPart,
  refs: Refs,
): Promise<Base> {
  const commits = await openBase(run, part.file, refs);
  const mergeBase = await readRevision(run, part, commits.mergeBase);
  const policies: Policy[] = [mergeBase.project?.policy ?? {}];
  const warnings: Diagnostic[] = [];
  let tip: Revision | undefined;
  if (commits.tip !== undefined) {
    try {
      tip = await readRevision(run, part, commits.tip);
      policies.push(tip.project?.policy ?? {});
    } catch (thrown) {
      const broken = brokenIn(thrown);
      if (broken === undefined) throw thrown;
      warnings.push(diagnostic('revision-broken', { ...broken, isTip: true }));
      // Errors elsewhere do not lift its policy.
      policies.push(await policyAt(run, commits.tip));
    }
  }
  return { mergeBase, tip, policy: strictest(policies), warnings };
}

/** Reads the policy of the project at a commit; none if it has errors. */
async function policyAt(run: Run, { source }: Commit): Promise<Policy> {
  const found = await findProject(run, source);
  if (found === undefined || hasErrors(found.diagnostics)) return {};
  return found.project.policy;
}

/** Finds what a merge base lacks of a server. */
function lackedBy(mergeBase: Revision, name: string): Diagnostic[] {
  const server = serverIn(mergeBase, name);
  if (server !== undefined) return server.diagnostics.filter(isIncomplete);
  const { ref = '', project } = mergeBase;
  const path = project === undefined ? PROJECT_FILE : 'This server';
  const finding = diagnostic('revision-incomplete', { ref, path });
  return [{ ...finding, server: name }];
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
  { mergeBase, tip }: Base,
  ref: string,
): Promise<readonly Diagnostic[]> {
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
