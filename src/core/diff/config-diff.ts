import {
  type Entry,
  type Field,
  isDefault,
  type OptionEntry,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { grouped, present } from '../model/json.ts';
import {
  type Clues,
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
  shownComment,
  shownReference,
} from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import { isSameWritten } from '../plan/history.ts';
import type { ChangeDocument, IntegrationDocument } from '../plan/plan.ts';
import { type Policy, type Risk, risksOf } from '../plan/risk.ts';

type AnEntry = Entry<ResolvedValue>;
type AnOption = OptionEntry<ResolvedValue>;

/** Diffs two configurations with their references open: each field that differs, by the names of the entries. */
export function diffConfigs(
  before: ResolvedConfig,
  after: ResolvedConfig,
  policy: Policy = {},
): readonly IntegrationDocument[] {
  const [bases, heads] = [before, after].map(
    (all) => new Map(all.map((each) => [each.name, each])),
  );
  const secrets = secretsOf(before, after);
  const isTold = (risk: Risk) => policy[risk] !== 'off';
  const names = [
    ...new Set([...before, ...after].map(({ name }) => name)),
  ].sort(compareText);
  return names.map((name) => ({
    ...{
      name,
      id: name,
      status: null,
      hidden: [],
      waived: [],
      settled: [],
      released: [],
    },
    changes: diffEntry(name, bases?.get(name), heads?.get(name), secrets)
      .map((change) => ({ ...change, risks: change.risks.filter(isTold) }))
      .sort((one, other) => compareText(one.address, other.address)),
  }));
}

/**
 * Tells what makes an option of an entry a secret. A secret at the base still is one, and so is what any entry marks, or takes
 * from outside if it may select the same integrations: only a server tells which do.
 */
function secretsOf(before: ResolvedConfig, after: ResolvedConfig) {
  const byName = grouped([...before, ...after], ({ name }) => name);
  const isWide = (entry: AnEntry) =>
    isDefault(entry) || byName.get(entry.name)?.length !== 2;
  const [marked, anywhere, wide] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const entry of [...before, ...after])
    for (const { key, sensitive, value } of entry.options.values()) {
      if (sensitive?.value === true) marked.add(key);
      if (value?.isFromOutside !== true) continue;
      anywhere.add(key);
      if (isWide(entry)) wide.add(key);
    }
  return (name: string, key: string, was?: AnOption, now?: AnOption): Clues => {
    const own = declaredSecrecy(secrecyIn(now), secrecyIn(was));
    const elsewhere = byName.get(name)?.some(isWide) ? anywhere : wide;
    return {
      key,
      mark: marked.has(key) || own.mark,
      isFromOutside: own.isFromOutside === true || elsewhere.has(key),
    };
  };
}

function secrecyIn(option: AnOption | undefined): DeclaredSecrecy {
  const { sensitive, value } = option ?? {};
  return {
    mark: sensitive?.value ?? undefined,
    isFromOutside: value?.isFromOutside,
  };
}

function diffEntry(
  name: string,
  base: AnEntry | undefined,
  head: AnEntry | undefined,
  secrets: ReturnType<typeof secretsOf>,
): ChangeDocument[] {
  const isSubscribing = head?.autosubscribe?.value === true;
  const keys = new Set(
    [base, head].flatMap((entry) => [...(entry?.options.keys() ?? [])]),
  );
  return [
    ...changeOf(`${name}.match`, matchIn(base), matchIn(head)),
    ...changeOf(`${name}.expect`, base?.expect, head?.expect, {
      isSame: (base?.expect?.value ?? 'one') === (head?.expect?.value ?? 'one'),
    }),
    ...changeOf(
      `${name}.autosubscribe`,
      base?.autosubscribe,
      head?.autosubscribe,
      {
        risks: risksOf({
          field: 'autosubscribe',
          before: undefined,
          after: isSubscribing,
        }),
      },
    ),
    ...[...keys].flatMap((key) => {
      const [was, now] = [base?.options.get(key), head?.options.get(key)];
      return diffOption(
        `${name}.options.${key}`,
        was,
        now,
        secrets(name, key, was, now),
      );
    }),
  ];
}

