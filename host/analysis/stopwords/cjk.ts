/** CJK stop words, as Lucene 4.10 has them. */
// biome-ignore format: a list reads better in lines
export const cjk: readonly string[] = [
  'a', 'and', 'are', 'as', 'at', 'be', 'but', 'by', 'for', 'if', 'in', 'into', 'is', 'it', 'no', 'not',
  'of', 'on', 'or', 's', 'such', 't', 'that', 'the', 'their', 'then', 'there', 'these', 'they', 'this',
  'to', 'was', 'will', 'with', 'www',
];
