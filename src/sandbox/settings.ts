/** One choice that the API document leaves open: where it does so, what it leaves open, and the answers to choose from. */
interface OpenPoint {
  readonly section: string;
  readonly open: string;
  /** The first answer is the one that real servers most likely give, and the default. */
  readonly answers: readonly [string, ...string[]];
}

/**
 * What the API document does not show and the sandbox therefore lets a user choose. The names of the settings are the
 * keys; everything else about them (types, defaults, the flags of the command) is derived from this table.
 */
export const OPEN_POINTS = {
  dialect: {
    section: '2.2, 4.5',
    open: 'What the items of the relationships hold, and where option values are served: with the list and the single read in `included`, with both inside the items, with the single read only, or only by the link to the options',
    answers: ['included', 'inline', 'detail', 'options'],
  },
  passwords: {
    section: '2.4',
    open: 'How the value of a password reads back: in clear, as a row of asterisks, as null, or not at all',
    answers: ['clear', 'masked', 'null', 'absent'],
  },
  store: {
    section: '2.4',
    open: 'Values are called a string or a number: whether numbers and booleans keep their type or are stored as strings',
    answers: ['typed', 'strings'],
  },
  attributeNames: {
    section: '2.2',
    open: 'The list of attributes, and so the spelling of those of more than one word',
    answers: ['dashed', 'camel'],
  },
  acceptType: {
    section: '4.7',
    open: 'Whether the singular type of one request shape is accepted beside the plural one',
    answers: ['both', 'plural', 'singular'],
  },
  expiration: {
    section: '2.1, 5',
    open: 'Where `expiration_time` stands in the answer to a login: beside the token, at the top, or in `meta`',
    answers: ['data', 'top', 'meta'],
  },
  userSettings: {
    section: '2.1',
    open: 'The fields of the user settings that come with a token',
    answers: ['users', 'absent'],
  },
  refresh: {
    section: '3',
    open: 'Whether the old token stays valid after a refresh until it expires by itself',
    answers: ['keeps', 'replaces'],
  },
  logoutAnswer: {
    section: '4.3',
    open: 'The body of the answer to a logout',
    answers: ['document', 'empty'],
  },
  patchAnswer: {
    section: '4.7, 4.8',
    open: 'The body of the answer to a PATCH: what was changed, or none (204)',
    answers: ['document', 'empty'],
  },
  invalidPair: {
    section: '7',
    open: 'What happens to a request for the flags true and true, which have no meaning together',
    answers: ['refused', 'stored'],
  },
  refusalStatus: {
    section: '7',
    open: 'The status of a PATCH that is well formed but refused: a value that does not fit, an integration that is not running',
    answers: ['422', '400', '409'],
  },
  pointer: {
    section: '7',
    open: 'The body of an error, and so how it points at the option that caused it: by its place in the request, by its key, or not at all',
    answers: ['index', 'key', 'none'],
  },
  echo: {
    section: '7',
    open: 'The body of an error, and so whether it repeats the value that it refuses',
    answers: ['nothing', 'value'],
  },
  readers: {
    section: '5',
    open: 'The role that reading integrations requires: any, or one that may also change them',
    answers: ['everyone', 'managers'],
  },
  hiddenOptions: {
    section: '2.4, 5',
    open: 'Whether a reader with the role user is served options that are hidden from users',
    answers: ['withheld', 'served'],
  },
  firstPage: {
    section: '4.4',
    open: 'The number of the first page',
    answers: ['1', '0'],
  },
  mediaType: {
    section: '1, 9',
    open: 'What becomes of a body of another media type than the one of the interface: refused, or taken if it is JSON',
    answers: ['strict', 'json'],
  },
} as const satisfies Record<string, OpenPoint>;

type OpenPoints = typeof OPEN_POINTS;

/** The answer chosen for each open point, and those settings that are numbers, words or lists. */
export type SandboxSettings = { readonly [Name in keyof OpenPoints]: OpenPoints[Name]['answers'][number] } & {
  /** Section 8, maximum page size: a greater `page[size]` is cut to this. */
  readonly maxPageSize: number;
  /** Section 3, status values besides `running`: the status of an integration that is not running. */
  readonly stoppedStatus: string;
  /** Section 2.2, attributes that can be updated besides `autosubscribe`, in their dashed names. */
  readonly updatable: readonly string[];
  /** Section 5, roles: globs on the ids of the integrations that the role integration manager may see errors of and change. */
  readonly managerScope: readonly string[];
};

/** The settings of a server as real ones most likely are. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  ...firstAnswers(),
  maxPageSize: 1000,
  stoppedStatus: 'stopped',
  updatable: ['autosubscribe', 'name', 'acronym'],
  managerScope: ['*'],
};

/** The first answer of each open point; the cast restores what `Object.fromEntries` forgets. */
function firstAnswers() {
  const firsts = Object.entries(OPEN_POINTS).map(([name, { answers }]) => [name, answers[0]]);
  return Object.fromEntries(firsts) as { [Name in keyof OpenPoints]: OpenPoints[Name]['answers'][0] };
}
