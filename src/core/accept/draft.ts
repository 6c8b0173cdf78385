import { isMap, type Node } from 'yaml';
import { grouped } from '../model/grouped.ts';
import { additionEdits, type Uneditable } from './additions.ts';
import type { Placed, Placement } from './placement.ts';
import type { Draft } from './reading.ts';
import { edited, type TextEdit } from './text-edit.ts';
import { type Addition, addition, newFile, treeOf } from './tree-text.ts';
import { valueEdits } from './value-edits.ts';
import { nodeOf, pairOf, type YamlSource } from './yaml-source.ts';

/** Makes the new texts of files; or says why one of the fields cannot be written. */
export function draftOf(placement: Placement, placed: readonly Placed[]): Draft | Uneditable {
  const texts = new Map<string, string>();
  const allEdits = new Map<string, readonly TextEdit[]>();
  const created: Draft['created'][number][] = [];
  for (const [real, all] of grouped(placed, ({ target }) => target.real)) {
    const [first] = all;
    if (first?.target.kind === 'create') created.push(creation(first, all));
    else {
      const made = editedText(placement.source(real), all);
      if ('problem' in made) return made.problem;
      texts.set(real, made.text);
      allEdits.set(real, made.edits);
    }
  }
  return { texts, edits: allEdits, created };
}

function creation({ fields, target }: Placed, all: readonly Placed[]): Draft['created'][number] {
  const { path, layer } = target.kind === 'create' ? target : { path: '', layer: 0 };
  const text = newFile(treeOf(all.flatMap(additions)));
  return { server: fields[0]?.server ?? '', layer, file: { path, real: target.real, text } };
}

function editedText(
  source: YamlSource,
  placed: readonly Placed[],
): { readonly text: string; readonly edits: readonly TextEdit[] } | { readonly problem: Uneditable } {
  const added = placed.flatMap(additions);
  const replaced = placed.flatMap(({ target, fields }) => {
    const located = target.kind === 'replace' ? source.at(target.place) : undefined;
    const [field] = fields;
    return located === undefined || field === undefined ? [] : [{ located, field }];
  });
  // An option in its short form that gets a permission too is written anew with its value.
  const shorts = shortForms(source, added);
  const joined = replaced.flatMap(({ located, field }) => {
    const path = shorts.get(located.value);
    return path === undefined ? [] : [{ ...field, path: [...path, 'value'] }];
  });
  const inserted = added.length === 0 ? [] : additionEdits(source, treeOf([...joined, ...added]));
  if (typeof inserted === 'string') return { problem: inserted };
  const edits = replaced
    .filter(({ located }) => !shorts.has(located.value))
    .flatMap(({ located, field }) => valueEdits(source, located, field));
  const all = [...edits, ...inserted];
  const text = edited(source.text, all);
  return text === undefined ? { problem: 'form' } : { text, edits: all };
}

/** The values of options in short form to which something is added, and the paths of these options. */
function shortForms(
  { doc: { contents } }: YamlSource,
  added: readonly Addition[],
): ReadonlyMap<Node, readonly string[]> {
  const options = added.map(({ path }) => path.slice(0, -1)).filter(({ length }) => length === 4);
  return new Map(
    options.flatMap((path) => {
      const value = path.reduce<Node | undefined | null>((node, key) => {
        const pair = isMap(node) ? pairOf(node, key) : undefined;
        return pair && nodeOf(pair);
      }, contents);
      // In its long form the value stands below a key of its own.
      return value && (!isMap(value) || pairOf(value, 'display') !== undefined)
        ? [[value, path] as const]
        : [];
    }),
  );
}

function additions({ fields, target }: Placed): Addition[] {
  if (target.kind === 'replace') return [];
  const { entry, match } = target;
  const added = fields.map((field) => addition(entry, field));
  return match === undefined
    ? added
    : [addition(entry, { path: ['match'], written: match, held: match }), ...added];
}
