import { isDefault } from '../config/entry.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { nearNames } from '../model/near-names.ts';
import { type FieldName, pathOf } from '../model/place.ts';
import { showField } from './field.ts';
import type { Shown } from './shown.ts';
import {
  fieldsNamed,
  fieldsOf,
  type KnownServer,
  knownServer,
  type ServerToShow,
  type Target,
} from './targets.ts';

type ShownServer = Shown['servers'][number];
type ShownIntegration = ShownServer['integrations'][number];

/** Shows what a word names on each server: integrations by a name, an id or a glob, otherwise fields by an address. */
export function show(
  given: readonly ServerToShow[],
  word: string,
): { readonly value: Shown; readonly diagnostics: readonly Diagnostic[] } {
  const servers = given.map(knownServer);
  const isName = (target: Target) => fieldsNamed(word, target, false).length > 0;
  const isAddress = !servers.some(({ targets }) => targets.some(isName));
  const shown = servers.map((server) => showOn(server, word, isAddress));
  const isNothing = shown.every(({ integrations }) => integrations.length === 0);
  return { value: { servers: shown }, diagnostics: isNothing ? [unknownWord(word, servers)] : [] };
}

function showOn(server: KnownServer, word: string, isAddress: boolean): ShownServer {
  const { name, url, live, targets } = server;
  const integrations = targets.flatMap((target) => {
    const fields = fieldsNamed(word, target, isAddress);
    return fields.length === 0 ? [] : [showIntegration(server, target, fields)];
  });
  return { name, url, isRead: live !== undefined, integrations };
}

function unknownWord(word: string, servers: readonly KnownServer[]): Diagnostic {
  const targets = servers.flatMap((server) => server.targets);
  const names = [...new Set(targets.flatMap(namesOf))];
  const [near] = nearNames(word, [...names, ...targets.flatMap((target) => addressesNear(word, target))]);
  return diagnostic('unknown-name', { word, of: 'integration or field', names, ...present({ near }) });
}

function namesOf({ name, installed }: Target): string[] {
  return [name, ...(installed === undefined ? [] : [installed.id, `${baseOfId(installed.id)}_*`])];
}

/** The addresses of a target in the form of a word: in full, or short. */
function addressesNear(word: string, target: Target): string[] {
  if (!word.includes('.')) return [];
  const paths = word.includes('.options.') ? fieldsOf(target).map(pathOf) : target.keys;
  return [...paths, 'autosubscribe'].map((each) => `${target.name}.${each}`);
}

/** Some fields of an integration, with what is known of it and its options. */
function showIntegration(
  server: KnownServer,
  target: Target,
  fields: readonly FieldName[],
): ShownIntegration {
  const live: Partial<LiveIntegration> = target.installed ?? {};
  const { id, name: displayName, acronym, description, status, errorCount: errors } = live;
  const shown = new Map(fields.map((field) => [pathOf(field), showField(server, target, field)]));
  const optionOf = (option: string): ShownIntegration['options'] => {
    const { type, multiple, title, description, choices } = target.installed?.options.get(option) ?? {};
    const value = shown.get(pathOf({ field: 'value', option }));
    const permission = shown.get(pathOf({ field: 'permission', option }));
    const about = present({ type, multiple, title, description, choices, value, permission });
    return value || permission ? [{ option, ...about }] : [];
  };
  const specificFirst = target.entries.toSorted((a, b) => Number(isDefault(a)) - Number(isDefault(b)));
  return {
    name: target.name,
    ...present({ id, displayName, acronym, description, status, errors }),
    entries: specificFirst.map((entry) => ({
      ...{ entry: entry.name, isDefault: isDefault(entry), source: entry.match?.place ?? entry.place },
    })),
    ...present({ autosubscribe: shown.get('autosubscribe') }),
    options: target.keys.flatMap(optionOf),
  };
}
