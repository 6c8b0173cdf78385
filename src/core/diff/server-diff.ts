import {
  environmentName,
  labelsOf,
  type Project,
  type ProjectServer,
  plainAddress,
  waiversFor,
} from '../config/project.ts';
import { compareText } from '../findings/diagnostic.ts';
import { pairBy } from '../model/pairs.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { EntryDiff, FieldDiff } from './revision-diff.ts';

/** A server at one revision, and the id of the content of its `caFile`; absent where it has none that can be read. */
export interface TrustedServer {
  readonly server: ProjectServer;
  readonly authority?: string | undefined;
}

/** One server at both revisions, as far as they have it. */
interface ServerPair {
  readonly before?: TrustedServer | undefined;
  readonly after?: TrustedServer | undefined;
}

/** The servers whose differences are told, and the waivers of the later revision. */
interface Asked extends Pick<Project, 'waivers'> {
  readonly isMeant: (server: ProjectServer) => boolean;
}

/**
 * What differs in the servers of a project that are meant at either revision: which there are, where credentials go, what
 * selects them, and whom the connection trusts.
 */
export function diffServers(
  before: readonly TrustedServer[],
  after: readonly TrustedServer[],
  { isMeant, waivers }: Asked,
): readonly EntryDiff[] {
  const fields = pairsOf(before, after)
    .filter((pair) => [pair.before, pair.after].some((each) => each !== undefined && isMeant(each.server)))
    .flatMap((pair) => serverFields(pair, waivers));
  const [first] = fields;
  if (first === undefined) return [];
  const change = fields.every((field) => field.change === first.change) ? first.change : 'changed';
  return [{ name: 'servers', change, fields }];
}

/** Its name decides which credentials a server gets: whatever has it is the same one, else what has its address. */
function pairsOf(before: readonly TrustedServer[], after: readonly TrustedServer[]): readonly ServerPair[] {
  const was = pairBy(after, before, [
    ({ server }) => environmentName(server.name),
    ({ server }) => plainAddress(server.url.text),
  ]);
  const kept = new Set(was.values());
  const gone = before.filter((each) => !kept.has(each));
  const pairs = [
    ...after.map((each) => ({ name: each.server.name, before: was.get(each), after: each })),
    ...gone.map((each) => ({ name: each.server.name, before: each })),
  ];
  return pairs.sort((one, other) => compareText(one.name, other.name));
}

function serverFields({ before, after }: ServerPair, waivers: Asked['waivers']): FieldDiff[] {
  const [was, is] = [before?.server, after?.server];
  const name = (is ?? was)?.name;
  const ends = was === undefined || is === undefined;
  const named = (each: typeof is) =>
    each && { text: ends ? each.url.text : each.name, place: each.namePlace };
  return [
    ...fieldOf({ address: `servers.${name}`, field: 'server', isWeaker: ends }, named(was), named(is)),
    ...(ends ? [] : urlFields(`servers.${name}.url`, was.url, is.url)),
    ...(ends ? [] : labelFields(`servers.${name}.labels`, [was, is], waivers)),
    ...(is === undefined ? [] : trustFields(`servers.${name}.tls`, before, after)),
  ];
}

/** Where a server is. Another spelling of one address is no other place. */
function urlFields(address: string, was: Side, is: Side): FieldDiff[] {
  const isElsewhere = plainAddress(was.text) !== plainAddress(is.text);
  return fieldOf({ address, field: 'url', isWeaker: isElsewhere }, was, is);
}

/** What selects a server, also for waivers: one may leave more alone there than with its former labels. */
function labelFields(
  address: string,
  [was, is]: readonly [ProjectServer, ProjectServer],
  waivers: Asked['waivers'],
): FieldDiff[] {
  const before = waiversFor({ waivers }, { ...is, labels: was.labels });
  const isWeaker = waiversFor({ waivers }, is).some((each) => !before.includes(each));
  const side = (each: ProjectServer) => {
    const text = labelsOf(each).sort(compareText).join(', ');
    return text === '' ? undefined : { text, place: each.namePlace };
  };
  return fieldOf({ address, field: 'labels', isWeaker }, side(was), side(is), is.namePlace);
}

/** Whom a server trusts. A file of another name with the same content makes no other trust. */
function trustFields(
  address: string,
  before: TrustedServer | undefined,
  after: TrustedServer | undefined,
): FieldDiff[] {
  const [was, is] = [before?.server.caFile, after?.server.caFile];
  const isOther = (was === undefined) !== (is === undefined) || before?.authority !== after?.authority;
  // The same path does not show that its content is another one.
  const side = (one: typeof is, id = '') =>
    one && {
      ...one,
      text: was?.text === is?.text && isOther ? `${one.text} (${id.slice(0, 12)})` : one.text,
    };
  const sides = [side(was, before?.authority), side(is, after?.authority)] as const;
  const place = after?.server.namePlace;
  return fieldOf(
    { address, field: 'tls', isWeaker: isOther && before !== undefined },
    ...sides,
    is?.place ?? place,
  );
}

interface Side {
  readonly text: string;
  readonly place: Place;
}

function fieldOf(
  { isWeaker, ...field }: Pick<FieldDiff, 'address' | 'field'> & { readonly isWeaker: boolean },
  was: Side | undefined,
  now: Side | undefined,
  source = (now ?? was)?.place,
): FieldDiff[] {
  if (source === undefined || was?.text === now?.text) return [];
  const change = was === undefined ? 'added' : now === undefined ? 'released' : 'changed';
  const side = (each: Side | undefined) => each && { value: each.text };
  const optional = present({ before: side(was), after: side(now), isWeaker: isWeaker || undefined });
  return [{ ...field, change, risks: [], source, ...optional }];
}
