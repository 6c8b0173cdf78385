import type { Diagnostic } from '../findings/diagnostic.ts';
import { type FieldName, fieldAddress } from '../model/address.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import { type About, type FieldOrigin, markOf, originsIn, shownOrigin } from './declared.ts';
import { heldValue } from './held-value.ts';
import { headOf, isFromOutside, winnerOf } from './integration.ts';
import type { KnownServer, Target } from './known.ts';
import { type Content, type Contents, contentOf, likenessesOf } from './likeness.ts';
import type { ShownField, ShownFieldOn, ShownValue } from './shown.ts';
import type { Shelf } from './subject.ts';
import { verdictOf, verdictsOf } from './verdicts.ts';

/** A field on one server, before it is compared with the others. */
interface FieldOn {
  readonly shown: ShownFieldOn;
  readonly contents: Contents;
  readonly diagnostics: readonly Diagnostic[];
}

/** Shows a field of the integration with a name or id on all servers, side by side. */
export function showField(
  word: string,
  field: FieldName,
  shelves: readonly Shelf[],
): { readonly value: ShownField; readonly diagnostics: readonly Diagnostic[] } {
  const type = typeOf(word, field, shelves);
  const meant = shelves.flatMap(({ targets }) =>
    targets.of(word).flatMap(({ installed }) => installed ?? []),
  );
  const all = shelves.map((shelf): FieldOn => {
    const target = targetOn(shelf, word, meant[0]);
    return target === undefined ? lacking(shelf.server) : fieldOn(shelf.server, target, field, type);
  });
  const likenesses = likenessesOf(all.map(({ contents }) => contents));
  const on = all.map(({ shown }, index) =>
    all.length === 1 ? shown : { ...shown, likeness: likenesses[index] ?? {} },
  );
  return {
    value: { address: fieldAddress(word, field), on },
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The integration of a name or id on a server; where the server was not read, what entries make of the one that another has. */
function targetOn(
  { server, targets }: Shelf,
  word: string,
  meant: LiveIntegration | undefined,
): Target | undefined {
  const [own] = targets.of(word);
  return own ?? (meant === undefined || server.live === 'read' ? undefined : targets.like(meant));
}

/** A server that has nothing of the name, as far as is known. */
function lacking({ name, live }: KnownServer): FieldOn {
  const missing = live === 'read' ? 'missing' : undefined;
  return {
    shown: { server: name, lack: missing ?? 'not-known', origins: [] },
    contents: { declared: missing, live: missing },
    diagnostics: [],
  };
}

/** The type of the option of a field, as any server or catalog tells it. */
function typeOf(word: string, field: FieldName, shelves: readonly Shelf[]): string | undefined {
  if (field.field === 'autosubscribe') return undefined;
  const types = shelves.flatMap(({ targets }) =>
    targets.of(word).flatMap(({ installed }) => installed?.options.get(field.option)?.type ?? []),
  );
  return types[0];
}

function fieldOn(server: KnownServer, target: Target, field: FieldName, type: string | undefined): FieldOn {
  const option = field.field === 'autosubscribe' ? undefined : field.option;
  const about = {
    key: option ?? '',
    type,
    mark: option === undefined ? undefined : markOf(server, target, option),
  };
  const origins = originsIn(server, target, field);
  const winner = winnerOf(origins);
  const verdicts = verdictsOf(server, target, option ?? '');
  const live = liveOf(server, target, field, { mark: about.mark, isFromOutside: isFromOutside(winner) });
  const isManaged = (winner?.field.value ?? null) !== null;
  const verdict = isManaged ? verdictOf(server, target, field, verdicts) : undefined;
  return {
    shown: {
      server: server.name,
      ...headOf(server, target),
      ...present({ live, verdict }),
      origins: origins.map((origin) => shownOrigin(server, origin, about)),
    },
    contents: {
      declared: origins.length > 0 && winner === undefined ? 'untold' : declaredContent(winner),
      live: server.live === 'read' ? liveContent(target, field) : undefined,
    },
    diagnostics: verdicts.diagnostics,
  };
}

/** What a server that was read holds of a field, as far as it may be shown. */
function liveOf(
  { inventory, live }: KnownServer,
  { installed }: Target,
  field: FieldName,
  said: Omit<About, 'key'> & { readonly isFromOutside: boolean },
): ShownValue | undefined {
  if (live !== 'read' || inventory === undefined || installed === undefined) return undefined;
  if (field.field === 'value') {
    const option = installed.options.get(field.option);
    return option && heldValue(option, said);
  }
  const word = wordOf(installed, field);
  return word === undefined ? { kind: 'unreadable', reason: 'absent' } : { kind: 'shown', value: word };
}

/** A permission or the flag of an integration, where the server tells it. */
function wordOf(installed: LiveIntegration, field: FieldName): string | boolean | undefined {
  if (field.field === 'autosubscribe') return installed.autosubscribe;
  const permission = installed.options.get(field.option)?.permission;
  return permission === 'unknown' ? undefined : permission;
}

/** What is desired of a field. References that this run lacks stay open. */
function declaredContent(winner: FieldOrigin | undefined): Content {
  const value = winner?.field.value ?? undefined;
  if (value === undefined) return 'missing';
  if (typeof value !== 'object') return contentOf(value);
  const { open, resolved } = value;
  if (resolved?.value !== undefined) return contentOf(resolved.value);
  return open?.value === undefined ? 'untold' : { value: open.value, isFromOutside: true };
}

function liveContent({ installed }: Target, field: FieldName): Content {
  if (installed === undefined) return 'missing';
  if (field.field !== 'value') {
    const word = wordOf(installed, field);
    return word === undefined ? 'untold' : contentOf(word);
  }
  const held = installed.options.get(field.option)?.value;
  if (held === undefined) return 'missing';
  if (held.kind === 'unreadable') return 'untold';
  return contentOf(held.kind === 'empty' ? '' : held.value);
}
