/** The sets of templates that an instance offers. */
export type TemplateKind = 'gitignore' | 'license' | 'label' | 'readme';

/** There is no template of this name; the message is for the caller. */
export class UnknownTemplateError extends Error {
  override readonly name = 'UnknownTemplateError';
  readonly kind: TemplateKind;
  readonly template: string;
  constructor(kind: TemplateKind, template: string, message = `${kind} template ${JSON.stringify(template)} does not exist`) {
    super(message);
    this.kind = kind;
    this.template = template;
  }
}