function matchIn(entry: AnEntry | undefined): Shown | undefined {
  return (
    entry && {
      place: entry.place,
      ...entry.match,
      value: selectorText(selectorOf(entry)),
    }
  );
}

/** The changes of one option: a value by its text with references, and by the files that it refers to. */
function diffOption(
  address: string,
  was: AnOption | undefined,
  now: AnOption | undefined,
  clues: Clues,
): ChangeDocument[] {
  const [value, written] = [openValue(was?.value), openValue(now?.value)];
  const [held, permission] = [
    was?.permission?.value ?? undefined,
    now?.permission?.value ?? undefined,
  ];
  const values =
    written === undefined || written.isFromOutside ? [] : [written.want];
  const facts = {
    isExposable: isSecret({ ...clues, values }),
    permission: held === permission ? permission : undefined,
  };
  return [
    ...changeOf(`${address}.permission`, was?.permission, now?.permission, {
      risks: risksOf({
        ...facts,
        field: 'permission',
        before: held,
        after: permission ?? '',
      }),
    }),
    ...changeOf(`${address}.sensitive`, was?.sensitive, now?.sensitive),
    ...changeOf(`${address}.rotated`, was?.rotated, now?.rotated),
    ...changeOf(
      `${address}.value`,
      shown(was?.value, clues),
      shown(now?.value, clues),
      {
        isSame:
          value !== undefined &&
          written !== undefined &&
          isSameWritten(value, written),
        risks: risksOf({
          ...facts,
          field: 'value',
          before: undefined,
          after: written?.want ?? '',
        }),
      },
    ),
  ];
}

/** A declared field as far as it may be shown: of a value with references only these, and no secret. */
interface Shown extends Pick<Field<unknown>, 'place' | 'comment'> {
  readonly value?: OptionValue | null;
  readonly reference?: string;
  readonly isHidden?: true;
}

function shown(
  field: ResolvedValue | undefined,
  clues: Clues,
): Shown | undefined {
  const written = openValue(field);
  if (field === undefined || written === undefined) return undefined;
  const { place, comment } = field;
  const declared = { place, ...present({ comment }) };
  const { want: value, isFromOutside } = written;
  if (!isFromOutside) {
    const isHidden = isSecret({ ...clues, values: [value] });
    return isHidden ? { ...declared, isHidden } : { ...declared, value };
  }
  const one = (each: OptionValue) =>
    shownReference(textsOf(each)[0] ?? '', clues);
  return {
    ...declared,
    reference: isChoiceList(value)
      ? `[${value.map(one).join(', ')}]`
      : one(value),
  };
}

/** A value whose references were not read, with these in their places. */
function openValue(written: ResolvedValue | undefined) {
  if (written === undefined || written.value === null) return undefined;
  const { value = '', isFromOutside, files } = written;
  return { want: reveal(value), isFromOutside, ...present({ files }) };
}

/** A change of a field, if it is one: references as they are written, other secrets not at all. A null declares nothing. */
function changeOf(
  address: string,
  before: Shown | undefined,
  after: Shown | undefined,
  {
    isSame,
    risks = [],
  }: { isSame?: boolean; risks?: ChangeDocument['risks'] } = {},
): ChangeDocument[] {
  const [was, now] = [before, after].map((side) =>
    side?.value === null ? undefined : side,
  );
  const declared = now ?? was;
  if (declared === undefined || (isSame ?? was?.value === now?.value))
    return [];
  const { file, line, column } = declared.place;
  // The difference may be in a file, or in a part that is not shown.
  const isAlike =
    was?.reference !== undefined && was.reference === now?.reference;
  const reference = isAlike ? `${now?.reference} (changed)` : now?.reference;
  const beforeReference = was?.reference;
  const sides =
    was?.isHidden || now?.isHidden
      ? {
          before: was === undefined ? '' : null,
          after: null,
          secret: true as const,
          ...present({ reference, beforeReference }),
        }
      : {
          before: beforeReference ?? was?.value ?? null,
          after: reference ?? now?.value ?? null,
        };
  return [
    {
      address,
      ...sides,
      label: 'change',
      risks: now === undefined ? [] : risks,
      ...present({ comment: shownComment(now?.comment) }),
      source: { file, line, column },
    },
  ];
}
