/** What the host offers the core: imported from the module `host`. */

/** Whether the call that is being carried out should end: its time is over, or nobody waits for its answer. */
export declare function interrupted(): bool;

/** Whether the call that is being carried out may take so many bytes more. */
export declare function admits(bytes: u32): bool;
