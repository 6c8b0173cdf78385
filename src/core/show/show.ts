import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { pathOf } from '../model/address.ts';
import { baseOfId } from '../model/integration-id.ts';
import { nearNames } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import { showIntegration } from './integration.ts';
import { type KnownServer, knownServer, type ServerToShow } from './server.ts';
import type { Shown, ShownServer } from './shown.ts';
import { fieldsAt, fieldsOf, isMeant, type Target } from './targets.ts';

/** Shows what a word names on each server: integrations by a name, an id or a glob, otherwise fields by an address. */
export function show(
  given: readonly ServerToShow[],
  word: string,
): { readonly value: Shown; readonly diagnostics: readonly Diagnostic[] } {
  const servers = given.map(knownServer);
  const isName = servers.some(({ targets }) => targets.some((target) => isMeant(word, target)));
  const shown = servers.map((server) => showOn(server, word, !isName));
  const isNothing = shown.every(({ integrations }) => integrations.length === 0);
  return {
    value: { isAddress: !isName, servers: shown },
    diagnostics: isNothing ? [unknownWord(word, servers)] : [],
  };
}

function showOn(server: KnownServer, word: string, isAddress: boolean): ShownServer {
  const { name, url, live, lacksCredentials, targets } = server;
  const integrations = targets.flatMap((target) => {
    const fields = isAddress ? fieldsAt(word, target) : isMeant(word, target) ? fieldsOf(target) : [];
    return fields.length === 0 ? [] : [showIntegration(server, target, fields)];
  });
  return { name, url, isRead: live !== undefined, ...present({ lacksCredentials }), integrations };
}

function unknownWord(word: string, servers: readonly KnownServer[]): Diagnostic {
  const targets = servers.flatMap((server) => server.targets);
  const names = [...new Set(targets.flatMap(namesOf))];
  const [near] = nearNames(word, [...names, ...targets.flatMap((target) => addressesNear(word, target))]);
  return diagnostic('unknown-name', { word, of: 'subject', names, ...present({ near }) });
}

function namesOf({ name, installed }: Target): string[] {
  return [name, ...(installed === undefined ? [] : [installed.id, `${baseOfId(installed.id)}_*`])];
}

/** The addresses of a target in the form of a word: in full, of an option, or short. */
function addressesNear(word: string, target: Target): string[] {
  if (!word.includes('.')) return [];
  const [path, option] = [fieldsOf(target).map(pathOf), target.keys];
  const paths = word.includes('.options.') ? [...path, ...option.map((key) => `options.${key}`)] : option;
  return [...paths, 'autosubscribe'].map((each) => `${target.name}.${each}`);
}
