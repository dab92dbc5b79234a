/**
 * Why something is given up that nobody waits for any more. Made once: a signal that aborts without a reason makes an exception with its stack,
 * which takes longer than most of what is given up.
 */
export const OVER = new DOMException('nobody waits for it any more', 'AbortError');
