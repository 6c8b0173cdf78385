import { STATUS_CODES } from 'node:http';

/** One problem with a request, and where it is: in the body, in the query, or in a header. */
export interface Problem {
  readonly detail: string;
  readonly source?:
    | { readonly pointer: string }
    | { readonly parameter: string }
    | { readonly header: string };
}

/** The error that becomes an error document: a status and all problems with the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, problems: readonly Problem[], headers: Readonly<Record<string, string>> = {}) {
    super(problems.map(({ detail }) => detail).join('\n'));
    this.status = status;
    this.problems = problems;
    this.headers = headers;
  }

  get document(): object {
    const title = STATUS_CODES[this.status] ?? 'Refused';
    return { errors: this.problems.map((problem) => ({ status: String(this.status), title, ...problem })) };
  }
}

/** A refusal for one reason. */
export function refusal(status: number, detail: string, source?: Problem['source']): Refusal {
  return new Refusal(status, [source === undefined ? { detail } : { detail, source }]);
}

/** A JSON pointer of the given keys and positions. */
export function pointer(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
