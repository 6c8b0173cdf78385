import { missingReferences, type ResolvedConfig, resolveConfig } from '../core/config/resolve.ts';
import { checkServerUrl, urlText } from '../core/config/server-url.ts';
import { diagnostic, type Diagnostic as Found } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import { unsafeIds, wantedBy } from '../core/live/sources.ts';
import { matchEntries } from '../core/match/match.ts';
import { isCostlyGlob } from '../core/model/glob.ts';
import { present } from '../core/model/present.ts';
import { type ServerDocument, serverDocument } from '../core/plan/document.ts';
import type { ServerPlan as OpenPlan } from '../core/plan/plan.ts';
import { type Planned as OpenPlanned, planServer } from '../core/plan/plan-server.ts';
import { refusals } from '../core/plan/refusals.ts';
import type { Policy } from '../core/plan/risk.ts';
import { isChosen, unmetChoices } from '../core/plan/write-choice.ts';
import { masker } from '../core/report/mask.ts';
import { type Config, openConfig } from './config.ts';
import { type Diagnostic, inWords } from './diagnostic.ts';
import { completedBy, type LackingDocument, type LiveDocuments, listedIn } from './live.ts';
import { type Environment, referencesOf } from './references.ts';

/** The plan of one server, as `schemas/plan.schema.json` describes it: where a secret changes, both sides are null. */
export type ServerPlan = ServerDocument;

/** What a plan is made from. */
export interface PlanInput {
  readonly config: Config;
  /** The server, under the name and the address that its findings and a later apply have. */
  readonly server: {
    /** The host and port of the address where it is absent. */
    readonly name?: string | undefined;
    /** https, or http on loopback; without credentials. */
    readonly url: string;
  };
  /** What the server answers. */
  readonly live: LiveDocuments;
  /** What references mean; without it a reference that is needed is an error. */
  readonly environment?: Environment | undefined;
  /** How risks are treated; it is written into the plan, and an apply obeys it. */
  readonly policy?: Policy | undefined;
  /** A glob on names and ids of integrations: others are left out. */
  readonly only?: string | undefined;
  /** Addresses of values to write although the server does not show them, or `all`. */
  readonly writeHidden?: readonly string[] | undefined;
}

/** What `plan` makes. It holds no secret: they are taken out of all of its texts. */
export interface Planned {
  /** Absent where an error concerns the whole server. An integration with an error of its own is `unplanned` in it. */
  readonly plan?: ServerPlan | undefined;
  /** Everything that was found, with what an apply of the plan would refuse. */
  readonly diagnostics: readonly Diagnostic[];
  /** What to ask the server for before planning again: each is an error among the findings. */
  readonly lacking: readonly LackingDocument[];
}

/**
 * Compares a configuration with what is live on one server. The same input makes the same plan.
 */
export function plan(input: PlanInput): Planned {
  const { linked, warnings } = openConfig(input.config);
  const { environment = {} } = input;
  const unusable = costlyGlobs(input);
  if (unusable.length > 0) return { diagnostics: inWords([...warnings, ...unusable]), lacking: [] };
  const { table, secrets } = referencesOf(linked, environment);
  const config = resolveConfig(linked, table);
  const { value: url, diagnostics: misnamed } = checkServerUrl(input.server.url, undefined, 'The URL');
  const { value: listed, diagnostics: unlisted } = listedIn(input.live);
  const isReady = url !== undefined && listed !== undefined;
  const early = [...misnamed, ...missingReferences(config, input.only), ...unlisted];
  if (!isReady || hasErrors(early))
    return { diagnostics: inWords([...warnings, ...early], secrets), lacking: [] };
  const { name = url.host } = input.server;
  const head = { name, url: urlText(url), ...present({ policy: input.policy, only: input.only }) };
  return planned({ ...input, head, config, listed, secrets, warnings });
}

/** The input with all that could be found out before the comparison. */
interface Ready extends Omit<PlanInput, 'config'> {
  readonly head: Parameters<typeof planServer>[0]['server'];
  readonly config: ResolvedConfig;
  readonly listed: NonNullable<ReturnType<typeof listedIn>['value']>;
  /** The secrets of the environment. */
  readonly secrets: readonly string[];
  readonly warnings: readonly Found[];
}

function planned(input: Ready): Planned {
  const { config, listed, only, secrets } = input;
  const matched = matchEntries(config, listed, only);
  const { value: desired } = matched;
  const unsafe = unsafeIds(desired);
  const unnamed = new Set(unsafe.map(([id]) => id));
  const wanted = desired.integrations.map(wantedBy);
  const { live, lacking, unread } = completedBy(
    input.live,
    listed,
    wanted.filter(({ id }) => !unnamed.has(id)),
  );
  const found = [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics];
  const { value, diagnostics } = planServer({
    server: input.head,
    desired,
    live,
    unread: new Map([...unread, ...unsafe]),
    reads: readsOf(input.live),
    writesHidden: ({ name: named }, field) => isChosen(input.writeHidden ?? [], named, field),
  });
  const all = [...input.warnings, ...found, ...diagnostics, ...about(value, input)];
  return { plan: documented(value.plan, all, secrets), diagnostics: inWords(all, secrets), lacking };
}

/** What is found about a plan as a whole. */
function about(value: OpenPlanned, input: Ready): Found[] {
  const { plan: made } = value;
  return [
    ...refusals([made], {}, 'plan'),
    ...unmetChoices(
      input,
      input.config.map(({ name }) => name),
      [value],
    ),
  ];
}

/** The plan as data, without the secrets that were given. */
function documented(made: OpenPlan, found: readonly Found[], secrets: Iterable<string>): ServerPlan {
  return masker(secrets).data(serverDocument(made, found));
}

function readsOf({ integrations, details = {}, options = {} }: LiveDocuments): number {
  return [integrations, Object.values(details), ...Object.values(options)].flat().length;
}

/** A glob that takes too long to match is refused. */
function costlyGlobs({ only, environment }: PlanInput): Found[] {
  const globs = [...(only === undefined ? [] : [only]), ...(environment?.allowEnv ?? [])];
  if (!globs.some(isCostlyGlob)) return [];
  return [diagnostic('usage', { problem: 'A glob of `only` or `allowEnv` has too many wildcards.' })];
}
