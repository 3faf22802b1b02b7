/** The colors of messages in services that have them, as 24 bits of red, green and blue. */
export const COLORS = {
  green: 0x1ac600,
  lightGreen: 0xbfe5bf,
  yellow: 0xffd930,
  grey: 0x4f545c,
  purple: 0x7289da,
  orange: 0xeb6420,
  lightOrange: 0xe68d60,
  red: 0xff3232,
} as const;

/** As services with colors in hexadecimal know it. */
export function hex(color: number): string {
  return color.toString(16);
}
