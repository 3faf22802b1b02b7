import { randomBytes } from 'node:crypto';
import type { User } from '../database/tables/accounts.ts';
import type { Settings } from '../settings.ts';
import { assetPath } from './assets/assets.ts';
import type { IconName } from './assets/icon-names.ts';
import { Html, html } from './html.ts';
import { type Catalogue, catalogueOf, type Language, languageOf } from './languages/languages.ts';

/** The looks of the pages. `auto` follows the system of the reader. */
export const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];

/** The context of rendering a page, besides its data. */
export interface View {
  /** The path of the root URL, with a slash at the end. */
  readonly root: string;
  readonly rootUrl: string;
  readonly language: Language;
  readonly text: Catalogue;
  readonly theme: Theme;
  /** The signed-in user. */
  readonly user: User | null;
  /** The hidden field that every form needs. */
  readonly token: Html;
  /** Allows this page its own scripts and style sheet (CSP). */
  readonly nonce: string;
  /** The path and query of this page. */
  readonly here: string;
}

/** The facts of a request that are known before its page is built. */
export interface ViewSource {
  readonly user: User | null;
  readonly acceptLanguage: string | undefined;
  readonly token: Html;
  readonly here: string;
}

/** The view of a reader. */
export function viewOf(settings: Settings, { user, acceptLanguage, token, here }: ViewSource): View {
  const language = languageOf(user?.language ?? '', acceptLanguage);
  return {
    root: new URL(settings.server.rootUrl).pathname,
    rootUrl: settings.server.rootUrl,
    language,
    text: catalogueOf(language),
    theme: themeOf(user?.theme || settings.ui.defaultTheme),
    user,
    token,
    nonce: randomBytes(16).toString('base64url'),
    here,
  };
}

/** The view of a reader of whom nothing is known. */
export function anonymousView(settings: Settings): View {
  return viewOf(settings, { user: null, acceptLanguage: undefined, token: new Html(''), here: '' });
}

/** Themes that people bring along, such as `gitea-dark`, are read by their last word. */
function themeOf(name: string): Theme {
  const last = name.slice(name.lastIndexOf('-') + 1);
  return THEMES.find((theme) => theme === last) ?? 'auto';
}

/** The path of a page, which begins after the root URL: `path(view, 'user/login')`. */
export function path({ root }: Pick<View, 'root'>, rest: string): string {
  return root + rest;
}

/** A URL of the instance as a path, so that it works under each name that the instance has. Others stay as they are. */
export function localUrl({ root, rootUrl }: Pick<View, 'root' | 'rootUrl'>, url: string): string {
  return url.startsWith(rootUrl) ? root + url.slice(rootUrl.length) : url;
}

/** An icon. @param label its meaning, unless the text next to it has the same */
export function icon(view: Pick<View, 'root'>, name: IconName, label?: string): Html {
  const use = html`<use href="${path(view, assetPath('icons.svg'))}#${name}"/>`;
  if (label === undefined) return html`<svg class="icon" aria-hidden="true">${use}</svg>`;
  return html`<svg class="icon" role="img" aria-label="${label}">${use}</svg>`;
}
