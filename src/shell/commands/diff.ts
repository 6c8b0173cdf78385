import { type Project, selectServers } from '../../core/config/project.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { type ServerDocument, summaryOf } from '../../core/plan/plan.ts';
import { strictest } from '../../core/plan/risk.ts';
import { fail } from '../failure.ts';
import { readRevision } from '../reconcile/revision.ts';
import type { CommandBody } from '../run.ts';
import { openCommit } from '../sources/commit.ts';
import { failWithoutProject } from '../sources/project.ts';

/** Diffs two revisions of the configuration offline: neither a server nor the environment is read. */
export const diff: CommandBody = async (run, options, [base = '', head]) => {
  const { file = [], server = [] } = options;
  const asked = {
    file,
    select: (project: Project) => selectServers(project, server).value ?? [],
  };
  const commit = await openCommit(run, file, base);
  const before = await readRevision(run, asked, commit);
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
  const servers = diffServers(before, after);
  const differs =
    loosened.length > 0 || servers.some(({ summary }) => summary.changes > 0);
  const incomplete = findingsIn(before).filter(
    ({ code }) => code === 'revision-incomplete',
  );
  return {
    diagnostics: distinct([...incomplete, ...findingsIn(after)]),
    report: {
      kind: 'changes',
      servers,
      loosened,
      shown: present({ full: options.full }),
    },
    differs: options.exitCode === true && differs,
  };
};

type Revision = Awaited<ReturnType<typeof readRevision>>;

function findingsIn({ servers }: Revision): readonly Diagnostic[] {
  return servers.flatMap(({ diagnostics }) => diagnostics);
}

function diffServers(before: Revision, after: Revision): ServerDocument[] {
  const names = [
    ...new Set([...after.servers, ...before.servers].map(({ name }) => name)),
  ];
  // A risk that the branch itself turns off is still reported.
  const policy = strictest(
    [before, after].flatMap(({ project }) => project?.policy ?? []),
  );
  return names.map((name) => {
    const [was, now] = [before, after].map(({ servers }) =>
      servers.find((each) => each.name === name),
    );
    const integrations = diffConfigs(
      was?.config ?? [],
      now?.config ?? [],
      policy,
    );
    const counts = {
      managed: integrations.length,
      unmanagedOptions: 0,
      reads: 0,
    };
    return {
      name,
      url: (now ?? was)?.url ?? '',
      ...present({ base: before.base, head: after.base }),
      summary: { ...summaryOf(integrations, counts), writes: 0 },
      refusals: [],
      integrations,
    };
  });
}
