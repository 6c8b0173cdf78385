import type { Selector } from '../config/entry.ts';
import { literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { LiveIndex } from './live-index.ts';

/** What to write under `match` to mean one integration and no other of those installed; undefined where nothing does. */
export function narrowMatch(meant: LiveIntegration, index: LiveIndex): string | undefined {
  const proven = selectorsFor(meant).find((selector) => {
    const found = index.found(selector);
    return found.length === 1 && found[0]?.id === meant.id;
  });
  return proven && yamlOf(proven);
}

/** Selectors for one integration, best first: those that outlast an upgrade, which changes ids, before its id. */
function selectorsFor({ id, name, acronym }: LiveIntegration): Selector[] {
  const base = baseOfId(id);
  return [
    ...literal(name).map((glob) => ({ name: glob })),
    ...literal(acronym).map((glob) => ({ acronym: glob })),
    ...(base === id ? [] : [{ id: `${base}_*` }, { id: `${base}_node_*` }]),
    ...literal(id).map((glob) => ({ id: glob })),
  ];
}

/** A text as a glob, if it means only itself. */
function literal(text: string | undefined): string[] {
  return text !== undefined && text !== '' && literalStart(text) === text ? [text] : [];
}

function yamlOf({ id, name, acronym }: Selector): string {
  if (id !== undefined) return scalar(id);
  return name !== undefined ? `{ name: ${scalar(name)} }` : `{ acronym: ${scalar(acronym ?? '')} }`;
}

/** A text as YAML reads it back: bare words, else in quotes. */
function scalar(text: string): string {
  const isBare = /^[a-z][\w.-]*\*?( [a-z][\w.-]*)*$/i.test(text) && !RESERVED.test(text);
  return isBare ? text : JSON.stringify(text);
}

const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;
