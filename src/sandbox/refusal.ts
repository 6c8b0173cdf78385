import { STATUS_CODES } from 'node:http';

/** One problem with a request, and where it is: in the body, in the query, or in a header. */
interface Problem {
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

  constructor(status: number, problems: readonly Problem[], cause?: unknown) {
    super(problems.map(({ detail }) => detail).join('\n'), { cause });
    this.status = status;
    this.problems = problems;
  }

  get document(): object {
    const title = STATUS_CODES[this.status] ?? 'Refused';
    return { errors: this.problems.map((problem) => ({ status: String(this.status), title, ...problem })) };
  }
}

/** A refusal for one reason. */
export function refusal(
  status: number,
  detail: string,
  source?: Problem['source'],
  cause?: unknown,
): Refusal {
  return new Refusal(status, [source === undefined ? { detail } : { detail, source }], cause);
}

/** A JSON pointer of the given keys and positions. */
export function pointer(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Section 2.2: the id in the links of relationships. */
export function integrationParameter(query: URLSearchParams): string {
  const id = query.get('filter[integration.id]') ?? '';
  if (id !== '') return id;
  throw refusal(400, 'The id of an integration is required.', { parameter: 'filter[integration.id]' });
}
