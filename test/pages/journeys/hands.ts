import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** How somebody uses pages: with a mouse and scripts, with a mouse and without scripts, or with scripts by the keyboard alone. */
export type Manner = 'scripts' | 'plain' | 'keys';

/** Presses of Tab after which nothing is found any more. */
const MAX_TABS = 400;

/** Uses a page as one of the manners does, and waits for what comes of it. */
export class Hands {
  readonly page: Page;
  readonly manner: Manner;
  readonly #url: string;
  readonly #look: () => Promise<void>;

  /** @param look is called for every page that is led to */
  constructor(page: Page, manner: Manner, { url, look }: { url: string; look: () => Promise<void> }) {
    this.page = page;
    this.manner = manner;
    this.#url = url;
    this.#look = look;
    // The dialog for files is taken over from here on, and not only while one is waited for.
    if (manner === 'keys') page.on('filechooser', () => {});
  }

  /** Types an address of the server, without the first slash. */
  async visit(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#url).href);
    await this.#look();
  }

  /** The path of the page. */
  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  link(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('link', { name, exact: typeof name === 'string' });
  }

  field(label: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByLabel(label, { exact: typeof label === 'string' });
  }

  /** What opens a fold or a menu. */
  fold(name: string | RegExp): Locator {
    return this.page.locator('summary').filter({ hasText: name });
  }

  /** Presses what leads to another page, and waits until that is there. */
  async follow(target: Locator): Promise<void> {
    await Promise.all([this.page.waitForNavigation(), this.press(target)]);
    await this.#look();
  }

  /** Presses what stays on the page. */
  async press(target: Locator): Promise<void> {
    if (this.manner !== 'keys') return target.click();
    await this.#reach(target);
    await this.page.keyboard.press('Enter');
  }

  /** Presses keys on what has the focus; goes on from there. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Moves the focus. */
  async focus(target: Locator): Promise<void> {
    if (this.manner === 'keys') await this.#reach(target);
    else await target.focus();
  }

  /** Replaces what is written in a field. */
  async write(target: Locator, text: string): Promise<void> {
    if (this.manner !== 'keys') return target.fill(text);
    await this.#reach(target);
    if ((await target.getAttribute('type')) === 'date') {
      const [year, month, day] = text.split('-');
      return this.page.keyboard.type(`${month}${day}${year}`);
    }
    await this.keys('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Ticks a box, or chooses one of several. */
  async tick(target: Locator): Promise<void> {
    if (this.manner !== 'keys') return target.check();
    if ((await target.getAttribute('type')) === 'radio') return this.#chooseRadio(target);
    await this.#reach(target);
    if (!(await target.isChecked())) await this.keys('Space');
    assert.ok(await target.isChecked());
  }

  /** Chooses an option by its text. */
  async choose(target: Locator, label: string): Promise<void> {
    if (this.manner !== 'keys') {
      await target.selectOption({ label });
      return;
    }
    await this.#reach(target);
    const labels = await target.locator('option').allTextContents();
    const values = await target.locator('option').evaluateAll((options) => options.map((option) => (option as { value?: string }).value));
    const from = values.indexOf(await target.inputValue());
    const to = labels.indexOf(label);
    assert.ok(to >= 0, `${label} is not among ${labels.join(', ')}`);
    for (let at = from; at !== to; at += Math.sign(to - from)) await this.keys(to > from ? 'ArrowDown' : 'ArrowUp');
    assert.equal(await target.inputValue(), values[to]);
  }

  /** Chooses files in the dialog of the browser. */
  async attach(target: Locator, files: readonly { readonly name: string; readonly content: string }[]): Promise<void> {
    const chosen = files.map(({ name, content }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) }));
    if (this.manner !== 'keys') return target.setInputFiles(chosen);
    await this.#reach(target);
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.keys('Enter')]);
    await chooser.setFiles(chosen);
  }

  /** Waits until the page says something. */
  async sees(text: string | RegExp, within = 'main'): Promise<void> {
    await this.page.locator(within).filter({ hasText: text }).first().waitFor();
  }

  /** Goes to a group of radio buttons as its keys do: one of them takes the focus, arrows choose among them. */
  async #chooseRadio(target: Locator): Promise<void> {
    const name = await target.getAttribute('name');
    const group = this.page.locator(`input[type=radio][name="${name}"]`);
    await this.#reach(this.page.locator(`input[type=radio][name="${name}"]:checked`));
    for (let count = await group.count(); count > 0 && !(await target.isChecked()); count--) await this.keys('ArrowDown');
    assert.ok(await target.isChecked());
  }

  /** Goes to an element by Tab alone, where its focus has to be seen. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs <= MAX_TABS; tabs++) {
      const { way, isTrap, isSeen } = await target.evaluate(whereIs);
      if (way === 'here') {
        assert.ok(isSeen, `the focus is not seen at ${target} of ${this.page.url()}`);
        return;
      }
      // Tab indents in an editor; its hint says that Escape comes first.
      if (isTrap) await this.keys('Escape');
      await this.keys(way === 'before' ? 'Shift+Tab' : 'Tab');
    }
    assert.fail(`Tab does not lead to ${target} of ${this.page.url()}`);
  }
}

/** Runs in the browser: in which direction of what has the focus an element is. */
function whereIs(element: HTMLElement | SVGElement) {
  const active = element.ownerDocument.activeElement;
  const before = 2;
  const way = !active || active === element ? 'here' : active.compareDocumentPosition(element) & before ? 'before' : 'after';
  return { way, isTrap: active instanceof HTMLElement && active.isContentEditable, isSeen: element.matches(':focus-visible') };
}
