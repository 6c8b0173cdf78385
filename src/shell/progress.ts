import { count } from '../core/findings/words.ts';
import type { Tone } from '../core/report/report.ts';
import type { ProgressLine, Writer } from './writer.ts';

/** Less time than this needs no line, if there is one server only. */
const SHORT = 1_000;

/** Says which server of how many is worked on, and what is done to it. */
export class Progress {
  readonly #writer: Writer;
  readonly #now: () => number;
  #servers: readonly string[] = [];
  #done = 0;
  #pages = 0;
  #begun: number;
  /** The server that is written, and its place among all. */
  #written: string | undefined;

  constructor(writer: Writer, now: () => number) {
    this.#writer = writer;
    this.#now = now;
    this.#begun = now();
  }

  /** Begins to read some servers side by side. */
  read(servers: readonly string[]): void {
    this.#servers = servers;
    this.#done = 0;
    this.#pages = 0;
    this.#written = undefined;
    this.#begun = this.#now();
    this.#showReading();
  }

  /** A page of a list was read. */
  page(): void {
    this.#pages += 1;
    if (this.#written === undefined) this.#showReading();
  }

  #showReading(): void {
    const [server, ...others] = this.#servers;
    const pages = this.#pages === 0 ? '' : `, ${count(this.#pages, 'page')}`;
    if (others.length === 0) {
      this.#writer.status(this.#line(server, `reading${pages}`));
      return;
    }
    const servers = count(this.#servers.length, 'server');
    const text = `Reading ${servers}: ${this.#done} done${pages}`;
    this.#writer.status(this.#line(undefined, text));
  }

  /** Begins to write one server of some. */
  write(server: string): void {
    const at = this.#servers.indexOf(server) + 1;
    const all = this.#servers.length;
    this.#written = all < 2 ? server : `${server} (${at} of ${all})`;
    this.#begun = this.#now();
    this.doing('reading');
  }

  /** Says what is done to the server that is written. */
  doing(text: string): void {
    this.#writer.status(this.#line(this.#written, text));
  }

  /** A server is finished; the line stays. */
  ended(server: string, text: string, tone: Tone): void {
    this.#done += 1;
    const isShort = this.#now() - this.#begun < SHORT;
    if (this.#servers.length < 2 && isShort) return;
    this.#writer.stays(this.#line(server, text), tone);
  }

  #line(server: string | undefined, text: string): ProgressLine {
    const columns = Math.max(0, ...this.#servers.map(({ length }) => length));
    return { server, text, columns, since: this.#begun };
  }
}
