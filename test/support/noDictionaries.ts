/** Of rows that name none. */
export const NO_DICTIONARIES = {
  get(number: number): never {
    throw new Error(`the dictionary ${number}`);
  },
};
