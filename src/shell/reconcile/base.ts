import type { LinkedConfig } from '../../core/config/link.ts';
import { PROJECT_FILE, type Project, pairServers, selectServers } from '../../core/config/project.ts';
import { openConfig, outsideReferences, type ResolvedConfig } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at } from '../../core/findings/words.ts';
import type { Place } from '../../core/model/place.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { Failure, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import type { FileSource } from '../sources/files.ts';
import { type FoundProject, findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';
import { openRevision, type Revision } from '../sources/revision.ts';
import { unfiltered } from '../sources/unfiltered.ts';
import { unheldFiles } from '../sources/unheld.ts';

/** What this branch and its base declare for one server, with all references open. */
export interface BaseComparison {
  readonly base: PlanBase;
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
}

/** A server, and its configuration in the work tree. */
interface Configured {
  readonly server: Server;
  readonly config: LinkedConfig;
}

/**
 * What the base declares for each server beside the work tree, and what is worth knowing of it: with `selectors` also which of
 * those that they mean are gone. Fails where it has errors.
 */
export async function readBase(
  run: Run,
  configured: readonly Configured[],
  ref: string,
  selectors?: readonly string[],
): Promise<{
  readonly comparisons: ReadonlyMap<string, BaseComparison>;
  /** The policy of the project at the base. */
  readonly policy: Policy;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const [first] = configured;
  if (first === undefined) return { comparisons: new Map(), policy: {}, diagnostics: [] };
  const revision = await openRevision(run, first.server.root, ref);
  // Whatever the base has does not govern this run, and none of its files is one of the work tree.
  const past = { ...run, configFiles: new Set<string>() };
  try {
    const project = await findProject(past, revision.source);
    if (project !== undefined && hasErrors(project.diagnostics)) throw new Failure(project.diagnostics);
    const known = project && (await serversAt(past, project));
    const read = await Promise.all(
      configured.map((each) => readBefore(past, each, revision, known?.servers)),
    );
    const all = read.flatMap(({ diagnostics }) => diagnostics);
    if (hasErrors(all)) throw new Failure(all);
    const now = unfiltered(revision);
    const compared = await Promise.all(
      read.map(
        async ({ server, config, before, root }): Promise<[string, BaseComparison]> => [
          server.name,
          {
            base: revision.base,
            before: await openAt(past, before, root, revision.source),
            after: await openAt(run, config, server.root, now),
          },
        ],
      ),
    );
    return {
      comparisons: new Map(compared),
      policy: project?.project.policy ?? {},
      diagnostics: distinct([
        ...all.filter(({ code }) => code === 'revision-empty'),
        ...(await unheldFiles(run, revision)),
        ...(first.server.credentialsName === undefined ? [] : goneAt(known, selectors, ref)),
      ]),
    };
  } catch (thrown) {
    return failBroken(findingsOf(thrown), ref);
  }
}

/** A configuration with its references open, and digests of the files that they name. */
export async function openAt(run: Run, config: LinkedConfig, root: string, source?: FileSource) {
  return openConfig(config, await digestFiles(run, outsideReferences(config), root, source));
}

/** What a server of this branch was at a revision. */
interface Before {
  readonly layers: readonly NamedFile[];
  /** The folder that its `${file:}` references stay in. */
  readonly root: string;
}

/** The servers of a project at a revision. */
interface Known {
  /** By the names that they have in the work tree. */
  readonly servers: ReadonlyMap<string, Before>;
  /** The project there, with the servers that the work tree lacks. */
  readonly gone: Pick<Project, 'servers'>;
  /** Where the work tree has its servers. */
  readonly place: Place | undefined;
}

async function serversAt(run: Run, found: FoundProject): Promise<Known> {
  const now = (await findProject(run))?.project;
  const pairs = pairServers(now?.servers ?? [], found.project.servers);
  const kept = new Set(pairs.values());
  return {
    servers: new Map(
      [...pairs].map(([{ name }, before]) => [name, { layers: layersOf(before, found), root: found.folder }]),
    ),
    gone: { servers: found.project.servers.filter((each) => !kept.has(each)) },
    place: now?.serversPlace,
  };
}

/** A warning for each server that selectors mean at a revision, and that the work tree lacks. */
function goneAt(
  known: Known | undefined,
  selectors: readonly string[] | undefined,
  ref: string,
): Diagnostic[] {
  if (known === undefined || selectors === undefined) return [];
  const each = selectors.length === 0 ? [[]] : selectors.map((selector) => [selector]);
  const meant = new Set(each.flatMap((selector) => selectServers(known.gone, selector).value ?? []));
  return [...meant].map(({ name, url }) =>
    diagnostic('server-released', { name, url: url.text, ref }, known.place),
  );
}

/** What a revision declares for a server; nothing where the server is younger. Files that flags name are the same there. */
async function readBefore(
  run: Run,
  { server, config }: Configured,
  { base: { ref }, source }: Revision,
  known: Known['servers'] | undefined,
) {
  const same = server.credentialsName === undefined ? server : known?.get(server.name);
  if (same === undefined) {
    const path = known === undefined ? PROJECT_FILE : `The server ${server.name}`;
    const lost = diagnostic('revision-empty', { ref, path });
    return { server, config, before: [], root: server.root, diagnostics: [lost] };
  }
  const { value: before = [], diagnostics } = await readConfig(run, same.layers, source);
  return { server, config, before, root: same.root, diagnostics };
}

/** Nothing can be compared with a configuration that has errors; what git itself refuses is told as it is. */
export function failBroken(found: readonly Diagnostic[], ref: string): never {
  const errors = found.filter((each) => explain(each).severity === 'error');
  const [first] = errors;
  if (first === undefined || errors.some((each) => explain(each).exit !== 'configuration'))
    throw new Failure(found);
  const where = first.place === undefined ? '' : `${at(first.place)}: `;
  return fail(
    diagnostic('revision-broken', {
      ref,
      errors: errors.length,
      first: `${where}${explain(first).message}`,
    }),
  );
}
