/** What an answer says of a pause: the values of its `Retry-After` headers, and of its `Date`, as they came. */
export interface AskedPause {
  readonly retryAfter: readonly string[];
  readonly date: readonly string[];
}

/** What a pause is counted by, in milliseconds: the clock of this machine, and how long to wait for what is unclear. */
interface Measure {
  readonly now: number;
  readonly unclear: number;
}

/** The longest pause, in milliseconds: some hundred years. */
const MOST = 2 ** 42;

/**
 * The pause that an answer asks for, in milliseconds, never shorter: the longest of all that it names, in seconds or as dates
 * of HTTP. A date is counted from the `Date` of the answer, as the clock of the server may differ from ours.
 */
export function pauseOf({ retryAfter, date }: AskedPause, { now, unclear }: Measure): number {
  const clocks = date.flatMap((text) => dateOf(text.trim(), now) ?? []);
  const clock = clocks.length === 0 ? now : Math.min(...clocks);
  const pauses = retryAfter.flatMap(items).map((item) => {
    if (/^\d+$/.test(item)) return Math.min(MOST, Number(item) * 1000);
    const end = dateOf(item, clock);
    return end === undefined ? unclear : Math.max(0, end - clock);
  });
  return pauses.length === 0 ? unclear : Math.max(...pauses);
}

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*';

/** The comma after the name of a day belongs to its date. */
const SEPARATOR = new RegExp(`(?<!(?:^|[\\s,])${DAY}\\s*),`, 'i');

function items(header: string): string[] {
  return header
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const TIME = '(?<hour>[01]?\\d|2[0-3]):(?<minute>[0-5]?\\d):(?<second>[0-5]?\\d|60)';
const ON = '(?<day>0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';

/** IMF-fixdate with RFC 850, and asctime, which names no zone. */
const DATES = [
  new RegExp(
    `^${DAY}\\s*,\\s*${ON}[ -]${MONTH}[ -](?<year>\\d{4}|\\d{2}) ${TIME}(?: (?:GMT|UTC|[+-]0000))?$`,
    'i',
  ),
  new RegExp(`^${DAY} ${MONTH} +${ON} ${TIME} (?<year>\\d{4})(?: (?:GMT|UTC))?$`, 'i'),
];

/** A date of HTTP in milliseconds since the epoch; all its forms are in GMT. Undefined where it is none. */
function dateOf(text: string, clock: number): number | undefined {
  const found = DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { year = '', month = '', day, hour, minute, second } = found;
  const time = (of: number) =>
    Date.UTC(
      of,
      MONTHS.indexOf(month.toLowerCase()),
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
  return year.length === 4 ? time(Number(year)) : nearest(Number(year), time, clock);
}

/** A year of two digits is the latest that is at most 50 years ahead (RFC 9110, 5.6.7). */
function nearest(year: number, time: (year: number) => number, clock: number): number {
  const present = new Date(clock).getUTCFullYear();
  const later = [1, 0, -1].map((century) => (Math.floor(present / 100) + century) * 100 + year);
  return time(later.find((each) => each <= present + 50) ?? year);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
