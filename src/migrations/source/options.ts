import type { RemoteCredentials, RemoteUrl } from '../../http/outgoing/remote-url.ts';
import type { Settings } from '../../settings.ts';

/** What a source is made from. */
export interface SourceOptions {
  readonly settings: Pick<Settings, 'outgoing' | 'migrations'>;
  /** What the user gave as the URL of the project. */
  readonly url: RemoteUrl;
  /** A name and password, or what stands for them with a token. */
  readonly credentials: RemoteCredentials | undefined;
  /** Empty for none. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Called when the source limits its requests. */
  readonly onWait: (until: Date) => void;
}
