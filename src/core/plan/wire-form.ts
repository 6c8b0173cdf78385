import type { LiveIntegration } from '../model/live.ts';
import { hide, isHidden, reveal } from '../model/secret.ts';
import { shownTraits } from '../model/trait.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change, ValueChange } from './plan.ts';

/** In which of the forms that the document leaves open a server takes what is written. */
export interface WireForm {
  /** The resource type of an option. */
  readonly optionType: 'integration-options' | 'integration-option';
  /** A select as display and value, or as its value alone. */
  readonly selects: 'choices' | 'values';
  /** Whether a change of an integration names its type. */
  readonly namesIntegrations: boolean;
}

/** The forms that the document shows. */
export const DOCUMENTED_FORM: WireForm = {
  optionType: 'integration-options',
  selects: 'choices',
  namesIntegrations: false,
};

/** The form in which a server shows its own options; the documented one where it shows none. */
export function wireFormOf(live: readonly LiveIntegration[]): WireForm {
  const shown = shownTraits(live);
  const isSingular = shown.has('integration-option') && !shown.has('integration-options');
  return {
    ...DOCUMENTED_FORM,
    ...(isSingular ? { optionType: 'integration-option' } : {}),
    ...(shown.has('bare-choices') ? { selects: 'values' } : {}),
  };
}

/** The value of a change as it is sent. */
export function encodeValue({ after }: ValueChange, { selects }: WireForm): unknown {
  if (selects === 'choices') return after;
  const bare = bareValue(reveal(after));
  return isHidden(after) ? hide(bare) : bare;
}

function bareValue(value: OptionValue): unknown {
  if (isChoiceList(value)) return value.map((choice) => choice.value);
  return isChoice(value) ? value.value : value;
}

/** What a server says of a refusal, and of which place in the request. */
interface Refusal {
  readonly status: number;
  readonly errors: readonly {
    readonly title?: string;
    readonly detail?: string;
    readonly pointer?: string;
  }[];
}

/** How a server refuses a request as malformed. A refused PATCH has written nothing: it is all or nothing. */
const MALFORMED = new Set([400, 409, 415, 422]);

/**
 * The one form to try after a refusal that names the type or the form of what was sent; undefined where it names neither.
 * The other type first: without it no value was looked at.
 */
export function otherForm(
  form: WireForm,
  refusal: Refusal,
  changes: readonly Change[],
): WireForm | undefined {
  if (!MALFORMED.has(refusal.status)) return undefined;
  const says = (words: RegExp) =>
    refusal.errors.some(({ title = '', detail = '' }) => words.test(`${title} ${detail}`));
  const isAboutType =
    refusal.errors.some(({ pointer = '' }) => pointer.endsWith('/type')) ||
    says(/\btype\b|integration-option/i);
  if (changes.some(({ field }) => field === 'autosubscribe'))
    return isAboutType ? { ...form, namesIntegrations: !form.namesIntegrations } : undefined;
  const optionType = form.optionType === 'integration-option' ? 'integration-options' : 'integration-option';
  if (isAboutType) return { ...form, optionType };
  const isAboutForm = changes.some(isSelect) && says(/string|text|object|display|choice|select|list|form/i);
  return isAboutForm ? { ...form, selects: form.selects === 'choices' ? 'values' : 'choices' } : undefined;
}

function isSelect(change: Change): boolean {
  if (change.field !== 'value') return false;
  const after = reveal(change.after);
  return isChoice(after) || isChoiceList(after);
}
