import type { WrittenConfig } from '../../core/config/entry.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/model/place.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import type { FoundServers, Server } from '../servers/server.ts';
import { configReader } from '../sources/config.ts';

/** A server with the declarations of its files. */
export interface ConfiguredServer extends Server {
  readonly linked: WrittenConfig;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
}

export interface ReadConfigs {
  readonly configured: readonly ConfiguredServer[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads the configuration of each server. Fails with all that is wrong with
 * servers and configurations.
 */
export async function readConfigs(
  run: Run,
  found: FoundServers,
): Promise<ReadConfigs> {
  const configs = await Promise.all(found.layers.map(configReader(run)));
  const ofConfigs = configs.flatMap(({ diagnostics }) => diagnostics);
  const warnings = distinct([...found.diagnostics, ...ofConfigs]);
  if (hasErrors(warnings)) fail(...warnings);
  const configured: ConfiguredServer[] = [];
  for (const [index, server] of found.servers.entries()) {
    const config = configs[index];
    if (config?.value === undefined) continue;
    const { value: linked, files } = config;
    configured.push({ ...server, linked, files });
  }
  return { configured, warnings };
}
