import { fieldAddress, pathOf } from '../model/address.ts';
import type { DesiredIntegration, DesiredState, DesiredValue } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import { sameContent, textsOf } from '../model/value.ts';
import { isSameWritten } from '../model/written.ts';
import { conform } from './conform.ts';
import { isSkipped } from './known-option.ts';
import { labelOf } from './label.ts';
import { type Change, type IntegrationPlan, isUnseen, type PlanBase } from './plan.ts';

/** Tells where the differences of a plan come from. */
export interface Origins {
  readonly base: PlanBase;
  /** A change with its label and, in a conflict, what the base declares. */
  readonly labelled: (change: Change, live: LiveIntegration) => Change;
  /** Whether this branch changed what is declared at an address. */
  readonly isTouched: (id: string, address: string) => boolean;
  /** What this branch no longer declares of an integration that it still manages. */
  readonly releasedIn: (desired: DesiredIntegration, live: LiveIntegration) => readonly string[];
  /** The integrations that this branch no longer manages at all, as far as a glob selects them. */
  readonly releasedWhole: (
    live: ReadonlyMap<string, LiveIntegration>,
    only: string | undefined,
  ) => readonly IntegrationPlan[];
}

/** What a configuration declares of one field. */
type DeclaredField =
  | { readonly field: 'autosubscribe'; readonly content: boolean; readonly place: Place }
  | {
      readonly field: 'permission';
      readonly option: string;
      readonly content: Permission;
      readonly place: Place;
    }
  | {
      readonly field: 'value';
      readonly option: string;
      readonly content: DesiredValue;
      readonly rotated?: string | undefined;
      readonly place: Place;
    };

/** The fields of one integration, by their paths: `options.apiKey.value`. */
type DeclaredFields = ReadonlyMap<string, DeclaredField>;

/**
 * The origins of differences as git tells them: what the base and this branch declare, matched with the same live
 * integrations, their references still open. Integrations are the same by their ids, whatever files and entries name them.
 */
export function originsSince(base: PlanBase, before: DesiredState, after: DesiredState): Origins {
  const [earlier, now] = [before, after].map(byId).map(declarations);
  const declared = { base: earlier ?? NONE, head: now ?? NONE };
  const heads = byId(after);
  const touched = once((id: string) => {
    const fields = [...declared.head(id)].filter(
      ([path, field]) => !isSame(declared.base(id).get(path), field),
    );
    return new Set(fields.map(([, field]) => fieldAddress(heads.get(id)?.name ?? id, field)));
  });
  return {
    base,
    labelled: (change, live) => labelIn(declared, change, live),
    isTouched: (id, address) => touched(id).has(address),
    releasedIn: ({ id, name }, live) => {
      const head = declared.head(id);
      const lost = [...declared.base(id)].filter(([path, field]) => !head.has(path) && isThere(field, live));
      return lost.map(([path]) => `${name}.${path}`);
    },
    releasedWhole: (live, only) => {
      const isMeant = only === undefined ? () => true : globMatcher(only);
      const names = new Set(after.integrations.map(({ name }) => name));
      return before.integrations.flatMap(({ id, name }) => {
        const installed = live.get(id);
        if (installed === undefined || heads.has(id) || !(isMeant(id) || isMeant(name))) return [];
        // An entry of this branch may have taken its name for another integration.
        const shown = names.has(name) ? id : name;
        const fields = [...declared.base(id)].filter(([, field]) => isThere(field, installed));
        const all = fields.map(([path]) => `${shown}.${path}`);
        return all.length === 0 ? [] : [releasedPlan(shown, installed, all)];
      });
    },
  };
}

interface Declared {
  readonly base: (id: string) => DeclaredFields;
  readonly head: (id: string) => DeclaredFields;
}

const NOTHING: DeclaredFields = new Map();
const NONE = () => NOTHING;

function byId({ integrations }: DesiredState): ReadonlyMap<string, DesiredIntegration> {
  return new Map(integrations.map((each) => [each.id, each]));
}

/** Gives the fields of an integration by its id. */
function declarations(integrations: ReadonlyMap<string, DesiredIntegration>) {
  return once((id: string) => fieldsOf(integrations.get(id)));
}

/** Computes what is known of each integration once. */
function once<Known>(compute: (id: string) => Known): (id: string) => Known {
  const known = new Map<string, Known>();
  return (id) => {
    const found = known.get(id) ?? compute(id);
    known.set(id, found);
    return found;
  };
}

