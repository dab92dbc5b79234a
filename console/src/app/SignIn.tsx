/** Asks who one is, when the server wants to know. Name, password and key stay in the page's memory. */
import { useSignal } from '@preact/signals';
import { authorization, basic } from '../api/httpTransport';
import { Dialog } from '../components/Dialog';
import { useClient } from './context';

export function SignIn() {
  const client = useClient();
  const problem = useSignal<string | undefined>(undefined);
  const isKey = useSignal(false);
  if (!client.needsSignIn.value) return null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? '');
    authorization.value = isKey.value
      ? `ApiKey ${text('key').trim()}`
      : basic(text('name'), text('password'));
    try {
      const { status } = await client.send('GET', '/', undefined, { quiet: true });
      if (status === 401) {
        authorization.value = undefined;
        problem.value = isKey.value
          ? 'The server does not know this key.'
          : 'The name or the password is wrong.';
        return;
      }
      problem.value = undefined;
      client.needsSignIn.value = false;
      client.signedIn.value++;
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <Dialog title="Sign in" isFixed>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p class="muted">
          {client.transport.address} asks who you are. What you type stays in this tab’s memory.
        </p>
        {isKey.value ? (
          <label>
            API key
            <input name="key" type="password" required autocomplete="off" />
          </label>
        ) : (
          <>
            <label>
              Name
              <input name="name" required autocomplete="username" />
            </label>
            <label>
              Password
              <input name="password" type="password" required autocomplete="current-password" />
            </label>
          </>
        )}
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="actions">
          <button
            type="button"
            class="quiet"
            onClick={() => {
              isKey.value = !isKey.value;
            }}
          >
            {isKey.value ? 'Use a name and a password' : 'Use an API key'}
          </button>
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </Dialog>
  );
}
