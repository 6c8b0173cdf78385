/** A part of the comment that is shown whole or not at all. */
export interface Piece {
  readonly text: string;
  /** How many changes it tells. */
  readonly changes: number;
}

/** What may still be shown. */
export interface Room {
  /** Characters of the comment. */
  characters: number;
  /** Lines that can be read without a click. */
  lines: number;
  /** Changes that had no room. */
  left: number;
}

/** Characters between two blocks. */
const GAP = 2;

/** Takes the room of a text; false if there is not enough. */
export function takesRoom(room: Room, text: string): boolean {
  const length = text.length + GAP;
  if (length > room.characters) return false;
  room.characters -= length;
  return true;
}

/** The pieces that have room; those that have none are counted. */
export function piecesWithRoom<Part extends Piece>(
  pieces: readonly Part[],
  room: Room,
): Part[] {
  const shown: Part[] = [];
  for (const piece of pieces) {
    if (takesRoom(room, piece.text)) shown.push(piece);
    else room.left += piece.changes;
  }
  return shown;
}
