import { type Seeded, seeded } from './seeded.ts';

type Path = readonly string[];

/** A JSON value with one random edit: a leaf changed, a part removed, an item of a list twice, or two parts swapped. */
export function edited<T>(value: T, seed: number): T {
  const draw = seeded(seed);
  const edit = draw.pick([changeLeaf, remove, duplicate, swap]);
  return edit(structuredClone(value), draw);
}

function changeLeaf<T>(value: T, draw: Seeded): T {
  const path = draw.pick(paths(value).filter((each) => !isContainer(at(value, each))));
  const leaf = at(value, path);
  const others = [null, '', 'edited', 4_711, true, `${leaf}x`, typeof leaf === 'boolean' ? !leaf : leaf];
  return put(value, path, draw.pick(others));
}

function remove<T>(value: T, draw: Seeded): T {
  const path = draw.pick(paths(value));
  const parent = at(value, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
  else Reflect.deleteProperty(Object(parent), path.at(-1) ?? '');
  return value;
}

function duplicate<T>(value: T, draw: Seeded): T {
  const inLists = paths(value).filter((path) => Array.isArray(at(value, path.slice(0, -1))));
  const path = draw.pick(inLists);
  const list = at(value, path.slice(0, -1));
  if (Array.isArray(list)) list.push(changeLeaf({ item: structuredClone(at(value, path)) }, draw).item);
  return value;
}

function swap<T>(value: T, draw: Seeded): T {
  const [one, other] = [draw.pick(paths(value)), draw.pick(paths(value))];
  const parts = [structuredClone(at(value, one)), structuredClone(at(value, other))];
  // The second place may have gone with the first.
  const half = put(value, one, parts[1]);
  return at(half, other.slice(0, -1)) === undefined ? half : put(half, other, parts[0]);
}

/** The way to every part below a value. */
function paths(value: unknown, path: Path = []): Path[] {
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [[...path, key], ...paths(each, [...path, key])]);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, key) => (isContainer(found) ? Reflect.get(found, key) : undefined),
    value,
  );
}

function put<T>(value: T, path: Path, part: unknown): T {
  const parent = at(value, path.slice(0, -1));
  if (isContainer(parent)) Reflect.set(parent, path.at(-1) ?? '', part);
  return value;
}
