/** Requests that were run, kept in this browser until they are cleared. Answers and credentials are not among them. */
import { signal } from '@preact/signals';

export interface PastRequest {
  method: string;
  path: string;
  body: string | undefined;
  /** Of its answer. */
  status: number;
  /** Milliseconds since 1970. */
  at: number;
}

const KEY = 'resilin.requests.history';
const BUFFER = 'resilin.requests.buffer';
const MAX_ENTRIES = 100;
/** Longer bodies are not kept. */
const MAX_BODY = 10_000;
/** A longer text in the editor is not kept. */
const MAX_BUFFER = 500_000;

/** The newest first. */
export const past = signal<readonly PastRequest[]>(read());

export function remember({ body, ...request }: PastRequest): void {
  const kept = { ...request, body: body === undefined || body.length > MAX_BODY ? undefined : body };
  const others = past.value.filter(
    (each) => each.method !== kept.method || each.path !== kept.path || each.body !== kept.body,
  );
  past.value = [kept, ...others].slice(0, MAX_ENTRIES);
  store(KEY, JSON.stringify(past.value));
}

export function clearHistory(): void {
  past.value = [];
  store(KEY, undefined);
}

/** What stood in the editor. */
export function keptBuffer(): string | undefined {
  try {
    return localStorage.getItem(BUFFER) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepBuffer(text: string): void {
  store(BUFFER, text.length > MAX_BUFFER ? undefined : text);
}

/** A browser may keep nothing, or be full. */
function store(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // What isn't kept is still here until the page is left.
  }
}

function read(): PastRequest[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isPast).slice(0, MAX_ENTRIES) : [];
  } catch {
    return [];
  }
}

function isPast(value: unknown): value is PastRequest {
  const { method, path, status, at } = (value ?? {}) as Partial<PastRequest>;
  return (
    typeof method === 'string' &&
    typeof path === 'string' &&
    typeof status === 'number' &&
    typeof at === 'number'
  );
}
