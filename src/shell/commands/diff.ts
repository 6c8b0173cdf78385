import { resolve } from 'node:path';
import { type ProjectServer, pairServers, selectServers } from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { diffDocuments, loosenedIn } from '../../core/diff/document.ts';
import { diffProjects } from '../../core/diff/project-diff.ts';
import type { EntryDiff, ServerDiff } from '../../core/diff/revision-diff.ts';
import { diffServers, type TrustedServer } from '../../core/diff/server-diff.ts';
import { compareText, type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { present } from '../../core/model/present.ts';
import { Failure, failUsage, findingsOf } from '../failure.ts';
import { failBroken, openAt } from '../reconcile/base.ts';
import { type CommandResult, type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { layersOf } from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import type { FileSource } from '../sources/files.ts';
import { type FoundProject, failWithoutProject, findProject } from '../sources/project.ts';
import { openRevision, type Revision } from '../sources/revision.ts';
import { unfiltered } from '../sources/unfiltered.ts';
import { unheldFiles } from '../sources/unheld.ts';
import { WORK_TREE } from '../sources/work-tree.ts';

interface DiffOptions extends RunOptions {
  readonly file?: readonly string[] | undefined;
  readonly server?: readonly string[] | undefined;
  readonly exitCode?: boolean | undefined;
  readonly full?: boolean | undefined;
}

/** Shows what differs between two revisions of the configuration, offline: neither a server nor the environment is read. */
export function diff(
  base: string,
  head: string | undefined,
  options: DiffOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { file = [], server = [] } = options;
    if (file.length > 0 && server.length > 0)
      failUsage('--server selects from setpoint.yaml; it cannot be combined with -f.');
    const folder = resolve(run.runtime.cwd, file[0] ?? '.');
    const after = head === undefined ? undefined : await openRevision(run, folder, head);
    const before = await openRevision(run, folder, base, after?.source);
    const { pairs, project } = await comparedParts(run, { before, after }, options);
    const earlier = await configsAt(
      run,
      before,
      pairs.map((each) => each.before),
    ).catch((thrown: unknown) => failBroken(findingsOf(thrown), base));
    const now = await configsAt(
      run,
      after,
      pairs.map((each) => each.after),
      after?.source ?? unfiltered(before),
    );
    const servers = pairs.map((pair, index) =>
      diffServer(pair, earlier.configs[index] ?? [], now.configs[index] ?? []),
    );
    const found = { base: before.base, ...present({ head: after?.base, project }), servers };
    return {
      diagnostics: [...now.diagnostics, ...(after === undefined ? await unheldFiles(run, before) : [])],
      report: {
        kind: 'diff',
        servers: diffDocuments(found),
        loosened: loosenedIn(found),
        shown: present({ full: options.full }),
      },
      differs:
        options.exitCode === true &&
        (servers.some(({ entries }) => entries.length > 0) || (project ?? []).length > 0),
    };
  });
}

/** Two revisions; undefined for the work tree. */
interface Compared {
  readonly before: Revision;
  readonly after: Revision | undefined;
}

/** A server as one revision names it. */
interface Layered {
  readonly name: string;
  readonly url?: string;
  readonly layers: readonly NamedFile[];
  /** The folder that its `${file:}` references stay in. */
  readonly root: string;
}

/** One server at both revisions, as far as they have it. */
interface Pair {
  readonly before?: Layered | undefined;
  readonly after?: Layered | undefined;
}

/** The name under which files are shown that no server of a project names. */
const FILES = 'configuration';

/** What is compared: the rules of the project with the selected servers, ordered by name, or files that flags name. */
interface Parts {
  readonly pairs: readonly Pair[];
  readonly project?: readonly EntryDiff[];
}

async function comparedParts(
  run: Run,
  { before, after }: Compared,
  { file = [], server = [] }: DiffOptions,
): Promise<Parts> {
  const { cwd } = run.runtime;
  const [first] = file;
  if (first !== undefined) {
    const root = await before.source.rootOf(resolve(cwd, first));
    const files = { name: FILES, layers: file.map((path) => ({ path, base: cwd })), root };
    return { pairs: [{ before: files, after: files }] };
  }
  const earlier = await projectAt(run, before).catch((thrown: unknown) =>
    failBroken(findingsOf(thrown), before.base.ref),
  );
  const now =
    (await projectAt(run, after)) ?? (after === undefined ? await failWithoutProject(run) : undefined);
  return projectParts(run, { before, after }, [earlier, now], server);
}

