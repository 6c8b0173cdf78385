import type { DesiredIntegration, DesiredOption, DesiredState } from '../model/desired.ts';
import { optionId } from '../model/ids.ts';
import { present } from '../model/present.ts';
import { type Told, toldOf } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';
import type { ServerPlan } from './plan.ts';

/** What the base says of the secrecy of an option, by the id of its integration and its key. */
export type Past = (id: string, key: string) => Told | undefined;

/** What is desired, with what was a secret at the base. */
export function withPast(integrations: readonly DesiredIntegration[], past: Past): DesiredIntegration[] {
  return integrations.map((each) => ({
    ...each,
    options: each.options.map((option) => optionSince(option, past(each.id, option.key))),
  }));
}

/** `sensitive: false` counts only if the past says it too, and what was a secret stays one. */
function optionSince({ sensitive, ...option }: DesiredOption, past: Told | undefined): DesiredOption {
  const isProven = sensitive === true || past === undefined || past.mark === false;
  const marked = { ...option, ...(isProven ? present({ sensitive }) : {}) };
  const wasSecret = past?.mark === true || (past?.mark === undefined && past?.isFromOutside === true);
  if (!wasSecret) return marked;
  const { value } = option;
  if (value === undefined || isHidden(value.value)) return { ...marked, past };
  return { ...marked, past, value: { ...value, value: hide(value.value) } };
}

/** The past as the configuration at a base has it. */
export function pastAt({ integrations }: DesiredState): Past {
  const known = new Map(
    integrations.map(({ id, options }) => [id, new Map(options.map((each) => [each.key, toldOf(each)]))]),
  );
  return (id, key) => known.get(id)?.get(key) ?? {};
}

/** The past as a reviewed plan tells it: what it kept as a secret still is one. */
export function reviewedPast({ integrations }: ServerPlan<null>): Past {
  const secrets = new Set(
    integrations.flatMap(({ id, changes }) =>
      changes.flatMap((each) =>
        each.field === 'value' && each.sensitive ? [optionId(id, each.option)] : [],
      ),
    ),
  );
  return (id, key) => (secrets.has(optionId(id, key)) ? { isFromOutside: true } : undefined);
}