function fieldsOf(integration: DesiredIntegration | undefined): DeclaredFields {
  if (integration === undefined) return NOTHING;
  const { autosubscribe, options } = integration;
  const fields = options.flatMap(({ key: option, value, permission, rotated }): DeclaredField[] => [
    ...(permission
      ? [{ field: 'permission' as const, option, content: permission.value, place: permission.place }]
      : []),
    ...(value ? [{ field: 'value' as const, option, content: value, rotated, place: value.place }] : []),
  ]);
  const own: DeclaredField[] = autosubscribe
    ? [{ field: 'autosubscribe', content: autosubscribe.value, place: autosubscribe.place }]
    : [];
  return new Map([...fields, ...own].map((each) => [pathOf(each), each]));
}

function labelIn(declared: Declared, change: Change, live: LiveIntegration): Change {
  const path = pathOf(change);
  const [base, head] = [declared.base(live.id).get(path), declared.head(live.id).get(path)];
  const isAsBefore = canCompare(base, change, live) ? isSameContent : isSame;
  const label = labelOf(!isAsBefore(base, head), base === undefined || mayBeHeld(base, change, live));
  // Of what nobody can see nobody knows that it drifted.
  if (label === 'drift' && isUnseen(change)) return change;
  return {
    ...change,
    label,
    ...(label === 'conflict' ? present({ base: shownBase(base, change, live) }) : {}),
  };
}

/** What the base declares of a change, unless it may be a secret. */
function shownBase(base: DeclaredField | undefined, change: Change, live: LiveIntegration) {
  if (base === undefined || change.sensitive) return undefined;
  if (base.field !== 'value' || change.field !== 'value')
    return base.field === 'value' ? undefined : base.content;
  const option = live.options.get(change.option);
  if (option === undefined || isHidden(base.content.value)) return undefined;
  const conformed = conform(change.address, base.content, option);
  const isShown = 'value' in conformed && !textsOf(conformed.value).some(hasSecretForm);
  return isShown ? conformed.value : undefined;
}

/** Whether two declarations ask for the same, by their texts and by the day of rotation, which tells what no text shows. */
function isSame(one: DeclaredField | undefined, other: DeclaredField | undefined): boolean {
  const days = [one, other].map((each) => (each?.field === 'value' ? each.rotated : undefined));
  return days[0] === days[1] && isSameContent(one, other);
}

/** The same by their texts alone, with references open. */
function isSameContent(one: DeclaredField | undefined, other: DeclaredField | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.field !== 'value' || other.field !== 'value') return one.content === other.content;
  return isSameWritten(one.content, other.content);
}

/** Whether what the server holds can be compared with a declared value: it is shown, and the value is no reference. */
function canCompare(declared: DeclaredField | undefined, change: Change, live: LiveIntegration): boolean {
  if (declared?.field !== 'value' || change.field !== 'value' || declared.content.isFromOutside) return false;
  return live.options.has(change.option) && !(change.sensitive && change.unreadable === true);
}

/** Whether the server may hold what the base asks for: of what cannot be seen or compared nobody can say that it moved. */
function mayBeHeld(base: DeclaredField, change: Change, live: LiveIntegration): boolean {
  if (change.field === 'autosubscribe') return base.content === change.before;
  if (change.field === 'permission') return change.before === 'unknown' || base.content === change.before;
  const option = live.options.get(change.option);
  if (base.field !== 'value' || option === undefined || !canCompare(base, change, live)) return true;
  const conformed = conform(change.address, base.content, option);
  return 'value' in conformed && sameContent(reveal(change.before), conformed.value, option.type);
}

/** Whether an integration has the option of a field at all: defaults may ask for one that it lacks. */
function isThere(field: DeclaredField, live: LiveIntegration): boolean {
  if (field.field === 'autosubscribe') return true;
  return !isSkipped({ key: field.option, place: field.place, isDefault: true }, live);
}

function releasedPlan(
  name: string,
  { id, status, optionKeys }: LiveIntegration,
  released: readonly string[],
) {
  return {
    name,
    id,
    status: status ?? null,
    blocked: false,
    changes: [],
    cannotTell: [],
    released,
    unmanagedOptions: optionKeys.size,
  };
}
