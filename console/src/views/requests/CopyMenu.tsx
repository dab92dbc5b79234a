/** Copies a request in other notations, and a link to it. */
import { asCurl } from '../../api/client';
import { useClient } from '../../app/context';
import { linkTo } from '../../app/location';
import { tellDone, tellError } from '../../app/Toasts';
import { Icon } from '../../components/Icon';
import { loadTables } from '../../dsl/tables';
import { clientCode } from './clientCode';
import { bodyToSend, type WrittenRequest, writeRequest } from './notation';

/** A link that is longer is refused by some programs that one pastes it into. */
const MAX_LINK = 20_000;

export function CopyMenu({ request }: { request: () => WrittenRequest | undefined }) {
  const client = useClient();
  const copy = async (
    make: (request: WrittenRequest, body: string | undefined) => string | Promise<string>,
  ) => {
    const chosen = request();
    if (chosen === undefined) {
      tellError('There is no request at the cursor.');
      return;
    }
    try {
      const text = await make(chosen, bodyToSend(chosen));
      if (text.length > MAX_LINK && text.startsWith('http')) {
        tellError('The request is too long for a link.');
        return;
      }
      await navigator.clipboard.writeText(text);
      tellDone('Copied');
    } catch {
      tellError('This browser does not let the page copy.');
    }
  };
  return (
    <>
      <button
        type="button"
        class="quiet small"
        onClick={() =>
          void copy(({ method, path }, body) =>
            asCurl(client.transport.address, { method: sentMethod(method, body), path, body }),
          )
        }
      >
        <Icon name="copy" /> curl
      </button>
      <button
        type="button"
        class="quiet small"
        onClick={() =>
          void copy(async ({ method, path }, body) =>
            clientCode(client.transport.address, { method, path, body }, await loadTables()),
          )
        }
      >
        <Icon name="copy" /> JavaScript
      </button>
      <button
        type="button"
        class="quiet small"
        onClick={() =>
          void copy(({ method, path }, body) => {
            const text = writeRequest(method, path, body);
            return `${location.href.split('#')[0]}${linkTo('requests', { index: undefined, load: text })}`;
          })
        }
      >
        <Icon name="link" /> Link
      </button>
    </>
  );
}

/** curl sends bodies of lines with POST. */
function sentMethod(method: string, body: string | undefined): string {
  return method === 'HEAD' && body !== undefined ? 'GET' : method;
}
