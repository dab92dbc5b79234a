import { OK } from './abi/status';

// How the search or the read of terms that is being carried out has gone. What fails says why, here, and ends with a value of which its
// caller makes nothing: false, null, 0 or -1. Only the first reason counts, so nobody asks whether there was one before.

/** OK, or why the request fails. A global: every layer fails, and none hands down anything to fail into. */
export let requestStatus: i32 = OK;

/** Starts a request. */
export function startRequest(): void {
  requestStatus = OK;
}

/** Fails the request, unless it has failed already. */
export function fail(status: i32): void {
  if (requestStatus == OK) requestStatus = status;
}
