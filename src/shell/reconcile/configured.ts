import { resolve } from 'node:path';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { present } from '../../core/model/present.ts';
import type { LeftOut } from '../../core/show/shown.ts';
import { type TracedConfig, traceConfig } from '../../core/show/traced.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../run.ts';
import { findServers, namedServers, type Server, type ServerOptions } from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import { findProject } from '../sources/project.ts';
import { readReferences } from '../sources/references.ts';
import { configRoot } from '../sources/work-tree.ts';

/** The options of a command that shows configurations. */
export interface ConfiguredOptions extends ServerOptions {
  readonly catalog?: string | undefined;
  readonly allowEnv?: readonly string[] | undefined;
}

/** The configuration of a server, or of files that were named without one. */
interface Configuration extends Pick<Server, 'name' | 'layers' | 'root'> {
  readonly url?: string;
  /** The server, where a flag names it: then it is asked. */
  readonly asked?: Server;
}

/** The same with all that it is made of. */
export interface Configured extends Configuration {
  readonly config: TracedConfig;
}

/** The configurations without those that have errors. */
interface ReadConfigurations {
  readonly configured: readonly Configured[];
  /** Those with errors of servers that nobody asks. */
  readonly leftOut: readonly LeftOut[];
  /** The errors of the others: of a run that asks no server, of all. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the configurations of all servers; fails with all that is wrong where none is left of those that are meant. References may be missing. */
export async function readConfigured(run: Run, options: ConfiguredOptions): Promise<ReadConfigurations> {
  const { configurations, diagnostics } = await configurationsOf(run, options);
  const isNamed = configurations.some(({ asked }) => asked !== undefined);
  const all = await Promise.all(
    configurations.map(async (each) => {
      const { value = [], written = [], diagnostics: found } = await readConfig(run, each.layers);
      const isMeant = !isNamed || each.asked !== undefined;
      return { configuration: each, value, written, found, isMeant, isValid: !hasErrors(found) };
    }),
  );
  const meant = all.filter(({ isMeant }) => isMeant);
  const found = distinct([...diagnostics, ...meant.flatMap((each) => each.found)]);
  if (hasErrors(diagnostics) || (hasErrors(found) && !meant.some(({ isValid }) => isValid)))
    throw new Failure(found);
  const configured = all
    .filter(({ isValid }) => isValid)
    .map(async ({ configuration, value, written }): Promise<Configured> => {
      const { allowEnv = [] } = options;
      const table = await readReferences(run, value, { allowEnv, root: configuration.root });
      return { ...configuration, config: traceConfig(written, table) };
    });
  const leftOut = all.flatMap(({ isMeant, isValid, configuration: { name: server }, found: errors }) =>
    isMeant || isValid ? [] : [{ server, ...present({ source: firstError(errors)?.place }) }],
  );
  const errors = distinct(meant.flatMap((each) => (each.isValid ? [] : each.found)));
  return { configured: await Promise.all(configured), leftOut, diagnostics: errors };
}

function firstError(found: readonly Diagnostic[]): Diagnostic | undefined {
  return found.find((each) => hasErrors([each]));
}

interface Configurations {
  readonly configurations: readonly Configuration[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All servers of the project, for comparison; those alone that flags name are asked. */
async function configurationsOf(run: Run, options: ConfiguredOptions): Promise<Configurations> {
  const { file = [], server = [], url, catalog } = options;
  const isNamed = url !== undefined || server.length > 0;
  if (!isNamed && file.length > 0) return filesAlone(run, file);
  if (!isNamed && catalog !== undefined && (await findProject(run)) === undefined) return filesAlone(run, []);
  const named = isNamed ? await findServers(run, options) : undefined;
  const all = url === undefined ? await namedServers(run, {}) : named;
  const byName = new Map(named?.servers.map((each) => [each.name, each]));
  const configurations = (all?.servers ?? []).map((each): Configuration => {
    const asked = byName.get(each.name);
    return { ...partOf(each), ...(asked === undefined ? {} : { asked }) };
  });
  return { configurations, diagnostics: [...(all?.diagnostics ?? []), ...(named?.diagnostics ?? [])] };
}

function partOf({ name, url, layers, root }: Server): Configuration {
  return { name, url: url.origin, layers, root };
}

/** Files that were named without a server, under a name that stands for all. */
async function filesAlone({ runtime: { cwd } }: Run, files: readonly string[]): Promise<Configurations> {
  const layers = files.map((path): NamedFile => ({ path, base: cwd }));
  const root = await configRoot(resolve(cwd, files[0] ?? '.'));
  return { configurations: [{ name: 'configuration', layers, root }], diagnostics: [] };
}
