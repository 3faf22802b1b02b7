import { qrCode } from '../../text/qr-code.ts';
import { type Html, html } from '../html.ts';

/** Light cells around a code, which readers need. */
const MARGIN = 4;
const CELL_PX = 4;

/** A QR code as a picture, dark on light in every theme. Texts that no code has room for are left out. */
export function qrImage(text: string, label: string): Html | false {
  const code = qrCode(text);
  if (!code) return false;
  const size = code.length + 2 * MARGIN;
  const dark = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr-code" role="img" aria-label="${label}" width="${size * CELL_PX}" height="${size * CELL_PX}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark}" fill="#000"/></svg>`;
}
