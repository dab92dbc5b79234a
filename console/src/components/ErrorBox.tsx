/** What went wrong, in the server's words. */
import { RequestError } from '../api/client';

export function ErrorBox({ error, title }: { error: unknown; title?: string }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div class="error-box" role="alert">
      <b>{title ?? (error instanceof RequestError ? `Status ${error.status}` : 'That did not work')}</b>
      <p>{message}</p>
    </div>
  );
}
