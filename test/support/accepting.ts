import {
  type AcceptedDrift,
  acceptDrift,
  type EditedServer,
} from '../../src/core/accept/accept.ts';
import { resolveConfig } from '../../src/core/config/resolve.ts';
import { hasErrors } from '../../src/core/findings/explain.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { planServer } from '../../src/core/plan/plan-server.ts';
import type { Policy } from '../../src/core/plan/risk.ts';
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
  readonly policy?: Policy;
  /** Its last layer, if that is its own. */
  readonly own?: string;
}

/** The plan of one server by the texts of its files. */
export function planOf(
  { name, layers, live = [], policy }: AcceptingServer,
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
  const server = { name, url: `https://${name}.example`, policy };
  return planServer({ server, desired, live, reads: 1 }).plan;
}

/** Accepts drift: all of it, or what is named. */
export function accepting(
  servers: readonly AcceptingServer[],
  texts: Texts,
  { named = [] }: { readonly named?: readonly string[] } = {},
): AcceptedDrift & { readonly texts: Texts } {
  const edited = servers.map((server): EditedServer => {
    const { name, live, layers, own } = server;
    const files = layers.map((paths) =>
      paths.map((path) => {
        const text = (texts[path] ?? '').replace(/^\ufeff/, '');
        return { path, real: path, text };
      }),
    );
    const config = resolveConfig(merged(files).value);
    const common = { name, files: files.flat(), config };
    return {
      ...common,
      own:
        own === undefined
          ? undefined
          : { path: own, files: layers.at(-1) ?? [] },
      planned: live && { plan: planOf(server, texts), live },
    };
  });
  const acceptance = acceptDrift(edited, {
    addresses: named,
    holdsSecret: () => false,
  });
  const after = Object.fromEntries(
    acceptance.files.map(({ path, after: text }) => [path, text]),
  );
  return { ...acceptance, texts: { ...texts, ...after } };
}
