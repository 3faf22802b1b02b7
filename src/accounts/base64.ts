/** The position at which a text stops being base64: its first other character, or an incomplete group of four. */
export function base64FaultAt(text: string): number {
  const illegal = text.search(/[^A-Za-z0-9+/]/);
  return illegal === -1 ? text.length - (text.length % 4) : illegal;
}
