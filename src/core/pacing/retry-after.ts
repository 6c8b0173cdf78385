/** The longest pause, in milliseconds: some hundred years. */
const MOST = 2 ** 42;

/** What an answer says of a pause: the values of its `Retry-After` headers and its `Date`, as they came. */
interface AskedPause {
  readonly retryAfter: readonly string[];
  readonly date: string;
}

/**
 * The pause that an answer asks for, in milliseconds: the longest of all that it names, in seconds or as dates. A date is
 * counted from the `Date` of the answer, as the clock of the server may differ from ours. `unclear` is for anything else.
 */
export function pauseOf({ retryAfter, date }: AskedPause, now: number, unclear: number): number {
  const clock = timeOf(date) ?? now;
  // The comma after the name of a day belongs to its date, which is as clear without it.
  const parts = retryAfter.flatMap((header) => header.split(',').map((part) => part.trim()));
  const named = parts.filter((part) => part !== '' && !/^(mon|tue|wed|thu|fri|sat|sun)\w*$/i.test(part));
  const pauses = named.map((part) => {
    if (/^\d+$/.test(part)) return Math.min(MOST, Number(part) * 1000);
    const end = timeOf(part);
    return end === undefined ? unclear : Math.max(0, end - clock);
  });
  return pauses.length === 0 ? unclear : Math.max(...pauses);
}

/** A date of HTTP in milliseconds since the epoch; all its forms are in GMT, also the one that does not name it. */
function timeOf(text: string): number | undefined {
  const date = /^([\w ,-]+ \d\d:\d\d:\d\d( \d{4})?)( GMT)?$/.exec(text.trim())?.[1];
  const time = Date.parse(`${date} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
