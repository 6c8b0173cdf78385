import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type {
  Likenesses,
  ShownField,
  ShownFieldOn,
  ShownName,
  ShownOrigin,
  ShownOutside,
  ShownUse,
  ShownUses,
} from '../../show/shown.ts';
import { forTerminal } from '../escape.ts';
import {
  declaredText,
  hanging,
  headWords,
  heldText,
  indented,
  placeText,
  type ShowView,
} from './show-values.ts';

/** The servers that the others are compared with. */
type Firsts = { readonly [Side in keyof Likenesses]: string | undefined };

/** A field on all servers; those with the same to show share a block. */
export function fieldLines({ address, on }: ShownField, view: ShowView): string[] {
  const firstOf = (side: keyof Likenesses) =>
    on.find(({ likeness }) => (likeness?.[side] ?? 'missing') !== 'missing')?.server;
  const firsts = { declared: firstOf('declared'), live: firstOf('live') };
  const alike = grouped(on, (each) => JSON.stringify({ ...each, server: '' }));
  const blocks = [...alike.values()].flatMap((group) => serverLines(group, firsts, view));
  return [view.paint.strong(forTerminal(address)), ...blocks];
}

/** Servers with the same to show of a field, and how they compare with the first ones that have it. */
function serverLines(group: readonly ShownFieldOn[], firsts: Firsts, view: ShowView): string[] {
  const [on] = group;
  if (on === undefined) return [];
  const names = on.likeness === undefined ? [] : [group.map(({ server }) => forTerminal(server)).join(', ')];
  const compared = on.lack === undefined ? likenessWords(on, firsts) : LACKS[on.lack];
  const title = [...names, ...(compared === '' ? [] : [compared])].join(': ');
  const facts = headWords(on).join(', ');
  const isUnmanaged = on.lack === undefined && on.origins.length === 0;
  return [
    ...(title === '' ? [] : indented(title, 2, view)),
    ...(facts === '' ? [] : indented(facts, 4, view)),
    ...(on.live === undefined
      ? []
      : indented(`live  ${heldText(on.live, view)}${verdictWords(on)}`, 4, view)),
    ...(isUnmanaged ? ['    not managed: nothing declares it'] : []),
    ...on.origins.toReversed().flatMap((origin) => originLines(origin, view)),
  ];
}

const LACKS = {
  missing: 'neither declared nor installed',
  'not-known': 'no entry means it; what is installed there is not known',
};

function likenessWords({ server, likeness = {} }: ShownFieldOn, firsts: Firsts): string {
  return (['declared', 'live'] as const)
    .flatMap((side) => {
      const [own, first] = [likeness[side], firsts[side]];
      if (own === undefined || first === undefined || first === server) return [];
      return [LIKENESS[own](side, forTerminal(first))];
    })
    .join('; ');
}

const LIKENESS = {
  same: (side: string, first: string) => `${side} the same as on ${first}`,
  differs: (side: string, first: string) => `${side} otherwise than on ${first}`,
  missing: (side: string) => `not ${side}`,
  'cannot-tell': (side: string, first: string) => `cannot tell whether it is ${side} the same as on ${first}`,
};

const VERDICTS = {
  'as-desired': 'as desired',
  differs: 'differs from what is desired',
  'cannot-tell': 'cannot tell whether it is as desired',
};

function verdictWords({ live, verdict }: ShownFieldOn): string {
  // Why it cannot be read is told already.
  const isTold = verdict === 'cannot-tell' && live?.kind === 'unreadable';
  return verdict === undefined || isTold ? '' : ` (${VERDICTS[verdict]})`;
}

const KINDS = { default: 'defaults', base: 'base', overlay: 'overlay' };

/** A declaration: its place and what it asks for, then what it is part of, and what it leads to. */
function originLines(origin: ShownOrigin, view: ShowView): string[] {
  const { source, declared, reference, wins, isUncertain } = origin;
  const value = originText(origin, view);
  const mark = wins ? view.paint.strong('>') : ' ';
  const place = placeText(source);
  const isOneLine = `  > ${place}  ${value}`.length <= view.width;
  const isOther = reference !== undefined && declared !== undefined && reference !== declared.reference;
  const about = [
    `${KINDS[origin.kind]}, layer ${forTerminal(origin.layer)}, entry ${forTerminal(origin.entry)}`,
    ...(isUncertain ? [' (perhaps: what is installed tells)'] : []),
    ...(isOther ? [`, as ${forTerminal(reference)}`] : []),
  ].join('');
  const facts = [
    about,
    ...aliasWords(origin),
    ...nameWords(origin.names),
    ...origin.outside.map(outsideWords),
  ];
  return [
    `  ${mark} ${place}${isOneLine ? `  ${value}` : ''}`,
    ...(isOneLine ? [] : hanging(value, 6, view)),
    ...facts.flatMap((each) => hanging(each, 6, view)),
  ];
}

/** What it asks for; its reference where its named values do not fit. */
function originText({ isNull, declared, reference = '' }: ShownOrigin, view: ShowView): string {
  if (isNull) return 'null: not managed from here on';
  return declaredText(declared ?? { value: null, reference }, view);
}

function aliasWords({ aliased }: ShownOrigin): string[] {
  if (aliased === undefined) return [];
  return [`alias ${placeText(aliased.alias)} of what is written at ${placeText(aliased.written)}`];
}

/** Each named value with the definition that counts, and those that it overrides. */
function nameWords(names: readonly ShownName[]): string[] {
  return [...grouped(names, ({ name }) => name)].map(([name, all]) => {
    const [winner, ...others] = all.toReversed().map(({ source }) => placeText(source));
    const over = others.length === 0 ? '' : ` over ${others.join(', ')}`;
    return `value ${forTerminal(name)}  ${winner}${over}`;
  });
}

function outsideWords({ kind, name, found }: ShownOutside): string {
  const what = `${kind === 'env' ? 'variable' : 'file'} ${forTerminal(name)}`;
  return `${what} ${FOUND[found]}`;
}

const FOUND = {
  given: 'is given',
  fallback: 'is not set: the fallback counts',
  missing: 'is missing',
  forbidden: 'is not allowed: pass --allow-env',
};

/** All fields that a referent feeds, once for servers that share them. */
export function usesLines({ kind, name, on: servers }: ShownUses, view: ShowView): string[] {
  const all = servers.flatMap(({ server, fields }) => fields.map((field) => ({ server, field })));
  const groups = [...grouped(all, ({ field }) => JSON.stringify(field)).values()];
  const title = `${kind}:${name}`;
  const feeds = groups.length === 0 ? 'feeds nothing' : `feeds ${count(groups.length, 'field')}`;
  return [
    `${view.paint.strong(forTerminal(title))} ${feeds}`,
    ...groups.flatMap((group) => useLines(group, servers.length, view)),
  ];
}

function useLines(
  group: readonly { readonly server: string; readonly field: ShownUse }[],
  servers: number,
  view: ShowView,
): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { address, source, isDefault, through } = first.field;
  const on =
    group.length === servers ? '' : `  on ${group.map(({ server }) => forTerminal(server)).join(', ')}`;
  const way = through.map((each) => `${forTerminal(each.name)} ${placeText(each.source)}`);
  return [
    ...hanging(`${forTerminal(address)}${isDefault ? ' (defaults)' : ''}`, 2, view),
    ...hanging(`${placeText(source)}${on}`, 6, view),
    ...(way.length === 0 ? [] : hanging(`through ${way.join(', ')}`, 6, view)),
  ];
}
