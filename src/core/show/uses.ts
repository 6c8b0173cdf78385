import { type Referent, referentsIn, usesOf } from '../config/uses.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import type { KnownServer } from './known.ts';
import type { ShownUses } from './shown.ts';

/** What a word names, with all fields that it feeds; a finding where it names nothing. A bare name may be that of several. */
export function showUses(word: string, servers: readonly KnownServer[]): readonly ShownUses[] | Diagnostic {
  const all = servers.flatMap(({ config }) => referentsIn(config.merged));
  const referents = [...new Map(all.map((each) => [textOf(each), each])).values()];
  const named = referents.filter((each) => textOf(each) === word || each.name === word);
  if (named.length > 0) return named.map((referent) => ({ ...referent, on: servers.map(usesOn(referent)) }));
  const bare = word.replace(/^(value|env|file):/, '');
  const names = referents.map((each) => (bare === word ? each.name : textOf(each)));
  const otherKind = referents.find(({ name }) => name === bare);
  const near = otherKind ? textOf(otherKind) : nearNames(word, names)[0];
  return diagnostic('unknown-name', {
    word,
    of: 'referent',
    names: [...new Set(names)],
    ...present({ near }),
  });
}

/** A referent as a person writes it: `env:SETPOINT_KEY`. */
function textOf({ kind, name }: Referent): string {
  return `${kind}:${name}`;
}

function usesOn(referent: Referent) {
  return ({ name, config }: KnownServer) => ({
    server: name,
    fields: usesOf(config.merged, referent).map(({ place: source, through, ...use }) => ({
      ...use,
      source,
      through: through.map((each) => ({ name: each.name, source: each.place })),
    })),
  });
}
