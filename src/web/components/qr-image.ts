import qrcode from 'qrcode-generator';
import { type Html, html } from '../html.ts';

/** Light cells around a code, which readers need. */
const MARGIN = 4;
const CELL_PX = 4;
/** The library takes the smallest version that the text fits in. */
const SMALLEST = 0;
/** The lowest level of error correction: a screen shows no dirt. */
const LEVEL = 'L';
/** Longer texts make codes that cameras read badly. */
const MAX_LENGTH = 800;

/** A QR code of an ASCII text as a picture, dark on light in every theme; longer texts than cameras read well have none. */
export function qrImage(text: string, label: string): Html | false {
  if (text.length > MAX_LENGTH) return false;
  const code = qrcode(SMALLEST, LEVEL);
  code.addData(text);
  code.make();
  const cells = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  const dark = cells.flatMap((y) => cells.map((x) => (code.isDark(y, x) ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : ''))).join('');
  const size = cells.length + 2 * MARGIN;
  return html`<svg class="qr-code" role="img" aria-label="${label}" width="${size * CELL_PX}" height="${size * CELL_PX}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark}" fill="#000"/></svg>`;
}
