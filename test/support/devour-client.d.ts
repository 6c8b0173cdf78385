/** The part of devour-client that the tests use; the package has no types of its own. */
declare module 'devour-client' {
  interface Deserialized {
    readonly data: unknown;
    readonly meta?: unknown;
  }
  class JsonApi {
    constructor(options: { readonly apiUrl: string; readonly bearer: string; readonly logger: boolean });
    define(
      name: string,
      attributes: Readonly<Record<string, unknown>>,
      options?: { readonly collectionPath: string },
    ): void;
    findAll(name: string, params?: Readonly<Record<string, unknown>>): Promise<Deserialized>;
    find(name: string, id: string): Promise<Deserialized>;
    update(name: string, payload: Readonly<Record<string, unknown>>): Promise<Deserialized>;
    request(url: string, method: string): Promise<Deserialized>;
  }

  // biome-ignore lint/style/noDefaultExport: so the package exports it
  export { JsonApi as default };
}
