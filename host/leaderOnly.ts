/**
 * Thrown where an engine that follows another one's changes comes to something that only that one, its leader, can do: the request is carried
 * out there from its beginning. It passes through everything that turns errors into answers.
 */
export class LeaderOnly extends Error {}
