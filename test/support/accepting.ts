import {
  type AcceptedDrift,
  acceptDrift,
} from '../../src/core/accept/accept.ts';
import { resolveConfig } from '../../src/core/config/resolve.ts';
import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { hasErrors } from '../../src/core/findings/explain.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { planServer } from '../../src/core/plan/plan-server.ts';
import { brief, matchedWith, merged } from './config.ts';

/** Layers, each of the paths of its files. */
type Layers = readonly (readonly string[])[];

/** Texts by their paths. */
export type Texts = Readonly<Record<string, string>>;

/** A server, its layers, and what it holds; nothing is known of one that was not selected. */
export interface AcceptingServer {
  readonly name: string;
  readonly layers: Layers;
  readonly live?: readonly LiveIntegration[];
  /** Its last layer, if that is its own. */
  readonly own?: string;
}

/** The plan of one server by the texts of its files. */
export function planOf(
  { name, layers, live = [] }: AcceptingServer,
  texts: Texts,
): ServerPlan {
  const files = layers.map((paths) =>
    paths.map((path) => ({ path, text: texts[path] ?? '' })),
  );
  const { integrations: desired, diagnostics } = matchedWith(
    merged(files).value,
    live,
  );
  if (hasErrors(diagnostics))
    throw new Error(`no match: ${diagnostics.map(brief).join(', ')}`);
  const server = { name, url: `https://${name}.example` };
  return planServer({ server, desired, live, reads: 1 }).plan;
}

/** Accepts drift of each server: all of it, or what is named. */
export function accepting(
  servers: readonly AcceptingServer[],
  texts: Texts,
  { named = [] }: { readonly named?: readonly string[] } = {},
): AcceptedDrift & { readonly texts: Texts } {
  const readers = servers.flatMap(({ layers }) => layers.flat());
  const files: AcceptedDrift['files'][number][] = [];
  const diagnostics: Diagnostic[] = [];
  for (const server of servers) {
    const { live, layers, own } = server;
    if (live === undefined) continue;
    const read = layers.map((paths) =>
      paths.map((path) => ({
        path,
        text: (texts[path] ?? '').replace(/^\ufeff/, ''),
      })),
    );
    const paths = layers.flat();
    const drift = acceptDrift(
      {
        plan: planOf(server, texts),
        live,
        config: resolveConfig(merged(read).value),
        files: read.flat(),
        shared: new Set(paths.filter((path) => count(readers, path) > 1)),
        own:
          own === undefined
            ? undefined
            : { path: own, files: layers.at(-1) ?? [] },
      },
      { addresses: named, holdsSecret: () => false },
    );
    files.push(...drift.files);
    diagnostics.push(...drift.diagnostics);
  }
  const after = files.map(({ path, after: text }) => [path, text]);
  const edited = { ...texts, ...Object.fromEntries(after) };
  return { files, diagnostics, texts: edited };
}

function count(all: readonly string[], one: string): number {
  return all.filter((each) => each === one).length;
}
