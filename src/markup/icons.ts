import { createRequire } from 'node:module';
import { trustedClass } from './html/trusted.ts';

interface Octicon {
  toSVG(): string;
  heights: Record<string, { width: number; path: string }>;
}

let octicons: Record<string, Octicon> | undefined;

/** The drawing `name` of Octicons (https://primer.style/octicons) at a height of `size` pixels, with further classes. Loaded at first use. */
export function icon(name: string, size: 12 | 16 | 24, classes = ''): string {
  octicons ??= createRequire(import.meta.url)('@primer/octicons') as Record<string, Octicon>;
  const drawing = octicons[name];
  const nearest = drawing?.heights[String(size)] ?? drawing?.heights['16'];
  if (!drawing || !nearest) throw new Error(`no icon ${name}`);
  const box = drawing.heights[String(size)] ? size : 16;
  const all = trustedClass(`${classes} svg octicon-${name}`.trim());
  return `<svg viewBox="0 0 ${nearest.width} ${box}"${all} aria-hidden="true" width="${size}" height="${size}">${nearest.path}</svg>`;
}
