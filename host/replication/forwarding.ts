/** Requests that another node answers. */

export interface ForwardedRequest {
  method: string;
  /** Path and query. */
  uri: string;
  /** Text in UTF-8. */
  body: Uint8Array;
}

export interface ForwardedAnswer {
  status: number;
  contentType: string;
  body: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** u16 status, u8 length of the type, the type, the body. */
export function encodeAnswer({ status, contentType, body }: ForwardedAnswer): Uint8Array {
  const type = encoder.encode(contentType);
  const bytes = new Uint8Array(3 + type.length + body.length);
  new DataView(bytes.buffer).setUint16(0, status);
  bytes[2] = type.length;
  bytes.set(type, 3);
  bytes.set(body, 3 + type.length);
  return bytes;
}

/** Throws a `RangeError` for what is too short. */
export function decodeAnswer(bytes: Uint8Array): ForwardedAnswer {
  const status = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint16(0);
  const end = 3 + (bytes[2] ?? 0);
  return { status, contentType: decoder.decode(bytes.subarray(3, end)), body: bytes.subarray(end) };
}
