import type { Types } from '../../generated/plan-types.ts';
import {
  askedSide,
  type DesiredIntegration,
  type OptionSettings,
  type Setting,
  type Settings,
  settingOf,
} from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import {
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
} from '../model/secrecy.ts';
import { contentOf, isSameSide } from '../model/side.ts';
import { optionOf, type Subject } from '../model/subject.ts';
import { type OptionValue, sameContent } from '../model/value.ts';
import { type Comparison, isShownAsSecret } from './compare.ts';
import { conform } from './conform.ts';

/** Who moved a field: this branch, the server alone, or both. */
export type Label = Types['change']['label'];

/** What a change gets by the base of its branch. */
export interface Labelled {
  /** Who moved the field; always `change` in a plan without a base. */
  label: Label;
  /** What the base declares, if it may be shown; only in a conflict. */
  base?: OptionValue | null | undefined;
}

/** What the base of a branch asks of the integrations of a server. */
export interface BranchBase {
  before: readonly DesiredIntegration[];
  /**
   * What the tip of the ref asks of them, if that is another commit: a secret
   * there is one on the branch too.
   */
  tip?: readonly DesiredIntegration[] | undefined;
  /**
   * The ids of integrations that an error of the branch leaves out: it releases
   * nothing of them.
   */
  undecided?: ReadonlySet<string> | undefined;
}

/** Whether a branch declares a field otherwise than its base. */
export function isChangedSince(
  base: Settings | undefined,
  now: Settings,
  subject: Subject,
): boolean {
  const then = base && settingOf(base, subject);
  const setting = settingOf(now, subject);
  if (setting === undefined) return false;
  return !asksTheSame(then, setting);
}

/** Labels a change by what the base asks of its field. */
export function labelOf(
  change: Comparison,
  base: Settings | undefined,
  options: LiveIntegration['options'],
): Labelled {
  const { subject, setting, before, state } = change;
  const then = base && settingOf(base, subject);
  // Nobody knows who moved what nobody can see.
  if (state !== 'differs') return { label: 'change' };
  if (asksTheSame(then, setting)) return { label: 'drift' };
  const option = options.get(optionOf(subject) ?? '');
  const declared = then && declaredValue(then, option);
  const live = contentOf(before) ?? null;
  if (declared === undefined || sameContent(live, declared, option?.type)) {
    return { label: 'change' };
  }
  // The base may show in the clear what is a secret by now.
  const isShown = !isShownAsSecret(change) && !isSecret({ values: [declared] });
  return { label: 'conflict', base: isShown ? declared : undefined };
}

/**
 * Keeps secret what was a secret then: at the base of a branch, or when a plan
 * was reviewed.
 */
export function keepSecrets(
  settings: Settings,
  secrecyThen: (option: string) => DeclaredSecrecy | undefined,
): Settings {
  const options = new Map<string, OptionSettings>();
  for (const [key, option] of settings.options) {
    const secrecy = declaredSecrecy(option.secrecy, secrecyThen(key));
    options.set(key, { ...option, secrecy });
  }
  return { ...settings, options };
}

/**
 * Whether two declarations ask for the same: by their texts, and by the day of
 * rotation, which tells what no text shows.
 */
function asksTheSame(then: Setting | undefined, now: Setting): boolean {
  if (then === undefined) return false;
  if (rotationOf(then) !== rotationOf(now)) return false;
  return isSameSide(askedSide(then), askedSide(now));
}

function rotationOf(setting: Setting): string | undefined {
  return setting.kind === 'value' ? setting.rotated : undefined;
}

/**
 * What the base declares as the option stores it; undefined if it cannot be
 * compared: a secret never conflicts.
 */
function declaredValue(
  base: Setting,
  option: LiveOption | undefined,
): OptionValue | undefined {
  if (base.kind !== 'value') return base.want;
  if (base.want.kind !== 'literal' || option === undefined) return undefined;
  const conformed = conform(base, option);
  return 'value' in conformed ? conformed.value : base.want.value;
}
