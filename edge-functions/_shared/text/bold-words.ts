// Owns how bold words of Markdown are found in a text.

/** Bold words with their stars; the first group is the words. Neither `2**3**4` nor a pattern of files with `**` in it. */
export const boldWords = /(?<![\p{L}\p{N}*])\*\*(?![\s*/])([^*\n]+?)(?<![\s*/])\*\*(?![\p{L}\p{N}*])/gu;
