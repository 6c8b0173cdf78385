const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Columns that a text takes on a terminal: two for most characters of East Asia, none for combining marks. */
export function cells(text: string): number {
  if (/^[ -~•…]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + cellsOf(character), 0);
}

function cellsOf(character: string): number {
  if (/[\p{Mn}\p{Me}\u200d]/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
