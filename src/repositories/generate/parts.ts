/** What comes along from a template. */
export interface TemplateParts {
  content: boolean;
  topics: boolean;
  gitHooks: boolean;
  webhooks: boolean;
  avatar: boolean;
  labels: boolean;
  protections: boolean;
}
