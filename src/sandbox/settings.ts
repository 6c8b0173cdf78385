/** Two points that the API document leaves open, as a rehearsal needs them. */
export interface Settings {
  /** Where option values are: in `included`, inside the relationships, with one integration only, or behind the link only. */
  readonly dialect: 'included' | 'inline' | 'detail' | 'options';
  /** How a password reads back: in clear, as asterisks, or as the empty text. */
  readonly passwords: 'clear' | 'masked' | 'empty';
}
