import { type Context, inTransaction } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { fault } from '../components/fault.ts';
import type { Document } from '../document.ts';
import { Html, html } from '../html.ts';
import { type ResourcePage, seeOther, type Visit } from '../page.ts';
import { path, type View } from '../view.ts';

/** The error of a page's form. */
export interface Problem {
  readonly form: string;
  readonly error: HttpError;
}

/** Settings of one owner: a repository, an organization, an account or the instance. */
export interface SettingsArea<V extends Visit, P extends string> {
  /** How its pages are loaded and authorized. */
  readonly page: (page: ResourcePage<V>) => AnyRoute[];
  /** The prefix of the paths, with the parameters of the loaded resource. */
  readonly root: string;
  readonly paths: Readonly<Record<P, string>>;
  /** The `root` of a visit, with its values; from the root of the instance. */
  readonly address: (visit: V) => string;
  readonly needs: readonly Requirement[];
  /** A page beside the menu of all of them. */
  readonly document: (visit: V, context: Context, shown: { page: P; body: Html; status: number }) => Promise<Document>;
  /** The level of headings within a page. */
  readonly level: 2 | 3;
}

/** The content of a page; with a status other than 200, or 422 after a form. */
type Shown = Html | { readonly body: Html; readonly status: number };

/** A page of settings with its forms. */
export interface SectionPage<V extends Visit> {
  /** The end of the path, for a page that the menu does not list. */
  readonly sub?: string;
  readonly needs?: readonly Requirement[];
  readonly show?: (visit: V, context: Context, problem?: Problem) => Promise<Shown>;
  /** Forms by the end of their path; a returned string is the path to redirect to, from the root; by default the page itself. */
  readonly forms?: Readonly<Record<string, SectionForm<V>>>;
  readonly maxBytes?: number | ((settings: Settings) => number);
  readonly when?: (settings: Settings) => boolean;
}

/** A form of a page of settings. */
export interface SectionForm<V> {
  readonly needs?: readonly Requirement[];
  /** It reads the body itself, as for files. */
  readonly readsBody?: boolean;
  /** It only changes rows, and its rules open no transaction: it gets one, which includes the audit entry. */
  readonly isOneTransaction?: boolean;
  /** Returned HTML is shown at once, such as a secret that cannot be looked up again. */
  readonly send: (visit: V, context: Context) => Promise<unknown>;
}

/** One page of an area, with its subpages. Pages that owners share are declared with it. */
export interface Section<V extends Visit> {
  readonly pages: (page: SectionPage<V>) => AnyRoute[];
  /** The path of the page or of a subpage, from the root of the instance. */
  readonly address: (visit: V, sub?: string) => string;
  /** The same for a link. */
  readonly href: (visit: V, sub?: string) => string;
  readonly heading: (text: Html | string) => Html;
}

/** A page of an area. Errors of rules are shown in the page, with the input. */
export function sectionOf<V extends Visit, P extends string>(area: SettingsArea<V, P>, page: P): Section<V> {
  const address = (visit: V, sub = '') => `${area.address(visit)}${area.paths[page]}${sub && `/${sub}`}`;
  return {
    address,
    href: (visit, sub) => path(visit.view, address(visit, sub)),
    heading: (text) => (area.level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`),
    pages: (declared) => sectionRoutes(area, page, address, declared),
  };
}

function sectionRoutes<V extends Visit, P extends string>(
  area: SettingsArea<V, P>,
  page: P,
  address: (visit: V) => string,
  { sub, needs = area.needs, show, forms = {}, maxBytes, when }: SectionPage<V>,
): AnyRoute[] {
  const common = {
    needs,
    ...(maxBytes !== undefined && { maxBytes: typeof maxBytes === 'number' ? () => maxBytes : maxBytes }),
    ...(when && { when }),
  };
  const base = `/${area.root}${area.paths[page]}${sub === undefined ? '' : `/${sub}`}`;
  const shown = async (visit: V, context: Context, problem?: Problem) => {
    if (!show) throw problem?.error ?? new Error('the page has forms alone');
    const shown = await show(visit, context, problem);
    return area.document(visit, context, { page, ...(shown instanceof Html ? { body: shown, status: problem ? 422 : 200 } : shown) });
  };
  return [
    ...(show ? area.page({ ...common, path: base, get: (visit, context) => shown(visit, context) }) : []),
    ...Object.entries(forms).flatMap(([form, { needs: postNeeds = [], readsBody = false, isOneTransaction = false, send }]) =>
      area.page({
        ...common,
        path: form === '' ? base : `${base}/${form}`,
        postNeeds,
        readsBody,
        post: async (visit, context) => {
          try {
            const target = await (isOneTransaction ? inTransaction(context, (context) => send(visit, context)) : send(visit, context));
            if (target instanceof Html) return area.document(visit, context, { page, body: target, status: 200 });
            return seeOther(context, typeof target === 'string' ? target : address(visit));
          } catch (error) {
            if (!(error instanceof HttpError) || error.status >= 500) throw error;
            return shown(visit, context, { form, error });
          }
        },
      }),
    ),
  ];
}

/** The error of this form. */
export function failed(view: View, problem: Problem | undefined, form: string): Html | false {
  return problem?.form === form && fault(view, problem.error.message);
}
