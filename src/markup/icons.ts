import { trustedClass } from './html/trusted.ts';
import icons from './icons.json' with { type: 'json' };

interface Icon {
  /** By height in pixels. */
  readonly [height: string]: { readonly width: number; readonly path: string } | undefined;
}

const ICONS: Readonly<Record<string, Icon | undefined>> = icons;

/** The drawing `name` of Octicons (https://primer.style/octicons) at a height of `size` pixels, with further classes. The drawings are those of icons.json. */
export function icon(name: string, size: 12 | 16 | 24, classes = ''): string {
  const drawing = ICONS[name];
  const nearest = drawing?.[size] ?? drawing?.[16];
  if (!drawing || !nearest) throw new Error(`no icon ${name}`);
  const box = drawing[size] ? size : 16;
  const all = trustedClass(`${classes} svg octicon-${name}`.trim());
  return `<svg viewBox="0 0 ${nearest.width} ${box}"${all} aria-hidden="true" width="${size}" height="${size}">${nearest.path}</svg>`;
}
