import type { Project, ProjectWaiver } from '../config/project.ts';
import { compareText } from '../findings/diagnostic.ts';
import { pairBy } from '../model/pairs.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { EntryDiff, FieldDiff } from './revision-diff.ts';

/** What a project asks of the plans of its servers. */
type Rules = Pick<Project, 'policy' | 'policyPlaces' | 'secretMaxAge' | 'waivers'>;

const NO_RULES: Rules = { policy: {}, policyPlaces: {}, waivers: [] };

/** What differs between two revisions of a project in how risks are treated, and in which differences are left alone. */
export function diffProjects(
  before: Rules | undefined = NO_RULES,
  after: Rules | undefined = NO_RULES,
): readonly EntryDiff[] {
  return [
    ...entryOf('policy', policyFields(before, after)),
    ...entryOf('waivers', waiverFields(before, after)),
  ];
}

function entryOf(name: string, fields: readonly FieldDiff[]): EntryDiff[] {
  const [first] = fields;
  if (first === undefined) return [];
  const change = fields.every((field) => field.change === first.change) ? first.change : 'changed';
  return [{ name, change, fields }];
}

interface Rule {
  readonly text: string;
  readonly place: Place;
  /** How much it forbids, among rules of its key. */
  readonly strength: number;
}

function policyFields(before: Rules, after: Rules): FieldDiff[] {
  const [was, now] = [rulesOf(before), rulesOf(after)];
  const keys = [...new Set([...was.keys(), ...now.keys()])].sort(compareText);
  return keys.flatMap((key) => {
    const [one, other] = [was.get(key), now.get(key)];
    const isWeaker = (one?.strength ?? 0) > (other?.strength ?? 0);
    return fieldOf({ address: `policy.${key}`, field: 'policy', isWeaker }, one, other);
  });
}

/** The keys of a policy; without one the defaults hold, which `warn` does not make stricter. */
function rulesOf({ policy, policyPlaces, secretMaxAge }: Rules): ReadonlyMap<string, Rule> {
  const texts = Object.entries({
    ...policy,
    ...present({ 'secret-max-age': secretMaxAge === undefined ? undefined : `${secretMaxAge}d` }),
  });
  return new Map(
    texts.flatMap(([key, text]): [string, Rule][] => {
      const place = policyPlaces[key];
      const strength = text === 'error' ? 1 : text === 'warn' ? 0 : 1 / Number.parseInt(text, 10);
      return place === undefined ? [] : [[key, { text, place, strength }]];
    }),
  );
}

function waiverFields(before: Rules, after: Rules): FieldDiff[] {
  const was = pairBy(after.waivers, before.waivers, [
    (each) => JSON.stringify([each.address, waiverText(each)]),
    ({ address, server }) => JSON.stringify([address, server?.text]),
    ({ address }) => address,
  ]);
  const kept = new Set(was.values());
  const gone = before.waivers.filter((each) => !kept.has(each));
  const pairs: [ProjectWaiver | undefined, ProjectWaiver | undefined][] = [
    ...after.waivers.map((now): [ProjectWaiver | undefined, ProjectWaiver] => [was.get(now), now]),
    ...gone.map((each): [ProjectWaiver, undefined] => [each, undefined]),
  ];
  const fields = pairs.flatMap(([one, other]) => {
    const address = `waivers.${(other ?? one)?.address}`;
    const side = (each: ProjectWaiver | undefined) => each && { text: waiverText(each), place: each.place };
    return fieldOf({ address, field: 'waiver', isWeaker: isWider(one, other) }, side(one), side(other));
  });
  return fields.sort((one, other) => compareText(one.address, other.address));
}

/** Whether a waiver leaves more alone than before: it is new, holds longer, or is for more servers. */
function isWider(was: ProjectWaiver | undefined, now: ProjectWaiver | undefined): boolean {
  if (now === undefined) return false;
  if (was === undefined || now.until > was.until) return true;
  return now.servers.some((name) => !was.servers.includes(name));
}

function waiverText({ until, reason, server }: ProjectWaiver): string {
  return `${server?.text ?? 'all servers'} until ${until}: ${reason}`;
}

function fieldOf(
  { isWeaker, ...field }: Pick<FieldDiff, 'address' | 'field'> & { readonly isWeaker: boolean },
  was: Omit<Rule, 'strength'> | undefined,
  now: Omit<Rule, 'strength'> | undefined,
): FieldDiff[] {
  const source = (now ?? was)?.place;
  if (source === undefined || was?.text === now?.text) return [];
  const change = was === undefined ? 'added' : now === undefined ? 'released' : 'changed';
  const side = (each: typeof was) => each && { value: each.text };
  const optional = present({ before: side(was), after: side(now), isWeaker: isWeaker || undefined });
  return [{ ...field, change, risks: [], source, ...optional }];
}
