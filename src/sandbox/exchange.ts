/** One request and the status of its answer. */
export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The parsed body of the request, for tests; it may hold secrets, so no log may show it. */
  readonly body: unknown;
}
