import { type Project, selectServers } from '../../core/config/project.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import {
  type ServerDocument,
  summaryOfDocuments,
} from '../../core/plan/plan.ts';
import { strictest } from '../../core/plan/risk.ts';
import { fail } from '../failure.ts';
import {
  type Revision,
  type RevisionServer,
  readRevision,
} from '../reconcile/revision.ts';
import type { CommandBody } from '../run.ts';
import { openBase, openCommit } from '../sources/commit.ts';
import { failWithoutProject } from '../sources/project.ts';

/** Diffs two revisions of the configuration offline: neither a server nor the environment is read. */
export const diff: CommandBody = async (run, options, [base = '', head]) => {
  const { file = [], server = [] } = options;
  const asked = {
    file,
    select: (project: Project) => selectServers(project, server).value ?? [],
  };
  const commits = await openBase(run, file, { ref: base, head });
  const before = await readRevision(run, asked, commits.mergeBase);
  const tip = commits.tip && (await readRevision(run, asked, commits.tip));
  const other =
    head === undefined ? undefined : await openCommit(run, file, head);
  const after = await readRevision(run, asked, other);
  if (before.servers.length + after.servers.length === 0) {
    const project = after.project ?? before.project;
    const unmet =
      project === undefined ? [] : selectServers(project, server).diagnostics;
    return unmet.length > 0 ? fail(...unmet) : failWithoutProject(run);
  }
  const loosened =
    file.length > 0 ? [] : loosenedIn(before.project, after.project);
  const servers = diffServers({ before, after, tip });
  const behind =
    tip && branchBehind(base, forksOf({ before, after, tip }), head);
  const differs =
    loosened.length > 0 || servers.some(({ summary }) => summary.changes > 0);
  const incomplete = findingsIn(before).filter(
    ({ code }) => code === 'revision-incomplete',
  );
  return {
    diagnostics: distinct([
      ...incomplete,
      ...findingsIn(after),
      ...(behind === undefined ? [] : [behind]),
    ]),
    report: {
      kind: 'changes',
      servers,
      loosened,
      shown: present({ full: options.full }),
    },
    differs: options.exitCode === true && differs,
  };
};

/** The merge base, the branch, and the tip of the ref if that is another commit. */
interface Revisions {
  readonly before: Revision;
  readonly after: Revision;
  readonly tip?: Revision | undefined;
}

function findingsIn({ servers }: Revision): readonly Diagnostic[] {
  return servers.flatMap(({ diagnostics }) => diagnostics);
}

/** What each server has at three revisions. */
function forksOf({ before, after, tip }: Required<Revisions>): Fork[] {
  return serverNames([after, before, tip]).map((name) => ({
    mergeBase: serverIn(before, name)?.config ?? [],
    tip: serverIn(tip, name)?.config ?? [],
    branch: serverIn(after, name)?.config ?? [],
  }));
}

function serverNames(
  revisions: readonly (Revision | undefined)[],
): readonly string[] {
  const names = new Set<string>();
  for (const revision of revisions) {
    for (const { name } of revision?.servers ?? []) names.add(name);
  }
  return [...names];
}

function serverIn(
  revision: Revision | undefined,
  name: string,
): RevisionServer | undefined {
  return revision?.servers.find((server) => server.name === name);
}

function diffServers({ before, after, tip }: Revisions): ServerDocument[] {
  // A risk that the branch itself turns off is still reported.
  const policy = strictest(
    [before, after, tip].flatMap((revision) => revision?.project?.policy ?? []),
  );
  return serverNames([after, before]).map((name) => {
    const was = serverIn(before, name);
    const now = serverIn(after, name);
    const integrations = diffConfigs({
      before: was?.config ?? [],
      after: now?.config ?? [],
      policy,
      tip: serverIn(tip, name)?.config,
    });
    const counts = {
      managed: integrations.length,
      unmanagedOptions: 0,
      reads: 0,
    };
    return {
      name,
      url: (now ?? was)?.url ?? '',
      ...present({ base: before.base, head: after.base }),
      summary: summaryOfDocuments(integrations, counts),
      refusals: [],
      integrations,
    };
  });
}
