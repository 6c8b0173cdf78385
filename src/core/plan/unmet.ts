import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import { type DesiredIntegration, fieldsOf } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { selectedBy } from '../model/selected.ts';
import { isNamedBy, type Subject, spellings } from '../model/subject.ts';
import type { SourcedPlan } from './plan.ts';

/** What flags select. */
interface Selecting {
  /** A glob on names and ids. */
  only?: string | undefined;
  /** Addresses of hidden fields to write; `all` names any. */
  writeHidden?: readonly string[] | undefined;
}

/**
 * Finds flags that select nothing on any server. `entries` are the names of all
 * entries of the configuration.
 */
export function unmetChoices(
  { only, writeHidden = [] }: Selecting,
  entries: readonly string[],
  planned: readonly SourcedPlan[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const unmet: Diagnostic[] = [];
  const isEmpty = planned.every(
    ({ plan, isPartial }) => plan.summary.managed === 0 && !isPartial,
  );
  if (only !== undefined && isEmpty) {
    const installed = planned.flatMap(({ live }) => live.map(({ id }) => id));
    unmet.push(...unmetOnly(only, entries, installed));
  }
  return [...unmet, ...unmetAddresses(writeHidden, planned)];
}

/** Finds addresses that name no managed field; `all` names any. */
export function unmetAddresses(
  words: readonly string[],
  planned: readonly SourcedPlan[],
): Diagnostic[] {
  if (words.length === 0) return [];
  const unmet: Diagnostic[] = [];
  const subjects = planned.flatMap(({ desired }) => subjectsOf(desired));
  const names = [...new Set(subjects.map(({ integration }) => integration))];
  for (const word of words) {
    const isAll = word === 'all' && subjects.length > 0;
    if (isAll || isNamed(word, subjects)) continue;
    const known = subjects.flatMap(spellings);
    const facts = { word, of: 'managed field', names, known };
    unmet.push(diagnostic('unknown-name', facts));
  }
  return unmet;
}

/**
 * Warns of an `--only` that names no entry, and that selects nothing.
 * `installed` are ids and names on the servers, `of` says what it may name.
 */
export function unmetOnly(
  only: string,
  entries: readonly string[],
  installed: readonly string[],
  of: 'entry or integration' | 'integration' = 'entry or integration',
): Diagnostic[] {
  const names = [...new Set(entries)];
  // An optional entry may match nothing.
  if (selectedBy(only)(...names)) return [];
  const facts = { word: only, of, names, known: installed };
  return [diagnostic('unknown-name', { ...facts, severity: 'warning' })];
}

/** A waiver, as far as it names a field. */
interface WaiverName {
  address: string;
  addressPlace: Place;
  /** Absent for all servers. */
  server?: object | undefined;
  /** The names of all servers that it is for. */
  servers: readonly string[];
}

/** A server that was planned, with its waivers and what they may name. */
export interface WaivedServer {
  plan: { name: string };
  waivers: readonly WaiverName[];
  /** The fields that entries declare, and those that are desired. */
  fields: readonly Subject[];
}

/**
 * Warns of waivers that name no field on any of their servers. Nothing is known
 * if one of these was not planned.
 */
export function unmetWaivers(planned: readonly WaivedServer[]): Diagnostic[] {
  const byServer = new Map(planned.map((server) => [server.plan.name, server]));
  const unmet: Diagnostic[] = [];
  for (const waiver of new Set(planned.flatMap(({ waivers }) => waivers))) {
    const { address: word, addressPlace, servers } = waiver;
    if (!servers.every((name) => byServer.has(name))) continue;
    const fields = servers.flatMap((name) => byServer.get(name)?.fields ?? []);
    if (isNamed(word, fields)) continue;
    const known = nearNames(word, fields.flatMap(spellings));
    const on = waiver.server && servers;
    const facts = { word, of: 'managed field', known, on } as const;
    const warning = { ...facts, severity: 'warning' } as const;
    unmet.push(diagnostic('unknown-name', warning, addressPlace));
  }
  return unmet;
}

/** Lists the fields that are desired. */
export function subjectsOf(desired: readonly DesiredIntegration[]): Subject[] {
  const fields = desired.flatMap(({ name, settings }) =>
    fieldsOf(name, settings),
  );
  return fields.map(({ subject }) => subject);
}

function isNamed(word: string, subjects: readonly Subject[]): boolean {
  return subjects.some((subject) => isNamedBy(word, subject));
}
