/** Where the script of the palette asks. */
export const PALETTE_PATH = '-/palette';
/** The page of the keys that work everywhere. */
export const SHORTCUTS_PATH = '-/shortcuts';
