/** Draws that are the same for the same seed. */
export interface Seeded {
  /** Evenly from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** One of some, evenly. */
  readonly pick: <T>(from: readonly T[]) => T;
  /** Some of them, in their order; at least so many. */
  readonly some: <T>(from: readonly T[], least: number, most: number) => T[];
}

/** A small generator (mulberry32); the seed is any whole number. */
export function seeded(seed: number): Seeded {
  const state = { at: Math.imul(seed + 1, 0x9e3779b1) };
  const random = () => {
    state.at = (state.at + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state.at ^ (state.at >>> 15), state.at | 1);
    const again =
      mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
  const index = (count: number) => Math.floor(random() * count);
  return {
    random,
    pick: <T>(from: readonly T[]) => {
      const picked = from[index(from.length)];
      if (picked === undefined)
        throw new Error('there is nothing to pick from');
      return picked;
    },
    some: (from, least, most) => {
      const ranked = from
        .map((item) => ({ item, rank: random() }))
        .sort((a, b) => a.rank - b.rank);
      const chosen = new Set(
        ranked
          .slice(0, least + index(most - least + 1))
          .map(({ item }) => item),
      );
      return from.filter((item) => chosen.has(item));
    },
  };
}
