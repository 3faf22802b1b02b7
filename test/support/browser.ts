import assert from 'node:assert/strict';

/** A page that was answered. */
export interface PageResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Where it leads, relative to the server where it is there. */
  location: string;
}

/** A browser without scripts: it keeps cookies, and sends forms with their hidden fields. */
export class Browser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  constructor(url: string) {
    this.#url = url;
  }

  async send(
    method: string,
    path: string,
    options: { fields?: Record<string, string> | [string, string][]; headers?: Record<string, string> } = {},
  ): Promise<PageResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#url), {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...options.headers },
      ...(options.fields && { body: new URLSearchParams(options.fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get('location') ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), location: location.replace(this.#url, '/') };
  }

  get(path: string): Promise<PageResponse> {
    return this.send('GET', path);
  }

  /** Sends the form of a page that leads to `action`, or its first one that changes something, with these fields filled in. */
  submit(page: PageResponse, fields: Record<string, string>, action?: string): Promise<PageResponse> {
    const forms = page.text.match(/<form method="post"[\s\S]*?<\/form>/g) ?? [];
    const form = forms.find((text) => action === undefined || text.includes(`action="${action}"`));
    assert.ok(form, `no form ${action ?? ''} in: ${page.text}`);
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      decodeReferences(value ?? ''),
    ]);
    const target = action ?? /action="([^"]*)"/.exec(form)?.[1];
    assert.ok(target, 'the form names no address');
    return this.send('POST', target, { fields: { ...Object.fromEntries(hidden), ...fields } });
  }

  /** Signs in with a password; returns what came of it. */
  async signIn(name: string, password: string, redirect = ''): Promise<PageResponse> {
    const page = await this.get(`/user/login?${new URLSearchParams({ redirect_to: redirect })}`);
    return this.submit(page, { user_name: name, password });
  }
}

/** A page without what is new on each: the nonce of its policy, and the token of its forms. */
export function lasting(text: string): string {
  return text.replaceAll(/ nonce="[^"]*"/g, '').replaceAll(/(name="_token" value=")[^"]*/g, '$1');
}

function decodeReferences(text: string): string {
  return text.replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
