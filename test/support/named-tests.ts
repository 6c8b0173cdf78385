import { existsSync, readFileSync } from 'node:fs';

/** A test that a document names; without a title all of a file. */
interface NamedTest {
  readonly file: string;
  readonly title?: string;
}

/** The tests that are named and not there: no such file, or no title in it that holds this text. */
export function missingTests(
  named: readonly NamedTest[],
): readonly NamedTest[] {
  return named.filter(
    ({ file, title = '' }) =>
      !existsSync(file) || !titlesIn(file).includes(title),
  );
}

/** All texts of a file, among them the titles of its tests and the rows of their tables; one in a comment is none. */
function titlesIn(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const code = lines
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .join('\n');
  return [...code.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`/g)]
    .map(([text]) => text)
    .join('\n');
}
