/**
 * Every point that the API document leaves open, with the answers to choose from. The comments name the section. The first
 * answer is the default: what real servers most likely do. Types, defaults and the flags of the command follow from here.
 */
export const OPEN_POINTS = {
  /** 2.2, 4.5: where option values are: in `included`, inside the relationships, with the single read only, or behind the link only. */
  dialect: ['included', 'inline', 'detail', 'options'],
  /** 4.5: values wherever options have their attributes, or only where one integration is read. */
  values: ['everywhere', 'detail'],
  /** 2.4: how an option reads that was never set: with its default, or without a value. */
  unsetValues: ['default', 'absent'],
  /** 2.4: how a password reads back: in clear, as asterisks, as null, not at all, or as the empty text. */
  passwords: ['clear', 'masked', 'null', 'absent', 'empty'],
  /** 2.4: whether numbers and booleans keep their type or become strings. */
  store: ['typed', 'strings'],
  /** 2.4: a select: an object with display and value; a text, with objects taken too; or a text, with objects refused. */
  selects: ['objects', 'strings', 'strings-only'],
  /** 2.4: whether options are served with their permission flags. */
  flags: ['served', 'absent'],
  /** 2.2: the spelling of attributes of more than one word. */
  attributeNames: ['dashed', 'camel'],
  /** 4.7, 4.8: whether a PATCH may name its type in the plural, the singular, or both. */
  acceptType: ['both', 'plural', 'singular'],
  /** 4.8: whether a PATCH of an integration must name its type. */
  integrationType: ['optional', 'required'],
  /** 2.1, 5: where a login's answer has `expiration_time`: beside the token, at the top, or in `meta`. */
  expiration: ['data', 'top', 'meta'],
  /** 2.1: whether the user's settings accompany a token. */
  userSettings: ['users', 'absent'],
  /** 3: whether the old token stays valid after a refresh. */
  refresh: ['keeps', 'replaces'],
  /** 4.3: the body of the answer to a logout. */
  logoutAnswer: ['document', 'empty'],
  /** 4.7, 4.8: the body of the answer to a PATCH: the changed resources, or none (204). */
  patchAnswer: ['document', 'empty'],
  /** 7: the form of an error: `errors`, `{error: {message}}`, `{message}`, plain text, or no body. */
  errorBody: ['errors', 'error', 'message', 'text', 'empty'],
  /** 7: the status of a token that expired, was logged out, or is unknown. */
  expiredTokenStatus: ['401', '403'],
  /** 7: the status of a request without a token. */
  missingTokenStatus: ['401', '403', '400', '404'],
  /** 7: what happens to the flags true and true, which make no sense together. */
  invalidPair: ['refused', 'stored'],
  /** 7: the status of a well-formed PATCH that is refused: a value of another type, an integration that is not running. */
  refusalStatus: ['422', '400', '409'],
  /** 7: how an error points at the option that caused it: by its index in the request, by its key, or not at all. */
  pointer: ['index', 'key', 'none'],
  /** 7: whether an error repeats the value that it refuses. */
  echo: ['nothing', 'value'],
  /** 5: whether every role may read integrations, or only those that may change them. */
  readers: ['everyone', 'managers'],
  /** 2.4, 5: whether the role user receives options that are hidden from users. */
  hiddenOptions: ['withheld', 'served'],
  /** 4.4: the number of the first page. */
  firstPage: ['1', '0'],
  /** 4.4: whether a page tells how many there are in all. */
  pageTotal: ['served', 'absent'],
  /** 2.2, 8: whether the link to the options of an integration serves all at once, or pages with `page[size]` and `page[number]`. */
  optionPages: ['whole', 'numbered'],
  /** 1, 9: whether `application/json` is accepted beside the media type of the API. */
  mediaType: ['strict', 'json'],
  /** 1, 9: whether any `Accept` is served, or only one that takes `application/json`; 406 otherwise. */
  accept: ['any', 'json'],
  /** 1, 9: the media type of answers: that of the API, `application/json`, `text/plain`, or none. */
  answerType: ['api', 'json', 'text', 'none'],
  /** 8: the `Retry-After` of an answer 429, in seconds. */
  retryAfter: ['0', '1', 'absent'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

type OpenPoints = typeof OPEN_POINTS;

/** The answer chosen for each open point, and those settings that are numbers, words or lists. */
export type SandboxSettings = { readonly [Name in keyof OpenPoints]: OpenPoints[Name][number] } & {
  /** Section 8: the maximum page size; a larger `page[size]` is cut to it. */
  readonly maxPageSize: number;
  /** Section 8: every request of this number is answered with 429; none where it is 0. */
  readonly refuseEvery: number;
  /** Section 3: the status of an integration that is not running. */
  readonly stoppedStatus: string;
  /** Section 2.2: the attributes that can change, by their dashed names. */
  readonly updatable: readonly string[];
  /** Section 5: globs on the ids of the integrations that integration managers may change and see errors of. */
  readonly managerScope: readonly string[];
};

/** The settings that real servers most likely have. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  ...firstAnswers(),
  maxPageSize: 1000,
  refuseEvery: 0,
  stoppedStatus: 'stopped',
  updatable: ['autosubscribe', 'name', 'acronym'],
  managerScope: ['*'],
};

/** The first answer of each open point; the cast restores what `Object.fromEntries` forgets. */
function firstAnswers() {
  const firsts = Object.entries(OPEN_POINTS).map(([name, answers]) => [name, answers[0]]);
  return Object.fromEntries(firsts) as { [Name in keyof OpenPoints]: OpenPoints[Name][0] };
}
