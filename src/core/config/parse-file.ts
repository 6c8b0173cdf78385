import { validate } from '../../generated/config-validator.js';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  elsewhere,
} from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { isPermission } from '../model/permission.ts';
import type { Place, SourceFile } from '../model/place.ts';
import type { Choice, Scalar } from '../model/value.ts';
import {
  childOf,
  pairsOf,
  scalarOf,
  textOf,
  type YamlNode,
  type YamlPair,
} from '../yaml/node.ts';
import { checkFile } from './checked-file.ts';
import {
  type Declaration,
  EXPECT,
  type Selector,
  type Template,
} from './declaration.ts';
import { type EntryPart, OPTION_FIELDS } from './entry.ts';
import { mayRefer, namesIn, parseText } from './template.ts';

/** The declarations of one file. */
export interface WrittenFile {
  path: string;
  /** Where its entries begin, or its start if it has no place for them. */
  place: Place;
  values: ReadonlyMap<string, NamedValue>;
  entries: readonly EntryPart[];
}

/** A named value, or the null that takes it back. */
type NamedValue = Template | { value: null; place: Place };

/**
 * Parses one file up to its declarations: YAML, schema, the syntax of
 * references. All problems at once.
 */
export function parseFile(file: SourceFile): Checked<WrittenFile> {
  const { value: root, diagnostics: problems } = checkFile(file, validate);
  if (root === undefined) return { diagnostics: problems };
  const named = pairsOf(childOf(root, 'values'));
  const section = pairsOf(root).find(({ key }) => key === 'integrations');
  const entries = pairsOf(section?.value);
  const options = entries.flatMap(({ value }) =>
    pairsOf(childOf(value, 'options')),
  );
  const misused = [
    ...named.flatMap(nestedProblems),
    ...entries.flatMap(globProblems),
    ...[...named, ...options].flatMap(({ value }) => valueProblems(value)),
  ];
  const diagnostics = [...problems, ...elsewhere(misused, problems)];
  if (diagnostics.length > 0) return { diagnostics };
  const start = { file: file.path, line: 1, column: 1 };
  const value = {
    path: file.path,
    place: section?.keyPlace ?? start,
    values: new Map(named.map(({ key, value }) => [key, namedValue(value)])),
    entries: entries.map(entryPart),
  };
  return { value, diagnostics: [] };
}

/** Finds that a named value refers to another one. */
function nestedProblems({ value: node }: YamlPair): Diagnostic[] {
  if (namesIn(templateOf(node).value).length === 0) return [];
  return [diagnostic('reference-syntax', NESTED, node.place)];
}

const NESTED = {
  problem: 'A named value cannot refer to another named value.',
  hint: 'Write it out.',
};

/** Finds the globs of an entry that cost too much. */
function globProblems({ value: entry }: YamlPair): Diagnostic[] {
  const match = childOf(entry, 'match');
  const globs = [match, ...pairsOf(match).map(({ value }) => value)];
  return globs
    .filter((glob) => isCostlyGlob(textOf(glob) ?? ''))
    .map((glob) => diagnostic('too-large', COSTLY, glob?.place));
}

const COSTLY = { of: 'stars in this glob, or too many alternatives', limit: 3 };

/** Finds malformed references in the texts of a value. */
function valueProblems(node: YamlNode): Diagnostic[] {
  if (node.kind === 'list') return node.items.flatMap(valueProblems);
  if (node.kind === 'map') {
    return node.pairs.flatMap(({ value }) => valueProblems(value));
  }
  const text = textOf(node) ?? '';
  if (!mayRefer(text)) return [];
  const problems = new Set(parseText(text).problems);
  return [...problems].map((problem) =>
    diagnostic('reference-syntax', { problem }, node.place),
  );
}

/** Makes declarations of an entry that fits the schema. */
function entryPart({ key: name, keyPlace, value: node }: YamlPair): EntryPart {
  const declarations: Declaration[] = [];
  const stop = { entry: name, value: null } as const;
  if (isNull(node)) {
    declarations.push({ ...stop, field: 'entry', place: node.place });
  }
  for (const { key: field, value, comment } of pairsOf(node)) {
    const { place } = value;
    const declared = { entry: name, place, comment };
    if (field === 'match') {
      declarations.push({ ...declared, field, value: selectorIn(value) });
    } else if (field === 'expect') {
      const word = EXPECT.find((each) => each === textOf(value)) ?? 'one';
      declarations.push({ ...declared, field, value: word });
    } else if (field === 'autosubscribe') {
      declarations.push({ ...declared, field, value: flagIn(value) });
    } else if (field === 'options') {
      if (isNull(value)) declarations.push({ ...stop, field, place });
      const options = pairsOf(value);
      declarations.push(...options.flatMap((pair) => ofOption(name, pair)));
    }
  }
  return { name, place: keyPlace, declarations };
}

/** The declarations of an option in its short or long form. */
function ofOption(entry: string, pair: YamlPair): Declaration[] {
  const { key: option, keyPlace, value: node } = pair;
  if (isNull(node)) {
    const { place } = node;
    return [{ entry, option, keyPlace, place, field: 'option', value: null }];
  }
  const isShort = node.kind !== 'map' || childOf(node, 'display') !== undefined;
  const fields = isShort ? [{ ...pair, key: 'value' }] : node.pairs;
  const declarations: Declaration[] = [];
  // The comment at the key of the option belongs to all of its fields.
  for (const { key, value, comment = pair.comment } of fields) {
    const declared = { entry, option, keyPlace, place: value.place, comment };
    const field = OPTION_FIELDS.find((word) => word === key);
    const text = textOf(value) ?? '';
    if (field === undefined) continue;
    if (isNull(value)) {
      declarations.push({ ...declared, field, value: null });
      continue;
    }
    switch (field) {
      case 'value':
        declarations.push({ ...declared, field, ...templateOf(value) });
        break;
      case 'sensitive':
        declarations.push({ ...declared, field, value: flagIn(value) });
        break;
      case 'rotated':
        declarations.push({ ...declared, field, value: text });
        break;
      case 'permission':
        if (isPermission(text))
          declarations.push({ ...declared, field, value: text });
    }
  }
  return declarations;
}

function selectorIn(node: YamlNode): Selector {
  if (node.kind !== 'map') return { id: textOf(node) ?? '' };
  return Object.fromEntries(
    node.pairs.map(({ key, value }) => [key, textOf(value)]),
  );
}

function namedValue(node: YamlNode): NamedValue {
  return isNull(node) ? { value: null, place: node.place } : templateOf(node);
}

/** A value of a file that fits the schema. */
function templateOf(node: YamlNode): Template {
  const { place } = node;
  if (node.kind !== 'list') return { value: memberOf(node), place };
  const members = node.items.map((item) => item.place);
  return { value: node.items.map(memberOf), place, members };
}

function memberOf(node: YamlNode): Scalar | Choice {
  if (node.kind === 'scalar') return node.value ?? '';
  const display = textOf(childOf(node, 'display')) ?? '';
  return { display, value: textOf(childOf(node, 'value')) ?? '' };
}

/** A flag; a null stops the management of its field. */
function flagIn(node: YamlNode): boolean | null {
  return isNull(node) ? null : scalarOf(node) === true;
}

function isNull(node: YamlNode): boolean {
  return scalarOf(node) === null;
}
