/** Where a problem is: a place in the body, a query parameter, or a header. */
export type ProblemSource =
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string };

/** One problem with a request. */
export interface Problem {
  readonly detail: string;
  readonly source?: ProblemSource;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  413: 'Body too large',
  408: 'Request timeout',
  415: 'Unsupported media type',
  429: 'Too many requests',
  431: 'Header too large',
  500: 'Internal error',
  503: 'Service unavailable',
};

interface RefusalOptions {
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error that becomes an error document: a status and all problems with the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly title: string;
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, problems: readonly Problem[], options: RefusalOptions = {}) {
    super(problems.map(({ detail }) => detail).join('\n'));
    this.status = status;
    this.title = options.title ?? TITLES[status] ?? 'Refused';
    this.problems = problems;
    this.headers = options.headers ?? {};
  }
}

/** A refusal for one reason. */
export function refusal(status: number, detail: string, source?: ProblemSource): Refusal {
  return new Refusal(status, [source === undefined ? { detail } : { detail, source }]);
}

/** The JSON:API error document of a refusal. */
export function errorDocument({ status, title, problems }: Refusal): object {
  return { errors: problems.map((problem) => ({ status: String(status), title, ...problem })) };
}

/** A JSON pointer of the given keys and positions. */
export function pointer(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
