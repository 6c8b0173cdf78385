import type { Diagnostic } from '../findings/diagnostic.ts';
import type { FieldName } from '../model/address.ts';
import type { LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { type About, declaredSide, type FieldOrigin, markOf, originsIn } from './declared.ts';
import { heldValue, initialValue, type Said } from './held-value.ts';
import type { KnownServer, Target } from './known.ts';
import type { ShownEntry, ShownHead, ShownIntegration, ShownOption, ShownSetting } from './shown.ts';
import { optionKeys } from './subject.ts';
import { type Verdicts, verdictOf, verdictsOf } from './verdicts.ts';

/** What a server has to show of an integration, and what is wrong with what is asked of it. */
export function showIntegration(
  server: KnownServer,
  target: Target,
): { readonly value: ShownIntegration; readonly diagnostics: readonly Diagnostic[] } {
  const verdicts = verdictsOf(server, target);
  const { name, installed } = target;
  const setting = settings(server, target, verdicts);
  const isRead = server.live === 'read';
  const value = {
    server: server.name,
    name,
    ...headOf(server, target),
    ...present({ description: installed?.description }),
    entries: entriesOf(server, target),
    autosubscribe: present({
      live: isRead ? installed?.autosubscribe : undefined,
      managed: setting({ field: 'autosubscribe' }, { key: '' }),
    }),
    options: optionKeys(target, server).map((key) => optionOf(server, target, key, setting)),
  };
  return { value, diagnostics: verdicts.diagnostics };
}

/** What is known of an integration itself; the ids of a catalog are made up. */
export function headOf({ live }: KnownServer, { installed }: Target): ShownHead {
  if (installed === undefined) return {};
  const { id, name: displayName, acronym, status, errorCount: errors } = installed;
  if (live !== 'read') return present({ displayName, acronym });
  return { id, ...present({ displayName, acronym, status, errors }) };
}

function entriesOf({ config }: KnownServer, { holding }: Target): readonly ShownEntry[] {
  const places = new Map(
    config.merged.entries.map(({ name, match, place }) => [name, match?.place ?? place]),
  );
  const specificFirst = [...holding].sort((a, b) => Number(a.isDefault) - Number(b.isDefault));
  return specificFirst.flatMap(({ entry, ...held }) => {
    const source = places.get(entry);
    return source === undefined ? [] : [{ entry, ...held, source }];
  });
}

type SettingOf = (field: FieldName, about: About) => ShownSetting | undefined;

/** Finds the declaration of a field that wins; undefined where the field is not managed. */
function settings(server: KnownServer, target: Target, verdicts: Verdicts): SettingOf {
  return (field, about) => {
    const winner = winnerOf(originsIn(server, target, field));
    const declared = winner && declaredSide(winner, about);
    if (winner === undefined || declared === undefined) return undefined;
    const verdict = verdictOf(server, target, field, verdicts);
    return { declared, source: winner.field.place, ...present({ verdict }) };
  };
}

/** The declaration that counts. */
export function winnerOf(origins: readonly FieldOrigin[]): FieldOrigin | undefined {
  return origins.find(({ wins }) => wins);
}

/** Whether what wins comes from the environment or a file. */
export function isFromOutside(winner: FieldOrigin | undefined): boolean {
  const value = winner?.field.value;
  return typeof value === 'object' && value?.open?.isFromOutside === true;
}

function optionOf(server: KnownServer, target: Target, key: string, settingOf: SettingOf): ShownOption {
  const served = target.installed?.options.get(key);
  const mark = markOf(server, target, key);
  const about = { key, type: served?.type, mark };
  const field = (name: 'value' | 'permission') => settingOf({ field: name, option: key }, about);
  const winner = winnerOf(originsIn(server, target, { field: 'value', option: key }));
  const stoppedAt = winner?.field.value === null ? winner.field.place : undefined;
  return {
    option: key,
    choices: served?.choices ?? [],
    ...(served === undefined
      ? {}
      : servedPart(server, served, { mark, isFromOutside: isFromOutside(winner) })),
    ...present({ stoppedAt }),
    managed: present({ value: field('value'), permission: field('permission') }),
  };
}

/** What a server or a catalog says of an option. */
function servedPart(server: KnownServer, served: LiveOption, said: Said): Partial<ShownOption> {
  const { type, title, description, multiple, permission } = served;
  const { inventory, live } = server;
  const held = inventory === undefined || live !== 'read' ? undefined : heldValue(served, said);
  return present({
    type,
    title,
    description,
    multiple,
    default: initialValue(served),
    live: held,
    permission,
  });
}
