import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredOption } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveOption } from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import { isExposing, isSecretOption } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { type OptionValue, textsOf } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { type Policy, RISKS, type Risk, risksOf } from '../plan/risk.ts';

/** What shows the risks of a field that is taken back. */
export interface Around {
  readonly option: LiveOption | undefined;
  readonly desired: DesiredOption | undefined;
  readonly holdsSecret: (text: string) => boolean;
}

/** The risks of asking for what a server holds instead of what is asked for now. */
export function risksOfTaking(change: Change, held: OptionValue, around: Around): Risk[] {
  if (change.field === 'autosubscribe') return risksOf({ field: change.field, after: change.before });
  const { option } = around;
  if (option === undefined) return [];
  const isExposable = exposes(option, around);
  if (change.field === 'permission')
    return isPermission(change.before)
      ? risksOf({ field: 'permission', before: change.after, after: change.before, isExposable })
      : [];
  return risksOf({
    field: 'value',
    after: held,
    isSecretOption: isSecretOption(option.key, option.type),
    isExposable,
    permission: option.permission,
    isFromOutside: false,
  });
}

/** Whether showing an option to users gives away what the server holds or what the YAML asks for. */
function exposes({ key, type, value }: LiveOption, { desired, holdsSecret }: Around): boolean {
  const live = value.kind === 'readable' && !isHidden(value.value) ? value.value : undefined;
  const clues = {
    key,
    type,
    mark: desired?.sensitive,
    isFromOutside: desired?.value?.isFromOutside,
    isMasked: live === undefined && value.kind !== 'empty',
    values: live === undefined ? [] : [live],
  };
  return isExposing(clues, (known) => textsOf(known).some(holdsSecret));
}

/** Why risks refuse a field: no YAML gets to show a secret by this, and what the policy calls an error is none to take back. */
export function refusedFor(
  risks: readonly Risk[],
  policy: Policy = {},
): 'exposes-secret' | 'policy' | undefined {
  if (risks.includes('exposes-secret')) return 'exposes-secret';
  return risks.some((risk) => policy[risk] === 'error') ? 'policy' : undefined;
}

/** A finding for each risk of fields that are taken back. */
export function riskFindings(
  fields: readonly { readonly address: string; readonly risks: readonly Risk[] }[],
): Diagnostic[] {
  const all = fields.flatMap(({ address, risks }) => risks.map((risk) => ({ address, risk })));
  return [...grouped(all, ({ risk }) => risk)].map(([risk, found]) =>
    diagnostic('accept-risk', {
      risk,
      words: RISKS[risk].words,
      addresses: found.map(({ address }) => address),
    }),
  );
}