/** The selected servers of a project at both revisions, and what differs in its rules. */
async function projectParts(
  run: Run,
  { before, after }: Compared,
  [earlier, now]: readonly [FoundProject | undefined, FoundProject | undefined],
  server: readonly string[],
): Promise<Parts> {
  const [was, is] = [earlier, now].map((found) => found && selectServers(found.project, server));
  const isMet = [was, is].some((each) => each?.diagnostics.length === 0);
  if (!isMet) throw new Failure((is ?? was)?.diagnostics ?? []);
  const servers = now?.project.servers ?? [];
  const paired = pairServers(servers, earlier?.project.servers ?? []);
  const kept = new Set(paired.values());
  const meant = new Set([...(was?.value ?? []), ...(is?.value ?? [])]);
  // A selector may be the former name of a server.
  const there =
    is?.value ?? servers.filter((each) => [paired.get(each)].some((one) => one && meant.has(one)));
  const gone = (was?.value ?? []).filter((each) => !kept.has(each));
  const names = new Set(servers.map(({ name }) => name));
  const pairs: Pair[] = [
    ...there.map((each) => ({ before: layered(paired.get(each), earlier), after: layered(each, now) })),
    // Where another server has its name now, only its address tells which one is gone.
    ...gone.map((each) => {
      const name = names.has(each.name) ? each.url.text : each.name;
      return { before: layered({ ...each, name }, earlier) };
    }),
  ];
  pairs.sort((one, other) => compareText(nameOf(one), nameOf(other)));
  const algorithm = before.base.commit.length === 64 ? 'sha256' : 'sha1';
  const trustedAt = (found: FoundProject | undefined, revision: Revision | undefined) =>
    trustedServers(run, found, algorithm, revision?.source);
  const trusted = [await trustedAt(earlier, before), await trustedAt(now, after)] as const;
  const project = [
    ...diffServers(...trusted, { isMeant: (each) => meant.has(each), waivers: now?.project.waivers ?? [] }),
    ...diffProjects(earlier?.project, now?.project),
  ];
  return { pairs, project };
}

function layered(server: ProjectServer | undefined, found: FoundProject | undefined): Layered | undefined {
  if (server === undefined || found === undefined) return undefined;
  return { name: server.name, url: server.url.text, layers: layersOf(server, found), root: found.folder };
}

/** The servers of a project at a revision, with the ids that git has for the contents of their `caFile`s. */
function trustedServers(
  run: Run,
  found: FoundProject | undefined,
  algorithm: 'sha1' | 'sha256',
  source: FileSource = WORK_TREE,
): Promise<TrustedServer[]> {
  if (found === undefined) return Promise.resolve([]);
  return Promise.all(
    found.project.servers.map(async (server) => {
      const file = server.caFile && resolve(found.folder, server.caFile.text);
      return { server, ...present({ authority: file && (await source.blobOf(run, file, algorithm)) }) };
    }),
  );
}

function nameOf({ before, after }: Pair): string {
  return (after ?? before)?.name ?? '';
}

/** The run as a revision takes part in it: what governs the run, and what it must not write onto, are files of the work tree. */
function runAt(run: Run, revision: Revision | undefined): Run {
  return revision === undefined ? run : { ...run, configFiles: new Set<string>() };
}

/** The project at a revision, or in the work tree; fails where it has errors. */
async function projectAt(run: Run, revision: Revision | undefined): Promise<FoundProject | undefined> {
  const found = await findProject(runAt(run, revision), revision?.source);
  if (found !== undefined && hasErrors(found.diagnostics)) throw new Failure(found.diagnostics);
  return found;
}

/** What servers declare at a revision, and what is odd about it; fails where anything is wrong. */
async function configsAt(
  run: Run,
  revision: Revision | undefined,
  servers: readonly Pair['after'][],
  files = revision?.source,
) {
  const here = runAt(run, revision);
  const source = revision?.source;
  const read = await Promise.all(servers.map((each) => readConfig(here, each?.layers ?? [], source)));
  const diagnostics = distinct(read.flatMap((each): readonly Diagnostic[] => each.diagnostics));
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  const configs = servers.map((each, index) =>
    each === undefined ? [] : openAt(here, read[index]?.value ?? [], each.root, files),
  );
  return { configs: await Promise.all(configs), diagnostics };
}

function diffServer({ before, after }: Pair, base: ResolvedConfig, head: ResolvedConfig): ServerDiff {
  const was = after !== undefined && before?.name !== after.name ? before?.name : undefined;
  return {
    name: nameOf({ before, after }),
    ...present({ was }),
    change: before === undefined ? 'added' : after === undefined ? 'released' : 'kept',
    ...(before?.url === after?.url ? {} : { url: present({ before: before?.url, after: after?.url }) }),
    entries: diffConfigs(base, head),
  };
}
