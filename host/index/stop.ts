/** Whether a call to a shard should end before it is through: its time is over, or nobody waits for its answer. */
export type Stop = () => boolean;
