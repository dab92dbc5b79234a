/** TypeScript's compiler, as a script for Node. */
export const compiler: string;
